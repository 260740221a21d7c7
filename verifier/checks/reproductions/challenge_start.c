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
        proof_report(a, p, p->log_name, OUTCOME_CANNOT, "the log contains no step 0");
        return;
    }
    double residual = fabs(zero - r->losses[0]) / fabs(r->losses[0]);
    proof_report(a, p, p->log_name, residual <= c->start ? OUTCOME_PASS : OUTCOME_FAIL,
                 sentence_say(a->arena,
                              "step 0 has the loss %.12g, and %.12g on this machine (%s, in %s): "
                              "the difference is %.2g, expected at most %g; %s",
                              zero, r->losses[0], r->device, answer_trained_in(p, r, a->arena),
                              residual, c->start, answer_rate_shown(&measured_start, a->arena)));
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the log contains no step 0",
     .zh = "日志没有第 0 步"},
    {.en = "step 0 has the loss %.12g, and %.12g on this machine (%s, in %s): the difference is "
           "%.2g, expected at most %g; %s",
     .zh = "第 0 步的损失为 {1}，本机为 {2}（{3}，{4:said}）：相差 {5}，应不超过 {6}；{7:said}"},
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
    .title = {.en = "Loss of step 0", .zh = "第 0 步的损失"},
    .statement = {.en = "The loss before the first update must be the loss of the initial "
                        "weights of the challenge's seed.",
                  .zh = "第一次更新之前的损失值，必须等于抽查（challenge）指定的随机种子所定初始"
                        "权重的损失值。"},
    .why = {.en = "Before the first update of the weights, the same weights and the same batch "
                  "give the same loss on every machine, except for rounding.",
            .zh = "第一次更新权重之前，相同的权重与批次在任何机器上的损失都相同，只有舍入差异。"},
    .how = {.en = "STEP_ZERO of the log is compared with the loss of the initial weights on the "
                  "first batch on this machine. The bound of the difference depends on the run's "
                  "precision. A vendor who computes only this loss correctly also passes this "
                  "rule.",
            .zh = "把日志的 STEP_ZERO 与运行 fpreport 的机器上初始权重在第一个批次上的损失比较，界"
                  "限取决于运行精度。只算对这一个损失的厂商也能通过这条规则。"},
    .fix = {.en = "Train the case with the challenge's seed. If the run already used that seed, "
                  "compare the initial weights.",
            .zh = "用抽查的种子训练用例；如果已用该种子，请比较初始权重。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_ANSWER,
                .file = "rank0.out.log",
                .honest = "\"loss\": 4.903428027406335",
                .changed = "\"loss\": 4.913428027406335"},
};
/* clang-format on */
