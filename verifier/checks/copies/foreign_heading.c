#include "verifier/claims/rule.h"

/* The vendor that a heading names: by accelerator, else by name. */
static const char *named_vendor(const struct audit *a, const char *heading)
{
    const struct accelerator *card = audit_card(a, heading);
    if (card)
        return card->vendor;
    const struct vendor *vendor = NULL;
    const char *folded = text_fold(a->arena, heading);
    for (size_t i = 0; i < a->project->n_vendor_names; i++)
        if (strstr(folded, a->project->vendor_names[i].text))
            vendor = a->project->vendor_names[i].of;
    return vendor ? vendor->id : NULL;
}

static bool heading_is_foreign(struct audit *a, const char *heading, int line)
{
    const char *vendor = heading ? named_vendor(a, heading) : NULL;
    if (!vendor || strcmp(vendor, a->result->vendor) == 0)
        return false;
    audit_expect(audit_fail_at(a, line, "the heading '%s' names %s, but the result belongs to %s",
                               heading, vendor, a->result->vendor),
                 heading, a->result->vendor);
    return true;
}

static void check_foreign_heading(struct audit *a)
{
    const struct result *r = a->result;
    if (!project_vendor(a->project, r->vendor)) {
        audit_cannot(a, NULL, "the records contain no vendor '%s'", r->vendor);
        return;
    }
    bool foreign = heading_is_foreign(a, r->title, r->line);
    for (size_t i = 0; i < r->n_environments; i++) {
        const struct environment *e = &r->environments[i];
        foreign |= heading_is_foreign(a, e->title, e->line);
        for (size_t k = 0; k < e->n_groups; k++)
            foreign |= heading_is_foreign(a, e->groups[k].label, e->groups[k].line);
    }
    if (!foreign)
        audit_pass(a, NULL, "no heading names another vendor");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the heading '%s' names %s, but the result belongs to %s",
     .zh = "页面标题“{1}”写的是 {2}，但页面的结果属于 {3}"},
    {.en = "the records contain no vendor '%s'",
     .zh = "fpreport 的记录中没有厂商“{1}”"},
    {.en = "no heading names another vendor",
     .zh = "页面的标题都没有写其他厂商"},
    {NULL, NULL},
};

const struct rule rule_fp1006 = {
    .id = "FP1006",
    .kind = "page",
    .since = "2026.1",
    .severity = SEVERITY_NOTICE,
    .needs_records = true,
    .page = check_foreign_heading,
    .title = {.en = "Another vendor's name in headings", .zh = "页面标题中的其他厂商"},
    .statement = {.en = "No heading of a page may name another vendor, or a card of another vendor.",
                  .zh = "页面的标题中不得出现其他厂商的名称或加速卡。"},
    .why = {.en = "A heading with another vendor's name shows that the page was adapted from that "
                  "vendor's page, so other text on the page may also come from there.",
            .zh = "标题写有其他厂商的名称，说明页面是由那家厂商的页面改写的，因此页面的其他内容也可"
                  "能来自那家厂商。"},
    .how = {.en = "The rule searches the headings of the page for the names and cards of all other "
                  "vendors in the records.",
            .zh = "在页面的标题中，查找记录中其他所有厂商的名称与加速卡。"},
    .fix = {.en = "Correct the heading, and check the whole section below it for text of the other "
                  "vendor.",
            .zh = "改正标题，并检查该标题下的整节内容是否还有其他厂商的文字。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "Nvidia GPU配置",
                .changed = "Iluvatar GPU配置"},
};
/* clang-format on */
