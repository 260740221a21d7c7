#include "verifier/checks/machine/environment_cards.h"
#include "verifier/claims/cards.h"
#include "verifier/claims/rule.h"

#include <string.h>

static void check_heading(struct audit *a, const char *heading, int line)
{
    const struct accelerator *card = heading ? audit_card(a, heading) : NULL;
    if (!card || strcmp(card->vendor, a->result->vendor) != 0)
        return; /* of another vendor: FP1006 */
    enum identity identity = cards_on_page(a, card->name);
    if (identity == IDENTITY_UNKNOWN)
        return;
    struct check_result *r =
        audit_report(a, identity == IDENTITY_SAME ? OUTCOME_PASS : OUTCOME_FAIL, NULL, line,
                     "the heading '%s' names %s; the environment states '%s'", heading, card->name,
                     environment_card_names(a));
    r->stated = heading;
    r->expected = environment_card_names(a);
}

static void check_heading_card(struct audit *a)
{
    for (size_t i = 0; i < a->result->n_environments; i++) {
        const struct environment *e = &a->result->environments[i];
        check_heading(a, e->title, e->line);
        for (size_t k = 0; k < e->n_groups; k++)
            check_heading(a, e->groups[k].label, e->groups[k].line);
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the heading '%s' names %s; the environment states '%s'",
     .zh = "标题“{1}”写的是 {2}；环境说明中是“{3:said}”"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {environment_card_messages, NULL};

const struct rule rule_fp3009 = {
    .id = "FP3009",
    .kind = "environment",
    .since = "2026.1",
    .severity = SEVERITY_NOTICE,
    .needs_records = true,
    .page = check_heading_card,
    .title = {.en = "Card in headings", .zh = "标题中的加速卡"},
    .statement = {.en = "A card that a heading of the environment names must also be listed in "
                        "the environment.",
                  .zh = "环境说明标题中的加速卡，必须也列在环境说明中。"},
    .why = {.en = "A heading with another card shows where a section was copied from.",
            .zh = "标题写着另一种卡，可以看出该节是从哪里复制的。"},
    .how = {.en = "If a heading of the environment section names a card of the vendor, the rule "
                  "looks for this card among the accelerators of the section.",
            .zh = "环境说明的标题中出现该厂商的卡时，检查该卡是否列在环境说明的加速卡中。"},
    .fix = {.en = "Correct the heading, and check the section below it.",
            .zh = "改正标题，并核对其下的内容。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "A100硬件环境",
                .changed = "H800硬件环境"},
};
/* clang-format on */
