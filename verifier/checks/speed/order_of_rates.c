#include "verifier/claims/rule.h"

#define SHARE_FACTOR 3

/* p_whole over p_train: the share of the time that is training; NaN. */
static double training_share(const struct claim *c)
{
    const struct figure *whole = claim_figure(c, "p_whole"), *train = claim_figure(c, "p_train");
    bool both = whole->kind == FIGURE_NUMBER && train->kind == FIGURE_NUMBER && train->value > 0;
    return both ? whole->value / train->value : NAN;
}

/* The row of the table that begins at `from` which trains the greatest share of its time, the first
 * of several; NULL. */
static const struct claim *best_share(const struct audit *a, const struct claim *from)
{
    const struct claim *best = NULL;
    for (const struct claim *c = from; c < a->claims + a->n_claims && c->of == from->of; c++) {
        double share = training_share(c);
        if (!isnan(share) && (!best || share > training_share(best)))
            best = c;
    }
    return best;
}

/* A row that trains a far smaller share of its time than another has a slip in one of the two. */
static void check_share(struct audit *a, const struct claim *c, const struct claim *best)
{
    double own = training_share(c), most = best ? training_share(best) : NAN;
    if (isnan(own) || most <= SHARE_FACTOR * own)
        return;
    struct check_result *r = audit_fail(
        a, c, "p_whole is %s %% of p_train, but in row %d it is %s %%",
        audit_fixed(a->arena, own * 100, 1), best->row, audit_fixed(a->arena, most * 100, 1));
    r->stated = claim_cell(c, "p_whole");
    r->expected =
        sentence_say(a->arena, "about %s %% of p_train", audit_fixed(a->arena, most * 100, 0));
}

/* "p3>p2>p1", as general metrics table say: each rate leaves out more of the time than the one
 * before. Equal is possible: nothing was left out, or less than is printed. */
static void check_order(struct audit *a, const struct claim *c)
{
    static const char *const rates[] = {"p_whole", "p_train", "p_core"};
    const char *before = NULL, *other = NULL;
    double least = NAN;
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        const char *text = claim_cell(c, rates[i]);
        const struct figure f = *claim_figure(c, rates[i]);
        if (f.kind != FIGURE_NUMBER)
            continue;
        bool ok = !before || f.value + figure_last_place(f.decimals) >= least;
        if (before) {
            struct check_result *r =
                audit_judge(a, ok, c, "%s is %s, and %s is %s", rates[i], text, before, other);
            audit_expect(r, text, arena_printf(a->arena, ">= %s", other));
        }
        before = rates[i], other = text, least = f.value;
    }
}

static void check_rates(struct audit *a)
{
    const struct claim *best = NULL;
    for (size_t i = 0; i < a->n_claims; i++) {
        const struct claim *c = &a->claims[i];
        if (i == 0 || c->of != a->claims[i - 1].of)
            best = best_share(a, c);
        check_share(a, c, best);
        check_order(a, c);
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "p_whole is %s %% of p_train, but in row %d it is %s %%",
     .zh = "表格行的 p_whole 是 p_train 的 {1} %，而第 {2} 行的 p_whole 是 p_train 的 {3} %"},
    {.en = "about %s %% of p_train",
     .zh = "p_whole 约为 p_train 的 {1} %"},
    {.en = "%s is %s, and %s is %s",
     .zh = "表格行的 {1} 为 {2}，{3} 为 {4}"},
    {NULL, NULL},
};

const struct rule rule_fp2016 = {
    .id = "FP2016",
    .kind = "rates",
    .since = "2026.1",
    .severity = SEVERITY_WARNING,
    .page = check_rates,
    .title = {.en = "Order of the three throughputs", .zh = "p_core、p_train 与 p_whole 的大小次序"},
    .statement = {.en = "In a table row, the throughput p_core must be at least p_train, and "
                        "p_train must be at least p_whole.",
                  .zh = "表格同一行中，吞吐量 p_core 不得小于 p_train，p_train 不得小于 p_whole。"},
    .why = {.en = "The throughputs p_whole, p_train and p_core divide the same number of samples "
                  "by different times: p_whole by the time of the whole run, p_train by the "
                  "shorter training time, and p_core by the even shorter computing time.",
            .zh = "p_whole、p_train 与 p_core 这三个吞吐量，都是同样的样本数除以时间：p_whole 除以"
                  "整次运行的时间，p_train 除以较短的训练时间，p_core 除以更短的计算时间。"},
    .how = {.en = "In each table row, p_whole <= p_train <= p_core must hold, to one unit in the "
                  "last printed digit. The ratio p_whole / p_train of a row must be at least a "
                  "third of the same ratio in the other rows.",
            .zh = "表格的每一行都必须满足 p_whole <= p_train <= p_core，允许一个末位单位的误差。表"
                  "格每一行的 p_whole / p_train 之比，不得小于其他行的这一比值的三分之一。"},
    .fix = {.en = "Put the values of p_whole, p_train and p_core into the right columns; two of "
                  "them are probably swapped.",
            .zh = "表格行的 p_whole、p_train 与 p_core 多半写错了列，请把这三个值写到正确的列。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| 70 | 74 | 78 |",
                .changed = "| 78 | 74 | 70 |"},
};
/* clang-format on */
