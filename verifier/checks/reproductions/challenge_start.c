#include "verifier/checks/reproductions/answer.h"
#include "verifier/claims/rule.h"

#include <math.h>

static const struct answer_rate measured_start = {257, 0, 754, 522};

static void check_challenge_start(struct audit *a, struct proof *p)
{
    const struct retraining *r = answer_trained(a, p, 1);
    const struct answer_closeness *c = r ? answer_closeness_of(a, p) : NULL;
    double zero = p->log.step_zero;
    if (!c)
        return;
    if (!p->log_name || isnan(zero)) {
        proof_report(a, p, p->log_name, OUTCOME_CANNOT, "the log has no step 0");
        return;
    }
    double residual = fabs(zero - r->losses[0]) / fabs(r->losses[0]);
    proof_report(a, p, p->log_name, residual <= c->start ? OUTCOME_PASS : OUTCOME_FAIL,
                 sentence_say(a->arena,
                              "step 0 has the loss %.12g, %.12g here (%s, in %s): %.2g apart, "
                              "expected at most %g; %s",
                              zero, r->losses[0], r->device, answer_trained_in(p, r, a->arena),
                              residual, c->start, answer_rate_shown(&measured_start, a->arena)));
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the log has no step 0",
     .zh = "日志没有第 0 步"},
    {.en = "step 0 has the loss %.12g, %.12g here (%s, in %s): %.2g apart, expected at most %g; %s",
     .zh = "第 0 步的损失为 {1}，在此为 {2}（{3}，{4:said}）：相差 {5}，应不超过 {6}；{7:said}"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {answer_messages, NULL};

const struct rule rule_fp6003 = {
    .id = "FP6003",
    .kind = "challenge",
    .since = "2026.2",
    .severity = SEVERITY_NOTICE,
    .shows_pass = true,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_CASE,
    .proof = check_challenge_start,
    .title = {.en = "Step 0", .zh = "第 0 步"},
    .statement = {.en = "The loss before any update is that of the initial weights of the "
                        "challenge's seed.",
                  .zh = "任何更新之前的损失，就是挑战种子所定初始权重的损失。"},
    .why = {.en = "Before the first update nothing has had time to drift: the same weights and "
                  "the same batch give the same loss, but for the rounding of the precision.",
            .zh = "第一次更新之前还没有任何漂移：相同的权重与相同的批次给出相同的损失，只差该精度"
                  "的舍入。"},
    .how = {.en = "STEP_ZERO of the log is compared with the loss of the initial weights on the "
                  "first batch here. The bound is the one of the run's precision. Who computes "
                  "that one loss rightly passes.",
            .zh = "将日志的 STEP_ZERO 与此处初始权重在第一个批次上的损失相比较，界限取决于运行的"
                  "精度。只把这一个损失算对的人也能通过。"},
    .fix = {.en = "Train the case with the challenge's seed; if that was done, compare the "
                  "initial weights.",
            .zh = "用挑战的种子训练用例；若已如此，请比较初始权重。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_ANSWER,
                .file = "rank0.out.log",
                .honest = "\"loss\": 4.903428027406335",
                .changed = "\"loss\": 4.913428027406335"},
};
/* clang-format on */
