#include "verifier/checks/loss/peers.h"
#include "verifier/claims/rule.h"

static const struct metrics_column *loss_column(const char *header)
{
    const struct metrics_column *m = strstr(header, "loss") ? metrics_column(header) : NULL;
    return m && strcmp(m->key, "loss") == 0 ? m : NULL;
}

/* The first loss that a table states for this stage; NaN. */
static double stated_loss(const struct audit *a, const struct table *t, const char *stage)
{
    size_t at = 0;
    while (at < t->n_columns && !loss_column(t->columns[at]))
        at++;
    for (size_t i = 0; at < t->n_columns && i < t->n_rows; i++) {
        const struct row *row = &t->rows[i];
        struct configuration c;
        if (at >= row->n_cells || !configuration_parse(row->cells[0].text, a->arena, &c) ||
            !text_same(c.stage ? c.stage : "", stage))
            continue;
        if (row->figures[at].kind == FIGURE_NUMBER && row->figures[at].value > 0)
            return row->figures[at].value;
    }
    return NAN;
}

static double peer_loss(const struct audit *a, const struct result *r, const void *stage)
{
    double loss = NAN;
    for (size_t i = 0; i < r->n_performance && isnan(loss); i++)
        if (r->performance[i].table)
            loss = stated_loss(a, r->performance[i].table, stage);
    return loss;
}

/* With one other vendor it may be the other's mistake: a notice. */
static void check_peer_loss(struct audit *a, const struct claim *c)
{
    struct peers peers = {.names = ""};
    const struct figure f = *claim_figure(c, "loss");
    const char *text = claim_cell(c, "loss");
    if (f.kind != FIGURE_NUMBER || f.value <= 0)
        return;
    peers_collect(a, peer_loss, text_or_empty(c->config.stage), &peers);
    if (!peers.n)
        return;
    struct check_result *r =
        audit_judge(a, peers_agree(&peers, f.value), c, "the loss is %s; other vendors state %s",
                    text, peers.names);
    if (peers.n == 1)
        r->severity = SEVERITY_NOTICE;
    audit_expect(r, text, peers.names);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the loss is %s; other vendors state %s",
     .zh = "填报的损失为 {1}，其他厂商对同一用例填报的损失为 {2}"},
    {NULL, NULL},
};

const struct rule rule_fp2020 = {
    .id = "FP2020",
    .kind = "curves",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .also = RULE_ALSO(SEVERITY_NOTICE),
    .needs_records = true,
    .claim = check_peer_loss,
    .title = {.en = "Loss compared with other vendors", .zh = "填报的损失与其他厂商的损失比较"},
    .statement = {.en = "The stated loss may be at most 1.5 times as large, or 1.5 times as small, "
                        "as the losses that other vendors state for the same case.",
                  .zh = "填报的损失与其他厂商对同一用例填报的损失相比，大者不得超过小者的 1.5 倍。"},
    .why = {.en = "A model that is trained on the same data for the same number of steps reaches "
                  "about the same loss on every card.",
            .zh = "同一模型用相同的数据训练相同的步数，在任何加速卡上得到的损失都相近。"},
    .how = {.en = "The rule compares the stated loss with the median of the losses in the records "
                  "of other vendors for the same case and training stage. If only one other vendor "
                  "has a record for the case, the rule gives only a notice, because either vendor "
                  "may be wrong.",
            .zh = "从其他厂商的记录中取同一用例、同一训练阶段的损失，求出中位数，再把填报的损失与这"
                  "个中位数比较。如果除本厂商外只有一家厂商填报过同一用例，就只给出提示，不判错，因"
                  "为两家厂商都可能有误。"},
    .fix = {.en = "Compare the loss curves of the two vendors with `fpreport diff`.",
            .zh = "用 `fpreport diff` 把本厂商的损失曲线与其他厂商的损失曲线比较。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| 3564 | 1.95 |",
                .changed = "| 3564 | 6.84 |"},
};
/* clang-format on */
