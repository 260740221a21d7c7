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
    .statement = {.en = "A card in a heading of the environment section must also be listed in "
                        "that section.",
                  .zh = "环境说明的标题写有加速卡时，环境说明中也必须列出该卡。"},
    .why = {.en = "A heading that names another card shows from which page the section was copied.",
            .zh = "标题写着另一种卡，可以看出该节是从哪个页面复制的。"},
    .how = {.en = "The headings of the environment section are searched for cards of the vendor. "
                  "Each card found there is compared with the accelerators that the section lists.",
            .zh = "在环境说明的标题中查找该厂商的卡，与环境说明列出的加速卡比较。"},
    .fix = {.en = "Correct the heading, and check the section below this heading.",
            .zh = "改正标题，并核对该标题下的内容。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "A100硬件环境",
                .changed = "H800硬件环境"},
};
/* clang-format on */
