#include "verifier/claims/rule.h"

/* Nobody trains for longer. */
#define SECONDS_MAX (366.0 * 24 * 3600)

/* What base/figures/metrics.h says about the columns, in numbers. */
static const struct bounds {
    double least, most; /* of one value; NaN: no bound */
    bool above;         /* `least` itself cannot be */
} ranges[] = {
    [RANGE_POSITIVE] = {0, NAN, true},
    [RANGE_TIME] = {0, SECONDS_MAX, true},
    [RANGE_FROM_ONE] = {1, NAN, false},
    [RANGE_SHARE] = {0, 100, false},
};

static bool is_within(const struct bounds *b, double value)
{
    if (isnan(value))
        return true;
    return (b->above ? value > b->least : value >= b->least) && !(value > b->most);
}

/* Losses, rates and scores that no training has: a negative loss, an accuracy of 173 %. */
static void check_bounds(struct audit *a, const struct claim *c)
{
    for (size_t i = 0; i < c->of->n_columns && i < c->cells->n_cells; i++) {
        const struct metrics_column *m = c->columns[i];
        const struct bounds *b = m && m->range != RANGE_ANY ? &ranges[m->range] : NULL;
        const char *text = c->cells->cells[i].text;
        const struct figure f = c->figures[i];
        if (!b || !figure_has_value(&f) || (strcmp(c->columns[i]->key, "loss") == 0 && !a->model))
            continue;
        bool ok = is_within(b, f.value) && is_within(b, f.second);
        const char *range =
            isnan(b->most)
                ? sentence_say(a->arena, b->above ? "more than %g" : "at least %g", b->least)
                : sentence_say(a->arena, "between %g and %.0f", b->least, b->most);
        struct check_result *r = audit_judge(a, ok, c, "column %s holds '%s', expected %s",
                                             c->of->columns[i], text, range);
        audit_expect(r, text, range);
        if (!ok)
            audit_contradict(a, c, c->columns[i]->key, r);
    }
}

/* Nobody trains for a year; the usual cause is a time of day in place of a duration. */
static void older_check_seconds(struct audit *a, const struct older_table *t,
                                const struct older_row *row)
{
    const char *text = older_cell(t, row, OLDER_SECONDS);
    const struct figure f = *older_figure(t, row, OLDER_SECONDS);
    if (f.kind != FIGURE_NUMBER)
        return;
    bool ok = f.value > 0 && f.value <= SECONDS_MAX;
    audit_expect(
        audit_judge_at(
            a, ok, row->line,
            "column %s holds '%s', expected the duration of a training in seconds, at most a year",
            older_header(t, OLDER_SECONDS), text),
        text, "at most a year");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "more than %g",
     .zh = "大于 {1}"},
    {.en = "at least %g",
     .zh = "不小于 {1}"},
    {.en = "between %g and %.0f",
     .zh = "在 {1} 与 {2} 之间"},
    {.en = "column %s holds '%s', expected %s",
     .zh = "{1} 列填写的是“{2}”，{1} 列的值应{3:said}"},
    {.en = "column %s holds '%s', expected the duration of a training in seconds, at most a year",
     .zh = "{1} 列填写的是“{2}”，应为训练时长（秒），不超过一年"},
    {.en = "at most a year",
     .zh = "不超过一年"},
    {NULL, NULL},
};

const struct rule rule_fp2017 = {
    .id = "FP2017",
    .kind = "sums",
    .since = "2026.2",
    .severity = SEVERITY_ERROR,
    .claim = check_bounds,
    .older = older_check_seconds,
    .title = {.en = "Values outside the possible range", .zh = "表格数值超出可能的范围"},
    .statement = {.en = "Every time, rate, loss and memory size must be greater than zero, and no "
                        "score may exceed 100 %.",
                  .zh = "表格中的时间、速度、损失和显存都必须大于零，得分不得超过 100 %。"},
    .why = {.en = "A negative loss, a time of zero seconds or an accuracy of 173 % cannot be "
                  "measured: somebody mistyped the value, or a script is wrong.",
            .zh = "负的损失、零秒的耗时或 173 % 的准确率都不可能测得，一定是填写有误或脚本出错。"},
    .how = {.en = "The rule checks three limits: times, rates, losses and memory sizes must be "
                  "above 0; a perplexity must be at least 1; a score must be between 0 and 100.",
            .zh = "检查表格中的数值是否越界：时间、速度、损失和显存必须大于 0，困惑度至少为 1，得分"
                  "在 0 到 100 之间。"},
    .fix = {.en = "Look up the correct value in the training log, and correct the table cell.",
            .zh = "在训练日志中查出正确的数值，再改正表格的单元格。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| 3564 | 1.95 |",
                .changed = "| 3564 | -1.95 |"},
};
/* clang-format on */
