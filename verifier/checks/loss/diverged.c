#include "verifier/claims/rule.h"
#include "verifier/curves/curve_spikes.h"
#include "verifier/proofs/proof.h"

/*
 * Losses of a training fall, or stay. Of the runs and curves that FP2036 was measured on, none ends
 * above 0.91 of its beginning, and none at more than 1.05 times the least median of nine reports.
 */
#define BEYOND_BEGINNING 2
#define BEYOND_LEAST 3

#define BLOCK 9        /* reports of a median */
#define REPORTS_MIN 40 /* from which on the least of such medians counts */

static double median_of(const struct curve *c, size_t from, size_t n)
{
    double values[BLOCK];
    size_t kept = 0;
    for (size_t i = from; i < from + n && i < c->n; i++)
        if (isfinite(c->loss[i]))
            values[kept++] = c->loss[i];
    return curve_median(values, kept);
}

static double least_median(const struct curve *c)
{
    double least = NAN;
    for (size_t i = 0; i + BLOCK <= c->n; i++)
        least = fmin(least, median_of(c, i, BLOCK));
    return least;
}

static void check_diverged(struct audit *a, struct proof *p)
{
    const struct curve *c = &p->curve;
    size_t few = c->n / 4 < BLOCK ? c->n / 4 + 1 : BLOCK;
    if (c->n < 3)
        return;
    double begin = median_of(c, 0, few), end = median_of(c, c->n - few, few);
    double least = c->n >= REPORTS_MIN ? least_median(c) : NAN;
    if (begin > 0 && end > BEYOND_BEGINNING * begin)
        proof_report(a, p, p->log_name, OUTCOME_FAIL,
                     sentence_say(a->arena,
                                  "the run diverged: its losses end at about %s, %s times the "
                                  "losses at the start (%s)",
                                  audit_fixed(a->arena, end, 4),
                                  audit_fixed(a->arena, end / begin, 1),
                                  audit_fixed(a->arena, begin, 4)));
    else if (least > 0 && end > BEYOND_LEAST * least)
        proof_report(a, p, p->log_name, OUTCOME_FAIL,
                     sentence_say(a->arena,
                                  "the run diverged: its losses end at about %s, %s times the "
                                  "lowest level reached before (%s)",
                                  audit_fixed(a->arena, end, 4),
                                  audit_fixed(a->arena, end / least, 1),
                                  audit_fixed(a->arena, least, 4)));
    else if (begin > 0 && isfinite(end))
        proof_report(a, p, p->log_name, OUTCOME_PASS, "the run did not diverge");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the run diverged: its losses end at about %s, %s times the losses at the start (%s)",
     .zh = "运行的损失发散：结束时的损失约为 {1}，是开始时的损失（{3}）的 {2} 倍"},
    {.en = "the run diverged: its losses end at about %s, %s times the lowest level reached "
           "before (%s)",
     .zh = "运行的损失发散：结束时的损失约为 {1}，是此前最低的损失水平（{3}）的 {2} 倍"},
    {.en = "the run did not diverge",
     .zh = "运行的损失没有发散"},
    {NULL, NULL},
};

const struct rule rule_fp2037 = {
    .id = "FP2037",
    .kind = "curves",
    .since = "2026.3",
    .severity = SEVERITY_WARNING,
    .quotes = RULE_QUOTES_LOG,
    .proof = check_diverged,
    .title = {.en = "Diverging loss", .zh = "运行的损失发散"},
    .statement = {.en = "At the end of a run, the losses may not be far above the losses at the "
                        "start, or far above the lowest losses of the run.",
                  .zh = "运行结束时的损失，不得远高于运行开始时的损失，也不得远高于运行中最低的损失"
                        "。"},
    .why = {.en = "A run whose loss diverges shows how fast the machine computes, but not that the "
                  "machine can train the model.",
            .zh = "损失发散的运行只说明机器的计算速度，不能说明模型能在机器上训练成功。"},
    .how = {.en = "The median of the last nine losses must be below 2 times the median of the first "
                  "nine losses. If the run has fewer than 36 losses, the rule compares the last "
                  "quarter of the losses with the first quarter. If the run has at least 40 losses, "
                  "the median of the last losses must also be below 3 times the lowest median of "
                  "any nine consecutive losses.",
            .zh = "运行的最后九个损失的中位数，必须低于最初九个损失的中位数的 2 倍。如果运行的损失"
                  "不足 36 个，就比较最后四分之一与最初四分之一的损失的中位数。如果运行至少有 40 个"
                  "损失，最后九个损失的中位数还必须低于运行中最低损失水平的 3 倍。最低损失水平指任"
                  "意连续九个损失的中位数的最小值。"},
    .fix = {.en = "Lower the learning rate or clip the gradient, and run the case again.",
            .zh = "降低学习率或裁剪梯度，然后重新运行用例。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "[PerfLog] {\"event\": \"TRAIN_END\"",
                .changed = "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 99, \"global_steps\": 251}}\n"
                           "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 99, \"global_steps\": 252}}\n"
                           "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 99, \"global_steps\": 253}}\n"
                           "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 99, \"global_steps\": 254}}\n"
                           "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 99, \"global_steps\": 255}}\n"
                           "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 99, \"global_steps\": 256}}\n"
                           "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 99, \"global_steps\": 257}}\n"
                           "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 99, \"global_steps\": 258}}\n"
                           "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 99, \"global_steps\": 259}}\n"
                           "[PerfLog] {\"event\": \"TRAIN_END\""},
};
/* clang-format on */
