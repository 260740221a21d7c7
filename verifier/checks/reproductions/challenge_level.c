#include "verifier/checks/reproductions/answer.h"
#include "verifier/claims/rule.h"
#include "verifier/curves/align.h"

#define EARLY_STEPS 10 /* before trainings drift apart */

#define LEVEL_STEPS 200

#define LEVEL_MAX 0.05

static const struct answer_rate measured_level = {257, 3, 754, 115};

/* Of the first steps: of the few before two trainings of one case drift apart, and of all. */
static void check_challenge_level(struct audit *a, struct proof *p)
{
    const struct retraining *r = answer_trained(a, p, EARLY_STEPS);
    const struct answer_closeness *c = r ? answer_closeness_of(a, p) : NULL;
    struct alignment early, all;
    if (!c)
        return;
    const struct curve first = answer_curve(r, EARLY_STEPS, a->arena);
    const struct curve here = answer_curve(r, r->n < LEVEL_STEPS ? r->n : LEVEL_STEPS, a->arena);
    align_curves(&p->curve, &first, (struct align_rule){2, c->early}, &early);
    align_curves(&p->curve, &here, (struct align_rule){1, LEVEL_MAX}, &all);
    if (early.steps < EARLY_STEPS - 1 || all.steps < here.n) {
        proof_report(a, p, p->log_name, OUTCOME_CANNOT,
                     sentence_say(a->arena, "the log contains %zu of the first %zu steps",
                                  all.steps, here.n));
        return;
    }
    proof_report(a, p, p->log_name, outcome_of(early.aligned && all.aligned),
                 sentence_say(a->arena,
                              "the mean relative deviation of the losses is %.2g from a training "
                              "on this machine (%s, in %s) over steps 2 to %d, expected below %g, "
                              "and %.2g over all %zu steps, expected below %g; %s",
                              early.mean_rel_error, r->device, answer_trained_in(p, r, a->arena),
                              EARLY_STEPS, c->early, all.mean_rel_error, all.steps, LEVEL_MAX,
                              answer_rate_shown(&measured_level, a->arena)));
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the log contains %zu of the first %zu steps",
     .zh = "日志只含有前 {2} 步中的 {1} 步"},
    {.en = "the mean relative deviation of the losses is %.2g from a training on this machine (%s, "
           "in %s) over steps 2 to %d, expected below %g, and %.2g over all %zu steps, expected "
           "below %g; %s",
     .zh = "日志中的损失与核验机器训练所得的损失（{2}，{3:said}）相比，第 2 至 {4} 步的平均相对偏差"
           "为 {1}，应低于 {5}；全部 {7} 步的平均相对偏差为 {6}，应低于 {8}；{9:said}"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {answer_messages, NULL};

const struct rule rule_fp6004 = {
    .id = "FP6004",
    .kind = "challenge",
    .since = "2026.2",
    .severity = SEVERITY_NOTICE,
    .shows_pass = true,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_CASE,
    .proof = check_challenge_level,
    .title = {.en = "Losses of the first steps after a challenge", .zh = "应答抽查的运行最初各步的损失"},
    .statement = {.en = "The losses of the first steps must equal those of a training that uses the "
                        "challenge's seed on the verifying machine.",
                  .zh = "运行最初各步的损失，必须与核验机器用抽查（challenge）的种子训练所得的损失"
                        "一致。"},
    .why = {.en = "In the first steps of a training, the same seed gives the same losses on every "
                  "machine, except for rounding. In later steps, rounding errors make the losses of "
                  "two machines drift apart. A smaller model or other weights give other losses, "
                  "even if the data order is the same.",
            .zh = "在训练的最初若干步，用同一种子在任何机器上得到的损失都相同，只有舍入差异。训练步"
                  "数增加后，舍入误差累积，两台机器的损失逐渐偏离。如果模型更小或权重不同，即使数据"
                  "顺序相同，损失也不同。"},
    .how = {.en = "fpreport trains the first steps of the case on the verifying machine, and "
                  "computes the mean relative deviation of the log's losses from the losses of "
                  "this training. Over steps 2 to 10, the mean relative deviation must be below a "
                  "limit for the run's precision (1e-5 in fp32, 1e-3 in bf16). Over the first 200 "
                  "steps, the mean relative deviation must be below 0.05. The limit for 200 steps "
                  "exists because a vendor could train only the first ten steps correctly.",
            .zh = "fpreport 在核验机器上训练用例的最初各步，再计算日志中的损失与核验机器所得损失的"
                  "平均相对偏差。日志与核验机器的训练相比，第 2 至 10 步损失的平均相对偏差必须低于"
                  "运行精度对应的上限（fp32 为 1e-5，bf16 为 1e-3）。日志与核验机器的训练相比，前 "
                  "200 步损失的平均相对偏差必须低于 0.05。前 200 步的损失也规定偏差上限，是为了防止"
                  "厂商只正确训练前十步。"},
    .fix = {.en = "Train the case with the seed of the challenge. If the run already used the seed "
                  "of the challenge, compare its optimizer settings and precision with those of "
                  "the case.",
            .zh = "用抽查的种子训练用例。如果运行已使用抽查的种子，请把运行的优化器设置与精度，同用"
                  "例规定的优化器设置与精度比较。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_ANSWER,
                .file = "rank0.out.log",
                .honest = "\"loss\": 4.3806901",
                .changed = "\"loss\": 4.4806901"},
};
/* clang-format on */
