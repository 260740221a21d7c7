#include "verifier/claims/rule.h"
#include "verifier/claims/worded.h"

/* One run has one number: a row with evidence is held to more than a page by itself, whose ranges
 * and tolerances may be those of several runs. */
static bool has_own_run(const struct audit *a, const struct claim *c)
{
    for (size_t i = 0; i < a->result->n_evidence; i++) {
        const struct evidence *e = &a->result->evidence[i];
        if (!e->table || (e->table == c->table && (!e->row || e->row == c->row)))
            return true;
    }
    return false;
}

/* "2359.7 / 99999.9" in a column of one number: which of the two is claimed? */
static bool is_pair(const struct metrics_column *m, const struct figure *f, const char *text,
                    bool own)
{
    return (m->kind == COLUMN_FIGURE || own) && f->kind == FIGURE_PAIR &&
           (strchr(text, '/') || own);
}

/* "5000~9999", and "3564±500", which is more than figure_tolerance() counts. A row of two
 * precisions has an MFU of each ("bf16+fp8"). */
static bool is_spread(const struct metrics_column *m, const struct claim *c, const struct figure *f,
                      bool own)
{
    if (f->kind == FIGURE_RANGE)
        return m->kind != COLUMN_MFU || !c->precision || !strchr(c->precision, '+');
    return f->tolerance > 0 && (own || f->tolerance > figure_tolerance(f));
}

/* "3564 (9999 peak)", "3564<br>9999", "3564<sup>9999</sup>": the second number. A footnote's mark
 * is shorter. */
static const char *second_number(const struct audit *a, const struct figure *f, const char *text)
{
    static const char *const marks[] = {"<sup>", "<sub>"};
    struct worded x;
    if (worded_second(worded_plain(a->arena, f->remark), a->arena, &x))
        return x.text;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *at = strstr(text, marks[i]);
        double value;
        int decimals;
        size_t n = at ? figure_scan_number(at + strlen(marks[i]), &value, &decimals) : 0;
        if (n > 2)
            return arena_strndup(a->arena, at + strlen(marks[i]), n);
    }
    return NULL;
}

/* "10153.3 M", "10153.3 tokens/ms" in a column of tokens a second. */
static bool is_of_other_unit(const struct metrics_column *m, const struct figure *f,
                             struct arena *arena)
{
    const char *unit = worded_plain(arena, f->unit);
    bool rate = strstr(m->unit, "/s") || text_same(m->unit, "token/p/s");
    if (!rate || !*unit)
        return false;
    bool tokens = text_starts(m->unit, "token");
    return !worded_rate_of_second(unit) || tokens != text_starts(unit, "tok");
}

static struct check_result *find_form_fault(struct audit *a, const struct claim *c, size_t i,
                                            const char *message, const char *expected)
{
    const char *text = c->cells->cells[i].text;
    struct check_result *r = audit_fail(a, c, "%s", message);
    audit_expect(r, text, expected);
    audit_cell(r, &c->cells->cells[i]);
    audit_contradict(a, c, c->columns[i]->key, r);
    return r;
}

/* A pair that belongs into the column of memory, which has none: FP1003 says so. */
static bool is_swapped(const struct claim *c)
{
    return claim_cell(c, "memory") && claim_figure(c, "memory")->kind != FIGURE_PAIR;
}

