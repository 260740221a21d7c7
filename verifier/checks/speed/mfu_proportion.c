#include "verifier/checks/speed/stated_throughput.h"
#include "verifier/claims/mfu.h"
#include "verifier/claims/rule.h"

/* Rows of one card, model, precision and stage have one peak, whatever it is. */
static bool same_peak(const struct claim *x, const struct claim *y)
{
    bool same_stage =
        (!x->config.stage && !y->config.stage) ||
        (x->config.stage && y->config.stage && text_same(x->config.stage, y->config.stage));
    bool same_precision = (!x->precision && !y->precision) ||
                          (x->precision && y->precision && text_same(x->precision, y->precision));
    bool theory = isnan(x->hyper.theory_flops) && isnan(y->hyper.theory_flops);
    return x->of == y->of && same_stage && same_precision && theory &&
           text_same(x->config.accelerator, y->config.accelerator);
}

/* MFU and throughput of a row, both plain numbers. */
static bool read_pair(const struct claim *c, struct figure *mfu, struct figure *tps)
{
    *mfu = *claim_figure(c, "mfu");
    return mfu->kind == FIGURE_NUMBER && mfu->value > 0 && stated_throughput(c, tps);
}

/* A row whose MFU and throughput are compared with those of others. */
struct proportion {
    const struct claim *of;
    struct figure mfu, tps;
    double mfu_tolerance, tps_share; /* asked once a row, not once a pair; of tps its share */
};

/* What the MFU of `x` would be in proportion to `to`, and how far it may be off. */
static double in_proportion(const struct proportion *x, const struct proportion *to,
                            double *tolerance)
{
    double expected = to->mfu.value * x->tps.value / to->tps.value;
    *tolerance = x->mfu_tolerance + to->mfu_tolerance * x->tps.value / to->tps.value +
                 expected * (x->tps_share + to->tps_share);
    return expected;
}

static bool are_in_proportion(const struct proportion *x, const struct proportion *to)
{
    double tolerance, expected = in_proportion(x, to, &tolerance);
    return fabs(x->mfu.value - expected) <= tolerance;
}

/* Rows that share the peak of `c`, itself among them; `out` has room for all. One that FP2003
 * contradicts is no measure for others. */
static size_t peers_of(struct audit *a, const struct claim *c, const struct figure *mfu,
                       struct proportion *out)
{
    size_t n = 0;
    for (size_t i = 0; i < a->n_claims; i++) {
        struct proportion *p = &out[n];
        const struct claim *x = &a->claims[i];
        *p = (struct proportion){.of = x};
        if (!same_peak(x, c) || !read_pair(x, &p->mfu, &p->tps) || p->mfu.percent != mfu->percent)
            continue;
        p->mfu_tolerance = figure_tolerance(&p->mfu);
        p->tps_share = figure_tolerance(&p->tps) / p->tps.value;
        const struct metric *m = audit_metric(a, x, "mfu");
        n += x == c || !m || m->outcome != OUTCOME_FAIL;
    }
    return n;
}

static void report_proportion(struct audit *a, const struct proportion *row,
                              const struct proportion *to)
{
    const struct claim *c = row->of;
    double tolerance, expected = in_proportion(row, to, &tolerance);
    struct check_result *r =
        audit_judge(a, are_in_proportion(row, to), c,
                    "MFU is %s at %s token/p/s, but %s at %s token/p/s in row %d; in proportion "
                    "to that row, MFU should be %s",
                    claim_cell(c, "mfu"), audit_number(a->arena, row->tps.value),
                    claim_cell(to->of, "mfu"), audit_number(a->arena, to->tps.value), to->of->row,
                    audit_fixed(a->arena, expected, row->mfu.decimals + 1));
    audit_expect(r, claim_cell(c, "mfu"), audit_fixed(a->arena, expected, row->mfu.decimals + 1));
    r->tolerance = audit_fixed(a->arena, tolerance, row->mfu.decimals + 1);
}

