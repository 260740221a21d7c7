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
        proof_report(
            a, p, p->log_name, OUTCOME_CANNOT,
            sentence_say(a->arena, "%zu of the first %zu steps are in the log", all.steps, here.n));
        return;
    }
    proof_report(a, p, p->log_name, early.aligned && all.aligned ? OUTCOME_PASS : OUTCOME_FAIL,
                 sentence_say(a->arena,
                              "the losses are %.2g from those trained here (%s, in %s) in the mean "
                              "of steps 2 to %d, relatively, expected below %g, and %.2g in that "
                              "of all %zu, expected below %g; %s",
                              early.mean_rel_error, r->device, answer_trained_in(p, r, a->arena),
                              EARLY_STEPS, c->early, all.mean_rel_error, all.steps, LEVEL_MAX,
                              answer_rate_shown(&measured_level, a->arena)));
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%zu of the first %zu steps are in the log",
     .zh = "前 {2} 步中有 {1} 步在日志里"},
    {.en = "the losses are %.2g from those trained here (%s, in %s) in the mean of steps 2 to %d, "
           "relatively, expected below %g, and %.2g in that of all %zu, expected below %g; %s",
     .zh = "损失与在此训练所得的损失（{2}，{3:said}）的相对差，在第 2 至 {4} 步的平均值为 {1}，应"
           "低于 {5}，在全部 {7} 步的平均值为 {6}，应低于 {8}；{9:said}"},
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
    .title = {.en = "The first steps", .zh = "最初的各步"},
    .statement = {.en = "The losses of the first steps are those that training the case with the "
                        "challenge's seed gives.",
                  .zh = "最初各步的损失，就是用挑战的种子训练该用例所得的损失。"},
    .why = {.en = "Until two trainings of one case drift apart, the same seed gives the same "
                  "losses on every machine, but for rounding. A smaller model, or other weights, "
                  "in the right order of the data do not.",
            .zh = "在同一用例的两次训练逐渐分开之前，同一种子在任何机器上给出的损失都相同，只差舍"
                  "入；数据顺序正确而模型更小或权重不同的训练则不然。"},
    .how = {.en = "The distance from the losses that were trained here, relative to them, must in "
                  "the mean of steps 2 to 10 be below a bound of the run's precision (1e-5 in "
                  "fp32, 1e-3 in bf16), and below 0.05 in that of the first 200. Who trains ten "
                  "steps rightly passes the first of them.",
            .zh = "与在此训练所得损失的相对距离，在第 2 至 10 步的平均值须低于运行精度的界限（"
                  "fp32 为 1e-5，bf16 为 1e-3），在前 200 步的平均值须低于 0.05。把前十步训练正确"
                  "的人能通过其中第一项。"},
    .fix = {.en = "Train the case with the challenge's seed; if that was done, compare the "
                  "settings of the optimizer and the precision.",
            .zh = "用挑战的种子训练用例；若已如此，请比较优化器的设置与精度。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_ANSWER,
                .file = "rank0.out.log",
                .honest = "\"loss\": 4.3806901",
                .changed = "\"loss\": 4.4806901"},
};
/* clang-format on */
