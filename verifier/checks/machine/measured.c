/*
 * What a run achieved, beside what its machine was measured to do (base/records/measured.h): the
 * same matrix products, alone, in the same minute. The rates of a fingerprint are bound to their
 * run by its manifest, and like all of it they are what the machine said of itself.
 */
#include "verifier/claims/mfu.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/rate.h"
#include "verifier/proofs/recompute.h"

/* A clock is not steady: two minutes of one card differ by less. */
#define CLOCK 0.05

/* Large products reach 70 to 95 % of a datasheet's peak; below half of it, the peak is another
 * card's, another precision's, or the card does not get its power. */
#define LOW_SHARE 0.5

/* A rank beside the others. */
#define SLOW_RANK 0.05

struct held {
    struct audit *a;
    const struct claim *c;
    const struct measure *product;
    const char *precision;
};

static struct check_result *find_measured_fault(const struct held *h, enum severity severity,
                                                const char *message)
{
    struct check_result *r = audit_fail(h->a, h->c, "%s", message);
    r->severity = severity;
    return r;
}

static const char *tera(const struct held *h, double flops)
{
    return audit_fixed(h->a->arena, flops * 1e-12, flops < 1e13 ? 4 : 1);
}

/* Does the training do more than its products could? */
static bool judge_achieved(const struct held *h, const struct mfu_inputs *in,
                           const struct rate *rate)
{
    double achieved = in->factor * in->parameters * rate->tokens_per_s_per_card;
    double most = h->product->max * 1e12;
    if (!(in->parameters > 0) || isnan(achieved) || achieved <= most * (1 + CLOCK))
        return true;
    struct check_result *r = find_measured_fault(
        h, SEVERITY_WARNING,
        sentence_say(h->a->arena,
                     "%s * %s * %s = %s TFLOP/s (factor * N * token/p/s), but a matrix product in "
                     "%s reached at most %s on the machine of the run",
                     audit_number(h->a->arena, in->factor),
                     audit_number(h->a->arena, in->parameters),
                     audit_number(h->a->arena, rate->tokens_per_s_per_card), tera(h, achieved),
                     h->precision, tera(h, most)));
    audit_expect(r, tera(h, achieved), sentence_say(h->a->arena, "at most %s", tera(h, most)));
    return false;
}

/* Is the peak that MFU is held to that of this machine? */
static bool judge_peak(const struct held *h, const struct mfu_inputs *in)
{
    double share = h->product->median * 1e12 / in->peak;
    bool beyond = h->product->median * 1e12 > in->peak * (1 + CLOCK);
    if (isnan(in->peak) || (!beyond && share >= LOW_SHARE))
        return true;
    find_measured_fault(
        h, beyond ? SEVERITY_WARNING : SEVERITY_NOTICE,
        sentence_say(h->a->arena,
                     "a matrix product in %s reached %s TFLOP/s on the machine of the run, which "
                     "is %s %% of the peak used for MFU (%s, %s): %s",
                     h->precision, tera(h, h->product->median * 1e12),
                     audit_fixed(h->a->arena, 100 * share, 1), tera(h, in->peak), in->peak_name,
                     beyond ? "the peak is too low, so MFU is too high"
                            : "the peak belongs to another card, or the card was throttled"));
    return false;
}

static bool judge_ranks(const struct held *h)
{
    const struct measure *x = h->product;
    if (isnan(x->slowest) || x->slowest >= x->median * (1 - SLOW_RANK))
        return true;
    find_measured_fault(h, SEVERITY_NOTICE,
                        sentence_say(h->a->arena,
                                     "the card of rank %d is slower than the other cards, which "
                                     "have to wait for it: %s instead of %s TFLOP/s in %s",
                                     x->slowest_rank, tera(h, x->slowest * 1e12),
                                     tera(h, x->median * 1e12), h->precision));
    return false;
}

static void judge_measured(const struct held *h, const struct claim *by, const struct rate *rate)
{
    struct mfu_inputs in;
    const char *why;
    mfu_find_inputs(h->a, by, &in, &why);
    bool achieved = judge_achieved(h, &in, rate), peak = judge_peak(h, &in);
    if (!judge_ranks(h) || !achieved || !peak)
        return;
    const char *reached = tera(h, h->product->median * 1e12);
    if (isnan(in.peak))
        audit_pass(h->a, h->c,
                   "a matrix product in %s reached %s TFLOP/s on the machine of the run",
                   h->precision, reached);
    else
        audit_pass(h->a, h->c,
                   "a matrix product in %s reached %s TFLOP/s on the machine of the run, which is "
                   "%s %% of its peak (%s)",
                   h->precision, reached,
                   audit_fixed(h->a->arena, 1e14 * h->product->median / in.peak, 1), in.peak_name);
}

