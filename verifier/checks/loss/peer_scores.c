#include "verifier/checks/loss/peers.h"
#include "verifier/claims/rule.h"

/* Scores of 0 to 1 are also printed as percentages. */
static double as_share(const struct metrics_column *m, const struct figure *f)
{
    bool share = m->better == DIRECTION_HIGHER && strcmp(m->key, "nuv") != 0;
    return share && (f->percent || f->value > 1) ? f->value / 100 : f->value;
}

/* The first score that a result states in this column; NaN. */
static double stated_score(const struct audit *a, const struct result *r, const void *column)
{
    const struct metrics_column *wanted = column;
    const struct table **tables;
    size_t n = result_figure_tables(r, a->arena, &tables);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < tables[i]->n_columns; k++)
            for (size_t j = 0; metrics_column(tables[i]->columns[k]) == wanted &&
                               j < tables[i]->n_rows && k < tables[i]->rows[j].n_cells;
                 j++) {
                const struct figure *f = &tables[i]->rows[j].figures[k];
                if (figure_has_value(f) && f->value > 0)
                    return as_share(wanted, f);
            }
    return NAN;
}

/* Against one or two others it is a notice: runs stop at different targets. */
static void check_score(struct audit *a, const struct claim *c, size_t column)
{
    const struct metrics_column *m = c->columns[column];
    const char *text = c->cells->cells[column].text;
    struct peers peers = {.names = ""};
    const struct figure f = c->figures[column];
    if (!figure_has_value(&f) || f.value <= 0)
        return;
    peers_collect(a, stated_score, m, &peers);
    if (!peers.n)
        return;
    bool ok = peers_agree(&peers, as_share(m, &f));
    struct check_result *r = audit_judge(a, ok, c, "%s is %s; other vendors state %s",
                                         c->of->columns[column], text, peers.names);
    if (peers.n < 3)
        r->severity = SEVERITY_NOTICE;
    audit_expect(r, text, peers.names);
}

static void check_peer_scores(struct audit *a, const struct claim *c)
{
    for (size_t i = 0; i < c->of->n_columns && i < c->cells->n_cells; i++)
        if (c->columns[i] && c->columns[i]->kind == COLUMN_SCORE)
            check_score(a, c, i);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%s is %s; other vendors state %s",
     .zh = "得分 {1} 为 {2}，其他厂商对同一用例填报的得分为 {3}"},
    {NULL, NULL},
};

const struct rule rule_fp2025 = {
    .id = "FP2025",
    .kind = "curves",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .also = RULE_ALSO(SEVERITY_NOTICE),
    .needs_records = true,
    .claim = check_peer_scores,
    .title = {.en = "Scores compared with other vendors", .zh = "填报的得分与其他厂商的得分比较"},
    .statement = {.en = "The stated score may be at most 1.5 times as large, or 1.5 times as small, "
                        "as the scores that other vendors state for the same case.",
                  .zh = "填报的得分与其他厂商对同一用例填报的得分相比，大者不得超过小者的 1.5 倍。"},
    .why = {.en = "A case sets a target score, so all runs that reach the target have similar "
                  "scores.",
            .zh = "用例规定了目标得分，因此达到目标的各次运行得分相近。"},
    .how = {.en = "The rule compares each stated score with the median of the other vendors' "
                  "scores for the same case and column. The rule treats a score of 0.84 and a "
                  "score of 84 % as equal. If only one or two other vendors have a record for the "
                  "case, the rule gives only a notice.",
            .zh = "取其他厂商对同一用例、在同一列填报的得分，求出中位数，再把填报的得分与这个中位数"
                  "比较。得分 0.84 与得分 84 % 算作相同。如果除本厂商外只有一两家厂商填报过同一用例"
                  "，就只给出提示，不判错。"},
    .fix = {.en = "Check the stated score and its decimal point. If the score is right, state in "
                  "the notes why the run stopped at another score than the target.",
            .zh = "核对得分的数字和小数点。如果得分无误，请在备注中说明运行为什么没有在达到目标得分"
                  "时停止。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "46.2/45 | 48.0%",
                .changed = "4.62/45 | 48.0%"},
};
/* clang-format on */
