#include "verifier/checks/copies/duplicate_finding.h"
#include "verifier/claims/duplicates.h"
#include "verifier/claims/rule.h"

static const char *say_cut(struct arena *arena, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *text = sentence_say_cut(arena, fmt, ap);
    va_end(ap);
    return text;
}

void duplicate_say(struct check_result *r, struct arena *arena, const char *of, const char *figures)
{
    r->message =
        say_cut(arena, "%s has the same figures as this row, to the last digit: %s", of, figures);
    r->expected = "the figures of this run";
}

static struct check_result *say_duplicate(struct audit *a, const struct claim *c, int line,
                                          const char *of, const char *figures)
{
    struct check_result *r = audit_report(a, OUTCOME_FAIL, c, line, "%s", figures);
    duplicate_say(r, a->arena, of, figures);
    r->sentence = sentence_of(a->arena, r->message);
    return r;
}

enum severity duplicate_severity(bool same_vendor, bool same_model)
{
    return same_vendor && !same_model ? SEVERITY_ERROR : SEVERITY_WARNING;
}

static struct check_result *report_duplicate(struct audit *a, const struct claim *c, int line,
                                             const char *figures)
{
    const struct result *own = a->result;
    if (!figures || own->withdrawn || !project_vendor(a->project, own->vendor))
        return NULL;
    if (duplicates_are_postponed(a->project)) {
        /* Found when all results are known (verifier/across.h): what it is looked up by is kept. */
        struct check_result *r = say_duplicate(a, c, line, "", figures);
        r->severity = SEVERITY_WARNING; /* which changes nothing else of a verdict */
        r->expected = figures;
        return r;
    }
    const struct duplicate *t = duplicates_find(a->project, own, figures);
    if (!t)
        return NULL;
    const char *of = arena_printf(a->arena, "%s/%s#%d.%d", t->result->vendor, t->result->case_id,
                                  t->table, t->row);
    const struct model *model = project_result_model(a->project, t->result);
    struct check_result *r = say_duplicate(a, c, line, of, figures);
    r->severity =
        duplicate_severity(strcmp(t->result->vendor, own->vendor) == 0, model && model == a->model);
    return r;
}

static void check_duplicates(struct audit *a, const struct claim *c)
{
    struct check_result *r = report_duplicate(
        a, c, 0, duplicates_figures(c->columns, c->of->n_columns, c->cells, a->arena));
    if (r)
        r->stated = c->cells->cells[0].text;
}

static void older_check_duplicates(struct audit *a, const struct older_table *t,
                                   const struct older_row *row)
{
    struct check_result *r =
        report_duplicate(a, NULL, row->line, duplicates_older_figures(t, row, a->arena));
    if (r)
        r->stated = older_cell(t, row, OLDER_SECONDS);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%s has the same figures as this row, to the last digit: %s",
     .zh = "结果 {1} 的数字与本表格行的数字逐位相同：{2}"},
    {.en = "the figures of this run",
     .zh = "由本表格行的运行得到的数字"},
    {NULL, NULL},
};

const struct rule rule_fp1016 = {
    .id = "FP1016",
    .kind = "page",
    .since = "2026.2",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_WARNING),
    .needs_records = true,
    .claim = check_duplicates,
    .older = older_check_duplicates,
    .title = {.en = "Values copied from another result", .zh = "抄自其他结果的数字"},
    .statement = {.en = "No table row may have the same times and rates, to the last digit, as a "
                        "row of another vendor or another case.",
                  .zh = "任何表格行的时间和速率，都不得与其他厂商或其他用例的表格行逐位相同。"},
    .why = {.en = "Two training runs never take exactly the same time at exactly the same rates. "
                  "If two rows have equal times and rates, one row was copied from the other.",
            .zh = "两次训练运行的时间和速率不可能逐位相同。如果两个表格行的数字逐位相同，其中一行就"
                  "是从另一行复制来的。"},
    .how = {.en = "The rule looks for the times and rates of a table row in all results of the "
                  "records and of the pages that are verified together. If a row has only few "
                  "values, the rule also uses loss and memory. Two rows match if at least three of "
                  "their values, with at least ten digits in all, are equal. If the matching rows "
                  "belong to two models of one vendor, the rule reports an error. If the matching "
                  "rows belong to two vendors, the rule gives a warning for both results, because "
                  "either row may be the copy. If the matching rows belong to two cases of one "
                  "model, the rule gives a warning.",
            .zh = "这条规则把所检查的表格行，与所有结果记录以及一同核验的页面中的各行逐行比较，找出"
                  "时间和速率都相同的行。所检查的表格行数值较少时，还比较损失和显存。两个表格行若至"
                  "少有三个数值相等，且这些数值合计至少十位数字，就算相同。同一厂商的两个模型有相同"
                  "的表格行时，算错误。两家厂商的表格行相同时，对两个结果都给出警告，因为无法判断哪"
                  "一行是复制来的。同一模型的两个用例有相同的表格行时，也给出警告。"},
    .fix = {.en = "Replace the copied values by the values of the run that the row describes.",
            .zh = "把表格行中复制来的数字，换成该行所述的运行测得的数字。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| 70 | 74 | 78 |",
                .changed = "| 140.25 | 148.34 | 156.82 |"},
};
/* clang-format on */