/* Rows of one peak, once for all of them. */
static void check_peers(struct audit *a, const struct claim *c, struct proportion *rows, bool *done)
{
    struct figure mfu, tps;
    struct mfu_inputs in;
    const char *why;
    if (done[c - a->claims] || !read_pair(c, &mfu, &tps) || mfu_find_inputs(a, c, &in, &why))
        return;
    size_t n = peers_of(a, c, &mfu, rows);
    /* The one that most others are in proportion to, the first of several: where one row is wrong,
     * it is not the measure of the others. */
    size_t best = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        size_t agree = 0;
        for (size_t k = 0; k < n; k++)
            agree += k != i && are_in_proportion(&rows[k], &rows[i]);
        if (agree > most) {
            best = i;
            most = agree;
        }
    }
    const struct proportion *to = &rows[best];
    for (size_t i = 0; i < n; i++) {
        const struct claim *x = rows[i].of;
        if (x != to->of && !mfu_find_inputs(a, x, &in, &why))
            report_proportion(a, &rows[i], to);
        done[x - a->claims] = true;
    }
}

/* Where the peak is not known MFU is in proportion to throughput all the same. */
static void check_mfu_proportion(struct audit *a)
{
    struct proportion *rows = arena_array(a->arena, a->n_claims, sizeof *rows);
    bool *done = arena_array(a->arena, a->n_claims, sizeof *done);
    for (size_t i = 0; i < a->n_claims; i++)
        check_peers(a, &a->claims[i], rows, done);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "MFU is %s at %s token/p/s, but %s at %s token/p/s in row %d; in proportion to that row, "
           "MFU should be %s",
     .zh = "所检查的表格行 MFU 为 {1}、token/p/s 为 {2}，第 {5} 行 MFU 为 {3}、token/p/s 为 {4}；"
           "MFU 应与 token/p/s 成正比，因此所检查行的 MFU 应为 {6}"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {mfu_messages, NULL};

const struct rule rule_fp2019 = {
    .id = "FP2019",
    .kind = "rates",
    .since = "2026.2",
    .severity = SEVERITY_ERROR,
    .page = check_mfu_proportion,
    .title = {.en = "MFU in proportion to the throughput", .zh = "MFU 与吞吐量成比例"},
    .statement = {.en = "If two table rows have the same card and precision, their MFU must be "
                        "proportional to their tokens per second per card.",
                  .zh = "表格中两行的卡与精度都相同时，这两行的 MFU 必须与每卡每秒 token 数成正比。"},
    .why = {.en = "If a vendor withholds the peak of a card, fpreport cannot recompute MFU. All "
                  "rows of one card use the same peak, so twice the throughput must give twice the "
                  "MFU, even if the peak is unknown.",
            .zh = "厂商不公开卡的峰值时，fpreport 无法复算 MFU。使用同一种卡的表格行有同一个峰值，"
                  "因此吞吐量加倍时，MFU 也必须加倍。"},
    .how = {.en = "The rule takes another row with the same card, precision and training stage, "
                  "and multiplies its MFU by the ratio of the two throughputs. The product must "
                  "equal the MFU of the checked row; each value may be off by one unit in its last "
                  "printed digit. If several rows have the same card, precision and stage, the "
                  "rule takes the row whose MFU is in proportion with most of the other rows.",
            .zh = "取卡、精度与训练阶段都相同的另一表格行作为基准行，把基准行的 MFU 乘以所检查行与"
                  "基准行的吞吐量之比，乘积必须等于所检查行的 MFU。比较两行的 MFU 与吞吐量时，每个"
                  "数允许一个末位单位的误差。可作基准的表格行有多个时，对每一行统计有多少其他行与它"
                  "成比例（两行的 MFU 之比等于吞吐量之比），取成比例的行最多的那一行作为基准行。"},
    .fix = {.en = "Compute the MFU of the two compared rows again with the same peak.",
            .zh = "用同一个峰值重新计算这两个表格行的 MFU。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| 180 | 38.8%",
                .changed = "| 180 | 48.8%"},
};
/* clang-format on */
