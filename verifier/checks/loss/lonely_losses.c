#include "verifier/claims/rule.h"
#include "verifier/curves/curve_spikes.h"
#include "verifier/proofs/proof.h"

/* Neighbours on each side, how far off a loss has to be, and how far its neighbours must not. */
#define LONELY_HALF 10

#define LONELY_SHARE 0.5

#define LONELY_MADS 12

#define CLOSE_MADS 4

#define MAD_SCALE 1.4826

/* Is the loss at i far off what lies around it, alone? The median of the window and of the
 * distances from it do not see the loss itself. */
static bool is_lonely(const struct curve *c, size_t i, double *middle)
{
    double around[2 * LONELY_HALF + 1], away[2 * LONELY_HALF + 1];
    size_t from = i > LONELY_HALF ? i - LONELY_HALF : 0, n = 0;
    for (size_t k = from; k < c->n && k <= i + LONELY_HALF; k++)
        if (k != i && isfinite(c->loss[k]))
            around[n++] = c->loss[k];
    *middle = curve_median(around, n);
    for (size_t k = 0; k < n; k++)
        away[k] = fabs(around[k] - *middle);
    double scale = MAD_SCALE * curve_median(away, n), far = fabs(c->loss[i] - *middle);
    bool off = n >= LONELY_HALF && far > LONELY_SHARE * fabs(*middle) && far > LONELY_MADS * scale;
    double close = fmax(CLOSE_MADS * scale, LONELY_SHARE / 2 * fabs(*middle));
    return off && i > 0 && i + 1 < c->n && fabs(c->loss[i - 1] - *middle) <= close &&
           fabs(c->loss[i + 1] - *middle) <= close;
}

/* Of the last report of this step; 0. */
static int line_of_step(const struct log *log, double step)
{
    int line = 0;
    for (size_t i = 0; i < log->n_points; i++)
        if (log->points[i].step == step && log->points[i].has_loss)
            line = log->points[i].line;
    return line;
}

/* A run that diverges, or falls, does so over several steps; one that jumps there and back within
 * a step had a bad batch, or a typing error. */
static void check_lonely_losses(struct audit *a, struct proof *p)
{
    size_t n = 0;
    double middle;
    if (p->curve.by_epoch)
        return;
    for (size_t i = 0; i < p->curve.n; i++) {
        if (!isfinite(p->curve.loss[i]) || !is_lonely(&p->curve, i, &middle))
            continue;
        if (n++)
            continue;
        proof_report(
            a, p, p->log_name, OUTCOME_FAIL,
            sentence_say(
                a->arena, "the loss of step %s is %s, but the steps around it have about %s",
                audit_number(a->arena, p->curve.step[i]), audit_number(a->arena, p->curve.loss[i]),
                audit_fixed(a->arena, middle, 4)))
            ->line = line_of_step(&p->log, p->curve.step[i]);
    }
    if (!n && p->curve.n)
        proof_report(a, p, p->log_name, OUTCOME_PASS,
                     "no loss differs strongly from the steps around it");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the loss of step %s is %s, but the steps around it have about %s",
     .zh = "第 {1} 步的损失为 {2}，而前后各步的损失约为 {3}"},
    {.en = "no loss differs strongly from the steps around it",
     .zh = "没有任何一步的损失与前后各步相差很大"},
    {NULL, NULL},
};

const struct rule rule_fp4011 = {
    .id = "FP4011",
    .kind = "curves",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .quotes = RULE_QUOTES_LOG,
    .proof = check_lonely_losses,
    .title = {.en = "Single loss far from its neighbours", .zh = "某一步的损失与前后各步相差很大"},
    .statement = {.en = "The loss of one step may not jump by half of its value and return to the "
                        "old level in the next step.",
                  .zh = "损失不得在某一步突然变化一半以上，又在下一步回到原来的水平。"},
    .why = {.en = "A loss curve diverges or falls over several steps. If the loss of one step is "
                  "far from all its neighbours, somebody mistyped the value, or the batch was "
                  "unusual.",
            .zh = "损失曲线的发散或下降都要经过若干步。如果某一步的损失远离前后各步的损失，那么不是"
                  "有人写错，就是这一步的批次异常。"},
    .how = {.en = "The rule compares each loss with the median of the ten steps before and after "
                  "it. A loss is reported if it differs from the median of the steps around it by "
                  "more than 50 % and by more than 12 scaled MAD (median absolute deviation), while "
                  "the neighbouring losses do not.",
            .zh = "把每一步的损失与前后各十步的损失中位数比较。某一步的损失偏离前后各步的中位数 50 "
                  "% 以上，且超过 12 倍标准化 MAD（中位数绝对偏差），而相邻各步的损失没有这样的偏差"
                  "时，检查不通过。"},
    .fix = {.en = "Check the training data of the step that the finding names. Do not change the "
                  "log of the run.",
            .zh = "检查损失异常的那一步所用的训练数据。不要改动训练日志。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "\"loss\": 1.43734407",
                .changed = "\"loss\": 9.43734407"},
};
/* clang-format on */
