#include "verifier/claims/mfu.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

#include <math.h>

static void find_printed(struct audit *a, const struct proof *p, int line, const char *message)
{
    proof_report(a, p, p->log_name, OUTCOME_FAIL, message)->line = line;
}

/* The highest dense peak of the run's card; NaN. */
static double most_peak_of_card(const struct accelerator *card)
{
    double most = NAN;
    for (size_t i = 0; card && i < card->n_peaks; i++)
        most = fmax(most, card->peaks[i].tflops);
    return most;
}

/* That of the precision in which the case is run, where both are known. */
static double most_peak(struct audit *a, const struct proof *p, const struct accelerator *card)
{
    const struct claim of_run = proof_claim(a, p);
    struct mfu_inputs in;
    const char *why;
    if (p->kase && !p->kase_assumed && mfu_find_inputs(a, &of_run, &in, &why))
        return fmax(in.peak, in.low_peak) / 1e12;
    return most_peak_of_card(card);
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
                                  "the log prints %s TFLOP/s a card, the peak of %s is %s",
                                  audit_number(a->arena, tflops->value), card->name,
                                  audit_number(a->arena, peak)));
    if (mfu->value > 100)
        find_printed(a, p, mfu->line,
                     sentence_say(a->arena, "the log prints an MFU of %s %%",
                                  audit_number(a->arena, mfu->value)));
    if (!beyond && !(mfu->value > 100) && (!isnan(peak) || !isnan(mfu->value)))
        proof_report(a, p, p->log_name, OUTCOME_PASS,
                     "what the log prints of its operations stays below the peak");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the log prints %s TFLOP/s a card, the peak of %s is %s",
     .zh = "日志印出每卡 {1} TFLOP/s，而 {2} 的峰值为 {3}"},
    {.en = "the log prints an MFU of %s %%",
     .zh = "日志印出的 MFU 为 {1} %"},
    {.en = "what the log prints of its operations stays below the peak",
     .zh = "日志印出的运算速度低于峰值"},
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
    .title = {.en = "Operations that the log prints", .zh = "日志印出的运算速度"},
    .statement = {.en = "What a framework prints as its TFLOP/s or MFU is possible.",
                  .zh = "框架印出的 TFLOP/s 或 MFU 是可能的。"},
    .why = {.en = "A framework computes them from its own times and sizes: beyond the peak, one of "
                  "these is wrong.",
            .zh = "框架由自己的时间与规模算出它们：超过峰值，说明其中有一项是错的。"},
    .how = {.en = "The largest TFLOP/s of a card that the log prints is compared with the peak "
                  "of the card's record for the precision of the case (where it is not known, the "
                  "highest), and a printed MFU with 100 %.",
            .zh = "把日志印出的单卡最大 TFLOP/s 与该卡记录中用例精度的峰值（精度未知则为最高峰值）比较，把印出的 MFU 与 100 % 比"
                  "较。"},
    .fix = {.en = "Look at the shape of the model and the number of cards that the framework was "
                  "told.",
            .zh = "看看告诉框架的模型结构与卡数。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "[PerfLog] {\"event\": \"TRAIN_END\"",
                .changed = "step: 251, loss: 0.9, tokens_per_second: 17789, mfu: 337.59\n"
                           "[PerfLog] {\"event\": \"TRAIN_END\""},
};
/* clang-format on */
