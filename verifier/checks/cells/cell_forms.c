#include "verifier/claims/audit.h"
#include "verifier/claims/rule.h"

#include <string.h>

static bool holds_ratio(const struct metrics_column *m)
{
    return m->kind == COLUMN_MFU || m->kind == COLUMN_SCORE || m->range == RANGE_SHARE;
}

/* "2359.7 / 99999.9" in a column of one number: which of the two is claimed? */
static bool is_pair(const struct metrics_column *m, const struct figure *f, const char *text)
{
    return m->kind == COLUMN_FIGURE && f->kind == FIGURE_PAIR && strchr(text, '/');
}

static void find_form_fault(struct audit *a, const struct claim *c, size_t i, const char *message,
                            const char *expected)
{
    const char *text = c->cells->cells[i].text;
    struct check_result *r = audit_fail(a, c, "%s", message);
    audit_expect(r, text, expected);
    audit_cell(r, &c->cells->cells[i]);
    audit_contradict(a, c, c->columns[i]->key, r);
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
    const char *text = c->cells->cells[i].text;
    if (is_pair(m, f, text) && !is_swapped(c))
        find_form_fault(
            a, c, i,
            sentence_say(a->arena, "column %s holds two numbers, '%s'; only memory and scores may",
                         c->of->columns[i], text),
            "one number");
    else if (m->kind == COLUMN_FIGURE && !holds_ratio(m) && figure_has_value(f) && f->percent)
        find_form_fault(a, c, i,
                        sentence_say(a->arena,
                                     "column %s holds a percentage, '%s'; only ratios may",
                                     c->of->columns[i], text),
                        "a number without a percent sign");
}

static void check_cell_forms(struct audit *a, const struct claim *c)
{
    for (size_t i = 0; i < c->of->n_columns && i < c->cells->n_cells; i++)
        if (c->columns[i])
            check_form_of_cell(a, c, i);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "column %s holds two numbers, '%s'; only memory and scores may",
     .zh = "{1} 列写有两个数字“{2}”；只有显存与得分可以这样写"},
    {.en = "one number",
     .zh = "一个数字"},
    {.en = "column %s holds a percentage, '%s'; only ratios may",
     .zh = "{1} 列写的是百分数“{2}”；只有比率可以这样写"},
    {.en = "a number without a percent sign",
     .zh = "不带百分号的数字"},
    {NULL, NULL},
};

const struct rule rule_fp1018 = {
    .id = "FP1018",
    .kind = "page",
    .since = "2026.3",
    .severity = SEVERITY_ERROR,
    .claim = check_cell_forms,
    .title = {.en = "One number a cell", .zh = "一格一数"},
    .statement = {.en = "Only memory and scores hold two numbers, and only ratios a percent sign.",
                  .zh = "只有显存与得分可以写两个数字，只有比率可以带百分号。"},
    .why = {.en = "Of two numbers a reader takes the better one, and a check the other.",
            .zh = "两个数字之中，读者看的是较好的那个，而检查比较的是另一个。"},
    .how = {.en = "A cell of a rate, a time or a loss may not be a/b, nor end in %.",
            .zh = "速度、时间或损失的单元格不能是 a/b 的形式，也不能以 % 结尾。"},
    .fix = {.en = "State the figure of this run; another one belongs into a row of its own.",
            .zh = "写这次运行的数字；另一个数字应单独成行。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| 3564 | 1.95 |",
                .changed = "| 3564 / 99999 | 1.95 |"},
};
/* clang-format on */