static void check_measured_rates(struct audit *a, struct proof *p)
{
    const struct measured *m = &p->facts.measured;
    if (m->n == 0 || recompute_unsound(p))
        return;
    const struct claim of_run = proof_claim(a, p);
    size_t i = 0;
    for (const struct claim *c; recompute_next(a, p, &i, &c);) {
        const struct claim *by = c ? c : &of_run;
        struct held h = {.a = a, .c = c, .precision = by->precision};
        struct rate rate = {.tokens_per_s_per_card = NAN};
        h.product = by->precision ? product_of(m, by->precision, a->arena) : NULL;
        if (!h.product) {
            audit_cannot(a, c, "no matrix product was measured in the precision of the run (%s)",
                         by->precision ? by->precision : "unknown");
            continue;
        }
        rate_find(a, p, c, &rate);
        judge_measured(&h, by, &rate);
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%s * %s * %s = %s TFLOP/s (factor * N * token/p/s), but a matrix product in %s reached "
           "at most %s on the machine of the run",
     .zh = "{1} * {2} * {3} = {4} TFLOP/s（系数 * N * token/p/s），但在运行所在的机器上，实测的 "
           "{5} 矩阵乘法最高只有 {6} TFLOP/s"},
    {.en = "at most %s",
     .zh = "不超过 {1}"},
    {.en = "a matrix product in %s reached %s TFLOP/s on the machine of the run, which is %s %% of "
           "the peak used for MFU (%s, %s): %s",
     .zh = "在运行所在的机器上，实测的 {1} 矩阵乘法达到 {2} TFLOP/s，是计算 MFU 所用峰值（{4}，"
           "{5:said}）的 {3} %：{6:said}"},
    {.en = "the peak is too low, so MFU is too high",
     .zh = "计算 MFU 所用的峰值偏低，因此 MFU 偏高"},
    {.en = "the peak belongs to another card, or the card was throttled",
     .zh = "计算 MFU 所用的峰值属于另一种卡，或卡被降频"},
    {.en = "the card of rank %d is slower than the other cards, which have to wait for it: %s "
           "instead of %s TFLOP/s in %s",
     .zh = "进程序号为 {1} 的卡比其他卡慢，其他卡必须等待这张卡：这张卡的 {4} 矩阵乘法为 {2} "
           "TFLOP/s，所有卡的中位数为 {3} TFLOP/s"},
    {.en = "a matrix product in %s reached %s TFLOP/s on the machine of the run",
     .zh = "在运行所在的机器上，实测的 {1} 矩阵乘法达到 {2} TFLOP/s"},
    {.en = "a matrix product in %s reached %s TFLOP/s on the machine of the run, which is %s %% of "
           "its peak (%s)",
     .zh = "在运行所在的机器上，实测的 {1} 矩阵乘法达到 {2} TFLOP/s，是卡的峰值（{4:said}）的 {3} %"},
    {.en = "no matrix product was measured in the precision of the run (%s)",
     .zh = "没有以运行所用的精度（{1:said}）测量矩阵乘法"},
    {.en = "unknown",
     .zh = "未知"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {mfu_messages, NULL};

const struct rule rule_fp4013 = {
    .id = "FP4013",
    .kind = "environment",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .also = RULE_ALSO(SEVERITY_NOTICE),
    .needs_records = true,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_CASE | RULE_QUOTES_MACHINE,
    .proof = check_measured_rates,
    .title = {.en = "Measured speed of matrix products", .zh = "矩阵乘法的实测速度"},
    .statement = {.en = "The speed of a run, and the peak that its MFU uses, must agree with the "
                        "speed of matrix products that fpreport measured on the same machine.",
                  .zh = "运行的计算速度，以及计算 MFU 所用的峰值，都必须与 fpreport 在同一台机器上"
                        "实测的矩阵乘法速度相符。"},
    .why = {.en = "The peak on a datasheet does not show how fast a card really is, because power, "
                  "cooling and the card model limit it. No training can be faster than a large "
                  "matrix product that was measured just before the training.",
            .zh = "数据手册的峰值不代表卡的实际速度，因为功耗、散热和卡型号都会限制实际速度。任何训"
                  "练都不可能快于训练前不久实测的大矩阵乘法。"},
    .how = {.en = "If the fingerprint contains measured speeds, factor * N * token/p/s may exceed "
                  "the fastest matrix product in the run's precision by at most 5 %, because the "
                  "clock frequency varies. The median speed of the matrix products must lie between "
                  "half of the datasheet peak and the full peak. No rank may be more than 5 % "
                  "slower than the median of all ranks.",
            .zh = "机器指纹含有实测的矩阵乘法速度时，运行的计算速度（系数 * N * token/p/s）最多可比"
                  "运行精度下最快的矩阵乘法高 5 %，因为时钟频率有波动。矩阵乘法速度的中位数，必须在"
                  "数据手册峰值的 50 % 与 100 % 之间。任何一个进程的矩阵乘法速度，最多可比所有进程"
                  "的中位数慢 5 %。"},
    .fix = {.en = "Check the power limits and clock frequencies (nvidia_clock_monitor.log), the "
                  "peak in the card's record, and the number of cards that the throughput is "
                  "divided by.",
            .zh = "检查功耗上限与时钟频率（nvidia_clock_monitor.log）、加速卡记录中的峰值，以及计算"
                  "每卡吞吐量时所用的卡数。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_RUN,
                .file = "fingerprint.json",
                .honest = "\"min\": 0.6202, \"median\": 0.6367, \"max\": 0.6397",
                .changed = "\"min\": 0.0102, \"median\": 0.0137, \"max\": 0.0139"},
};
/* clang-format on */
