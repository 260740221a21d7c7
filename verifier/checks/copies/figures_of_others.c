#include "verifier/checks/copies/duplicate_finding.h"
#include "verifier/claims/audit.h"
#include "verifier/claims/duplicates.h"
#include "verifier/claims/rule.h"

#include <stdarg.h>
#include <string.h>

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
    r->message = say_cut(arena, "%s has the same figures, to the last digit: %s", of, figures);
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

/* Found when all results are known (verifier/across.h): what it is looked up by is kept. */
static struct check_result *postpone_duplicate(struct audit *a, const struct claim *c, int line,
                                               const char *figures)
{
    struct check_result *r = say_duplicate(a, c, line, "", figures);
    r->severity = SEVERITY_WARNING; /* which changes nothing else of a verdict */
    r->expected = figures;
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
    if (duplicates_are_postponed(a->project))
        return postpone_duplicate(a, c, line, figures);
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
    {.en = "%s has the same figures, to the last digit: %s",
     .zh = "{1} 的数字与本行逐位相同：{2}"},
    {.en = "the figures of this run",
     .zh = "这次运行自己的数字"},
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
    .title = {.en = "Figures copied from another result", .zh = "照搬其他结果的数字"},
    .statement = {.en = "No row may have the same times and rates, to the last digit, as a row "
                        "of another vendor or case.",
                  .zh = "任何一行的时间和速度都不得与其他厂商或其他用例的行逐位相同。"},
    .why = {.en = "Two training runs do not take exactly the same time at exactly the same rates; "
                  "one row was copied from the other.",
            .zh = "两次训练的耗时和速度不可能逐位相同；其中一行是从另一行复制来的。"},
    .how = {.en = "The times and rates of a row (also loss and memory, if the row has few figures) "
                  "are looked up among all results of the records and of the pages that are "
                  "verified together. A match has at least three equal figures with at least ten "
                  "digits in all. A match between two models of one vendor is an error. A match "
                  "between two vendors is a warning, because either row may be the copy. A match "
                  "between two cases of one model is a warning, too.",
            .zh = "在记录中的所有结果以及一同核验的页面中，查找与该行时间和速度（数值少时还有损失和"
                  "显存）逐位相同的行：至少三个数值、合计至少十位数字全部相等，才算相同。同一厂商的"
                  "两个模型出现相同的行，算错误；两家厂商之间（无法确定哪一行是复制的）或同一模型的"
                  "两个用例之间出现相同的行，算警告。"},
    .fix = {.en = "Replace the copied figures by those of the result's own run.",
            .zh = "把照搬的数字换成该结果自己的运行所得的数字。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| 70 | 74 | 78 |",
                .changed = "| 140.25 | 148.34 | 156.82 |"},
};
/* clang-format on */
