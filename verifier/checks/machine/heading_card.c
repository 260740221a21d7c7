#include "verifier/checks/machine/environment_cards.h"
#include "verifier/claims/cards.h"
#include "verifier/claims/rule.h"

static void check_heading(struct audit *a, const char *heading, int line)
{
    const struct accelerator *card = heading ? audit_card(a, heading) : NULL;
    if (!card || strcmp(card->vendor, a->result->vendor) != 0)
        return; /* of another vendor: FP1006 */
    enum identity identity = cards_on_page(a, card->name);
    if (identity == IDENTITY_UNKNOWN)
        return;
    struct check_result *r =
        audit_judge_at(a, identity == IDENTITY_SAME, line,
                       "the heading '%s' names %s; the environment section states '%s'", heading,
                       card->name, environment_card_names(a));
    audit_expect(r, heading, environment_card_names(a));
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
    {.en = "the heading '%s' names %s; the environment section states '%s'",
     .zh = "环境说明的标题“{1}”写的卡是 {2}；环境说明列出的卡是“{3:said}”"},
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
    .title = {.en = "Card named in a heading", .zh = "标题所写的加速卡"},
    .statement = {.en = "If a heading of the environment section names a card, the section must "
                        "also list this card.",
                  .zh = "环境说明的标题写有某种加速卡时，环境说明的内容也必须列出这种卡。"},
    .why = {.en = "If a heading names another card than the section below it, the section was "
                  "copied from the page of that card.",
            .zh = "环境说明的标题与内容写的不是同一种卡，说明这一节是从标题所写那种卡的页面复制来的"
                  "。"},
    .how = {.en = "If a heading of the environment section names a card of the vendor, the rule "
                  "checks that the section lists this card among its accelerators.",
            .zh = "环境说明的标题写有结果所属厂商的卡时，检查环境说明列出的加速卡中有没有这种卡。"},
    .fix = {.en = "Correct the heading, and check the text of the section below the heading.",
            .zh = "改正环境说明的标题，并核对标题下的内容。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "A100硬件环境",
                .changed = "H800硬件环境"},
};
/* clang-format on */
