#include "verifier/claims/rule.h"
#include "verifier/foreign/foreign_page.h"

static bool says_something(const struct audit *a)
{
    for (size_t i = 0; i < a->n_older; i++)
        if (older_table_says(&a->older[i]))
            return true;
    for (size_t i = 0; i < a->verdict->n_metrics; i++)
        if (a->verdict->metrics[i].stated)
            return true;
    return false;
}

/* All that is left out, in one finding; a table whose cells are empty is only worth a notice. */
static void check_substance(struct audit *a)
{
    const struct table **tables;
    const struct result *r = a->result;
    if (foreign_page_is(r, a->arena))
        return; /* its tables are those of others, and have environments of their own */
    size_t n = result_figure_tables(r, a->arena, &tables);
    const char *missing = !r->n_environments                 ? "no environment"
                          : !n && !a->n_older && !a->n_loose ? "no performance table"
                                                             : NULL;
    if (missing) {
        audit_fail(a, NULL, "the page has %s", missing);
        return;
    }
    if (!a->n_older && !a->verdict->n_metrics)
        return; /* rows without cells: FP1001 */
    bool any = says_something(a);
    struct check_result *c =
        audit_judge_at(a, any,
                       n            ? tables[0]->line
                       : a->n_older ? a->older[0].line
                                    : a->loose[0].line,
                       any ? "the page has figures"
                           : "no row of the page states a figure or withholds it with '/'");
    c->severity = any ? c->severity : SEVERITY_NOTICE;
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "no environment",
     .zh = "环境说明"},
    {.en = "no performance table",
     .zh = "性能表"},
    {.en = "the page has %s",
     .zh = "页面缺少{1:said}"},
    {.en = "the page has figures",
     .zh = "页面填有性能数字"},
    {.en = "no row of the page states a figure or withholds it with '/'",
     .zh = "页面的表格没有一行填写了数字，也没有一行用“/”表示数字不公开"},
    {NULL, NULL},
};

const struct rule rule_fp1012 = {
    .id = "FP1012",
    .kind = "page",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .also = RULE_ALSO(SEVERITY_NOTICE),
    .page = check_substance,
    .title = {.en = "Page without figures or environment", .zh = "页面没有性能数字或环境说明"},
    .statement = {.en = "A page must have an environment section and a performance table with at "
                        "least one figure.",
                  .zh = "页面必须有环境说明和性能表，且性能表中至少有一个数字。"},
    .why = {.en = "A page that states no environment and no figures would pass all other rules, "
                  "because it contains nothing that a rule could contradict.",
            .zh = "没有环境说明和数字的页面会通过其他所有规则，因为页面上没有任何内容可供检查。"},
    .how = {.en = "The page must have an environment section and a performance table. At least one "
                  "cell of the performance table must state a figure, or withhold it with '/'. If "
                  "all cells of a performance table are empty, the rule gives a notice.",
            .zh = "页面必须有环境说明和性能表。性能表中至少有一个单元格必须填写数字，或用“/”表示数"
                  "字不公开。页面有一张性能表的单元格全部为空时，只给出提示，不判错。"},
    .fix = {.en = "Add the missing environment section or performance table. Write '/' for every "
                  "figure that the vendor withholds.",
            .zh = "补上缺少的环境说明或性能表。厂商不公开的数字写“/”。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "* 性能指标\n",
                .changed = "* 性能指标\n"
                           "\n"
                           "```\n"},
};
/* clang-format on */