static void check_form_of_cell(struct audit *a, const struct claim *c, size_t i)
{
    const struct metrics_column *m = c->columns[i];
    const struct figure *f = &c->figures[i];
    const char *text = c->cells->cells[i].text, *column = c->of->columns[i];
    bool own = has_own_run(a, c), one = m->kind == COLUMN_FIGURE || m->kind == COLUMN_MFU;
    const char *second = figure_has_value(f) ? second_number(a, f, text) : NULL;
    struct check_result *r = NULL;
    if (one && ((is_pair(m, f, text, own) && !is_swapped(c)) || is_spread(m, c, f, own)))
        r = find_form_fault(a, c, i,
                            sentence_say(a->arena,
                                         "column %s holds two numbers, '%s'; only memory and score "
                                         "columns may hold two numbers",
                                         column, text),
                            "one number");
    else if (second)
        r = find_form_fault(
            a, c, i,
            sentence_say(a->arena,
                         "column %s holds a second number, %s, beside its figure, in '%s'", column,
                         second, text),
            "one number");
    else if (figure_has_value(f) && is_of_other_unit(m, f, a->arena))
        r = find_form_fault(
            a, c, i,
            sentence_say(a->arena, "column %s holds a figure in another unit, '%s'", column, text),
            m->unit);
    else if (m->kind == COLUMN_FIGURE && m->range != RANGE_SHARE && figure_has_value(f) &&
             f->percent)
        find_form_fault(
            a, c, i,
            sentence_say(a->arena,
                         "column %s holds a percentage, '%s'; only ratios may be percentages",
                         column, text),
            "a number without a percent sign");
    if (r && !own && f->kind != FIGURE_PAIR)
        r->severity = SEVERITY_WARNING;
}

static void check_cell_forms(struct audit *a, const struct claim *c)
{
    for (size_t i = 0; i < c->of->n_columns && i < c->cells->n_cells; i++)
        if (c->columns[i] && metrics_is_numeric(c->columns[i]->kind))
            check_form_of_cell(a, c, i);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "column %s holds two numbers, '%s'; only memory and score columns may hold two numbers",
     .zh = "{1} 列的单元格写了两个数字“{2}”；只有显存列和得分列可以写两个数字"},
    {.en = "column %s holds a second number, %s, beside its figure, in '%s'",
     .zh = "{1} 列的单元格“{3}”中，除该列的数字外还写有另一个数字 {2}"},
    {.en = "column %s holds a figure in another unit, '%s'",
     .zh = "{1} 列的“{2}”所用的单位与该列的单位不同"},
    {.en = "one number",
     .zh = "一个数字"},
    {.en = "column %s holds a percentage, '%s'; only ratios may be percentages",
     .zh = "{1} 列填写的是百分数“{2}”；只有比率可以写成百分数"},
    {.en = "a number without a percent sign",
     .zh = "不带百分号的数字"},
    {NULL, NULL},
};

const struct rule rule_fp1018 = {
    .id = "FP1018",
    .kind = "page",
    .since = "2026.3",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_WARNING),
    .claim = check_cell_forms,
    .title = {.en = "One number per cell", .zh = "每个单元格只写一个数字"},
    .statement = {.en = "Only cells for memory and cells for scores may contain two numbers, and "
                        "only ratios may have a percent sign.",
                  .zh = "表格中只有显存和得分的单元格可以写两个数字，只有 MFU 和得分可以带百分号。"},
    .why = {.en = "If a cell contains two numbers, a reader uses the better number, but an "
                  "automatic check may compare the other number.",
            .zh = "一个单元格写有两个数字时，读者会取较好的一个，自动检查用的却可能是另一个。"},
    .how = {.en = "A cell for a rate, a time, a loss or an MFU must not contain a pair of numbers "
                  "(a/b), a range, a second number in a remark, or a unit that differs from the "
                  "unit of the column. Only the number in an MFU cell may end in %. If the table "
                  "row has no evidence (no submitted logs), a range, a tolerance above 5 % or a "
                  "second number is only a warning. If the table row has evidence, every stated "
                  "tolerance is an error.",
            .zh = "速度、时间、损失和 MFU 的单元格不能写两个数字（a/b）或区间，数字后的附注不能再写"
                  "一个数字，单位也必须是所在列的单位。速度、时间、损失和 MFU 的单元格中，只有 MFU "
                  "的数字可以带 %。如果表格行没有证据（没有提交日志），单元格写有区间、超过 5 % 的"
                  "误差范围或第二个数字时，只给出警告。如果表格行有证据（提交了日志），单元格只要写"
                  "有误差范围就算错误。"},
    .fix = {.en = "Write only one number into the cell: the number that the run of this table row "
                  "measured. If there are several runs, add a separate table row for each run.",
            .zh = "每个单元格只填写该表格行的训练测得的一个数字。其他训练运行的数字，各在表格中另起"
                  "一行填写。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| 3564 | 1.95 |",
                .changed = "| 3564 / 99999 | 1.95 |"},
};
/* clang-format on */
