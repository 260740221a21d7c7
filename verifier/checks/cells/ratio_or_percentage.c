#include "verifier/claims/rule.h"

/* 0.84 in one row and 84.1 in the next: one of them is a percentage. */
static bool is_ratio(const struct figure *f)
{
    return !f->percent && f->value > 0 && f->value <= 1;
}

static bool is_percentage(const struct figure *f)
{
    return f->percent || f->value > 1;
}

static bool is_share(const struct claim *c, size_t column)
{
    const struct metrics_column *m = c->columns[column];
    bool share = m && (m->range == RANGE_SHARE || strcmp(m->key, "mfu") == 0);
    return share && column < c->cells->n_cells;
}

/* The first row of the same table that has a value in this column, in which `c` has one. */
static const struct claim *first_with_value(const struct audit *a, const struct claim *c,
                                            size_t column)
{
    const struct claim *x = a->claims;
    while (x < c && (x->of != c->of || column >= x->cells->n_cells ||
                     !figure_has_value(&x->figures[column])))
        x++;
    return x;
}

static void check_form(struct audit *a, const struct claim *c)
{
    for (size_t i = 0; i < c->of->n_columns; i++) {
        if (!is_share(c, i) || !figure_has_value(&c->figures[i]))
            continue;
        const struct figure *f = &c->figures[i];
        const struct claim *first = first_with_value(a, c, i);
        const struct figure *other = &first->figures[i];
        if (f->kind == FIGURE_NUMBER && !f->percent && f->value > 1 && f->value < 2) {
            struct check_result *r = audit_fail(
                a, c,
                "column %s holds '%s', which is too large for a ratio and unlikely as a percentage",
                c->of->columns[i], c->cells->cells[i].text);
            audit_expect(r, c->cells->cells[i].text, "a ratio or a percentage");
            continue;
        }
        bool mixed = (is_ratio(f) && is_percentage(other)) ||
                     (is_percentage(f) && is_ratio(other)) ||
                     (f->kind == FIGURE_PAIR && !f->percent && (f->value <= 1) != (f->second <= 1));
        if (!mixed)
            continue;
        struct check_result *r = audit_fail(
            a, c,
            "column %s holds '%s', but '%s' in row %d: one is a ratio, the other a percentage",
            c->of->columns[i], c->cells->cells[i].text, first->cells->cells[i].text, first->row);
        audit_expect(r, c->cells->cells[i].text, first->cells->cells[i].text);
    }
}

/* 58.30 where the target is 0.58. */
static void older_check_form(struct audit *a, const struct older_table *t,
                             const struct older_row *row)
{
    const char *target = older_cell(t, row, OLDER_TARGET);
    const char *reached = older_cell(t, row, OLDER_REACHED);
    const struct figure x = *older_figure(t, row, OLDER_TARGET);
    const struct figure y = *older_figure(t, row, OLDER_REACHED);
    bool ratio = x.value > 0 && x.value <= 1 && !x.percent;
    if (x.kind != FIGURE_NUMBER || y.kind != FIGURE_NUMBER || y.value <= 0 ||
        strstr(older_header(t, OLDER_REACHED), "loss"))
        return;
    bool same = ratio == (y.value <= 1 && !y.percent);
    audit_expect(
        audit_judge_at(a, same, row->line,
                       "the score %s is %s and its target is %s: score and target are %s",
                       older_header(t, OLDER_REACHED), reached, target,
                       same ? "in the same form" : "in different forms, a ratio and a percentage"),
        reached, target);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "column %s holds '%s', which is too large for a ratio and unlikely as a percentage",
     .zh = "{1} 列填写的是得分“{2}”，作为比值太大，作为百分数又太小"},
    {.en = "a ratio or a percentage",
     .zh = "比值或百分数"},
    {.en = "column %s holds '%s', but '%s' in row %d: one is a ratio, the other a percentage",
     .zh = "{1} 列这一行填写的是“{2}”，第 {4} 行填写的是“{3}”：其中一个是比值，另一个是百分数"},
    {.en = "the score %s is %s and its target is %s: score and target are %s",
     .zh = "得分 {1} 为 {2}，得分的目标为 {3}：得分与目标的{4:said}"},
    {.en = "in the same form",
     .zh = "写法一致"},
    {.en = "in different forms, a ratio and a percentage",
     .zh = "写法不一致，一个是比值，一个是百分数"},
    {NULL, NULL},
};

const struct rule rule_fp2018 = {
    .id = "FP2018",
    .kind = "sums",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .claim = check_form,
    .older = older_check_form,
    .title = {.en = "Ratios and percentages in one column", .zh = "同一列的得分混用比值与百分数"},
    .statement = {.en = "All scores of one column must be ratios, or all of them must be "
                        "percentages.",
                  .zh = "同一列的得分必须全部写成比值，或全部写成百分数，不得混用。"},
    .why = {.en = "If a column contains the scores 0.465 and 46.2, a reader has to guess which of "
                  "the two is a percentage before comparing them.",
            .zh = "同一列写有得分 0.465 和 46.2 时，读者要先猜哪个是百分数，才能比较这两个得分。"},
    .how = {.en = "The rule checks that the scores of a column are either all at most 1 (ratios) or "
                  "all percentages. A score and the target beside it must also both be ratios or "
                  "both be percentages.",
            .zh = "检查同一列的得分是否全部不大于 1（比值），或全部是百分数。写在同一单元格中的得分"
                  "与目标（“得分/目标”），也必须都是比值或都是百分数。"},
    .fix = {.en = "Write all scores of the column as ratios, or write all of them as percentages.",
            .zh = "把同一列的得分全部写成比值，或全部写成百分数。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "46.5/45",
                .changed = "0.465/0.45"},
};
/* clang-format on */
