#include "verifier/claims/mfu.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

static void find_printed(struct audit *a, const struct proof *p, int line, const char *message)
{
    proof_report(a, p, p->log_name, OUTCOME_FAIL, message)->line = line;
}

/* That of the precision in which the case is run, where both are known. */
static double most_peak(struct audit *a, const struct proof *p, const struct accelerator *card)
{
    const struct claim of_run = proof_claim(a, p);
    struct mfu_inputs in;
    const char *why;
    if (p->kase && !p->kase_assumed && mfu_find_inputs(a, &of_run, &in, &why))
        return fmax(in.peak, in.low_peak) / 1e12;
    /* The highest dense peak of the run's card; NaN. */
    double most = NAN;
    for (size_t i = 0; card && i < card->n_peaks; i++)
        most = fmax(most, card->peaks[i].tflops);
    return most;
}

static void check_printed_tflops(struct audit *a, struct proof *p)
{
    const struct log_most *tflops = &p->log.tflops, *mfu = &p->log.mfu;
    if (!p->main_log || (isnan(tflops->value) && isnan(mfu->value)))
        return;
    const struct accelerator *card = proof_accelerator(a, p);
    double peak = most_peak(a, p, card);
    bool beyond = tflops->value > peak;
    if (beyond)
        find_printed(a, p, tflops->line,
                     sentence_say(a->arena,
                                  "the log prints %s TFLOP/s per card, but the peak of %s is %s",
                                  audit_number(a->arena, tflops->value), card->name,
                                  audit_number(a->arena, peak)));
    if (mfu->value > 100)
        find_printed(a, p, mfu->line,
                     sentence_say(a->arena, "the log prints an MFU of %s %%",
                                  audit_number(a->arena, mfu->value)));
    if (!beyond && !(mfu->value > 100) && (!isnan(peak) || !isnan(mfu->value)))
        proof_report(a, p, p->log_name, OUTCOME_PASS,
                     "the TFLOP/s and MFU in the log are below the peak");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the log prints %s TFLOP/s per card, but the peak of %s is %s",
     .zh = "日志打印的速度为每卡 {1} TFLOP/s，但 {2} 的峰值只有 {3} TFLOP/s"},
    {.en = "the log prints an MFU of %s %%",
     .zh = "日志打印的 MFU 为 {1} %"},
    {.en = "the TFLOP/s and MFU in the log are below the peak",
     .zh = "日志打印的 TFLOP/s 与 MFU 低于卡的峰值"},
    {NULL, NULL},
};

const struct rule rule_fp2040 = {
    .id = "FP2040",
    .kind = "rates",
    .since = "2026.3",
    .severity = SEVERITY_WARNING,
    .needs_records = true,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_MACHINE,
    .proof = check_printed_tflops,
    .title = {.en = "TFLOP/s printed by the log", .zh = "日志打印的 TFLOP/s"},
    .statement = {.en = "The TFLOP/s that a framework prints in the log must be below the peak of "
                        "the card, and the MFU below 100 %.",
                  .zh = "框架在日志中打印的 TFLOP/s 必须低于卡的峰值，打印的 MFU 必须低于 100 %。"},
    .why = {.en = "A framework computes TFLOP/s and MFU from its step times and the model size. If "
                  "a printed value is above the peak, the step times or the model size are wrong.",
            .zh = "框架由步耗时与模型规模计算 TFLOP/s 与 MFU。框架打印的 TFLOP/s 或 MFU 超过卡的峰"
                  "值，说明步耗时或模型规模有误。"},
    .how = {.en = "The rule compares the largest TFLOP/s per card in the log with the peak of the "
                  "card for the case's precision. If the precision is unknown, the rule takes the "
                  "highest peak of the card. A printed MFU must be below 100 %.",
            .zh = "把日志中每卡 TFLOP/s 的最大值，与卡在用例精度下的峰值比较。用例精度未知时，把日"
                  "志的 TFLOP/s 与卡在各精度下最高的峰值比较。日志打印的 MFU 必须低于 100 %。"},
    .fix = {.en = "Check the model shape and the number of cards in the settings of the framework.",
            .zh = "检查框架设置中的模型结构与卡数。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "[PerfLog] {\"event\": \"TRAIN_END\"",
                .changed = "step: 251, loss: 0.9, tokens_per_second: 17789, mfu: 337.59\n"
                           "[PerfLog] {\"event\": \"TRAIN_END\""},
};
/* clang-format on */
