#include "verifier/checks/speed/stated_throughput.h"
#include "verifier/claims/mfu.h"
#include "verifier/claims/rule.h"

/* Where no MFU is printed the throughput implies one: beyond all peaks of the card it cannot be,
 * beyond that of the row's precision it is odd. */
static void check_implied(struct audit *a, const struct claim *c)
{
    struct figure tps;
    struct mfu_inputs in;
    const char *why;
    if (!stated_throughput(c, &tps) || !mfu_find_inputs(a, c, &in, &why))
        return;
    double ratio = mfu_ratio(&in, tps.value), least = ratio;
    if (!isnan(in.low_peak))
        ratio = least = ratio * in.peak / in.low_peak;
    if (ratio <= 1)
        return;
    for (size_t i = 0; in.card && i < in.card->n_peaks; i++)
        least =
            fmin(least, mfu_ratio(&in, tps.value) * in.peak / (in.card->peaks[i].tflops * 1e12));
    audit_expect(audit_fail(a, c, "the throughput exceeds what the card can reach: MFU would be %s",
                            mfu_derivation(a, &in, tps.value)),
                 claim_cell(c, "token_per_s_per_card"), "an MFU of at most 100 %")
        ->severity = least > 1 ? SEVERITY_ERROR : SEVERITY_WARNING;
}

static void check_mfu_limit(struct audit *a, const struct claim *c)
{
    const struct figure f = *claim_figure(c, "mfu");
    if (!figure_has_value(&f)) {
        check_implied(a, c);
        return;
    }
    double most = f.kind == FIGURE_RANGE && f.second > f.value ? f.second : f.value;
    /* Without a sign it may be a ratio or a percentage; only beyond 100 is it neither. */
    bool ok = most > 0 && most <= 100;
    struct check_result *r = audit_judge(a, ok, c, "MFU '%s' is %s 0 %% and 100 %%",
                                         claim_cell(c, "mfu"), ok ? "between" : "not between");
    audit_expect(r, claim_cell(c, "mfu"), "between 0 % and 100 %");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the throughput exceeds what the card can reach: MFU would be %s",
     .zh = "填报的吞吐量超出卡的能力：按这个吞吐量，MFU 将达到 {1:said}"},
    {.en = "an MFU of at most 100 %",
     .zh = "MFU 不超过 100 %"},
    {.en = "MFU '%s' is %s 0 %% and 100 %%",
     .zh = "填报的 MFU“{1}”{2:said} 0 % 与 100 % 之间"},
    {.en = "between",
     .zh = "在"},
    {.en = "not between",
     .zh = "不在"},
    {.en = "between 0 % and 100 %",
     .zh = "在 0 % 与 100 % 之间"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {mfu_messages, NULL};

const struct rule rule_fp2011 = {
    .id = "FP2011",
    .kind = "rates",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_WARNING),
    .claim = check_mfu_limit,
    .title = {.en = "MFU above 0 % and at most 100 %", .zh = "MFU 的取值范围"},
    .statement = {.en = "MFU must be above 0 % and at most 100 %. If a table row states only a "
                        "throughput, the MFU that follows from it must also be above 0 % and at "
                        "most 100 %.",
                  .zh = "MFU 必须大于 0 % 且不超过 100 %。表格行只填写吞吐量时，由吞吐量推算的 MFU "
                        "也必须大于 0 % 且不超过 100 %。"},
    .why = {.en = "No card computes faster than its peak. An MFU above 100 % means that a value or "
                  "a unit is wrong; an MFU of 0 % means that nothing was measured.",
            .zh = "任何卡的计算速度都不会超过自身的峰值。MFU 大于 100 %，说明数字或单位有误。MFU 等"
                  "于 0 %，说明没有测量。"},
    .how = {.en = "The rule checks that the printed MFU is above 0 % and at most 100 %. The rule "
                  "reads an MFU without a percent sign as a ratio or as a percentage, whichever is "
                  "possible.",
            .zh = "检查填报的 MFU 是否大于 0 % 且不超过 100 %。没有百分号的 MFU 按比值或百分数理解"
                  "，哪一种可能就取哪一种。"},
    .fix = {.en = "Check whether the MFU uses the peak of another precision, and whether it is too "
                  "large or too small by a factor of 100.",
            .zh = "检查 MFU 是否用了另一精度的峰值，以及 MFU 是否偏大或偏小了 100 倍。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "48.0%",
                .changed = "148.0%"},
};
/* clang-format on */
