#include "verifier/checks/reproductions/answer.h"
#include "verifier/claims/rule.h"

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
    proof_report(a, p, p->log_name, outcome_of(residual <= c->start),
                 sentence_say(a->arena,
                              "step 0 has the loss %.12g, and %.12g on this machine (%s, in %s): "
                              "the difference is %.2g, expected at most %g; %s",
                              zero, r->losses[0], r->device, answer_trained_in(p, r, a->arena),
                              residual, c->start, answer_rate_shown(&measured_start, a->arena)));
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the log contains no step 0",
     .zh = "日志中没有第 0 步的损失"},
    {.en = "step 0 has the loss %.12g, and %.12g on this machine (%s, in %s): the difference is "
           "%.2g, expected at most %g; %s",
     .zh = "日志中第 0 步的损失为 {1}，核验机器算得 {2}（{3}，{4:said}）：相对差为 {5}，应不超过 "
           "{6}；{7:said}"},
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
    .title = {.en = "Loss before the first update", .zh = "第一次更新权重之前的损失"},
    .statement = {.en = "The loss of step 0, before the first update of the weights, must equal the "
                        "loss of the initial weights that the challenge's seed gives.",
                  .zh = "第 0 步（第一次更新权重之前）的损失，必须等于用抽查（challenge）的种子生成"
                        "的初始权重的损失。"},
    .why = {.en = "Before the first update of the weights, the same weights and the same batch "
                  "give the same loss on every machine, except for rounding.",
            .zh = "第一次更新权重之前，相同的权重与批次在任何机器上的损失都相同，只有舍入差异。"},
    .how = {.en = "fpreport computes the loss of the initial weights for the first batch on the "
                  "verifying machine, and compares it with STEP_ZERO of the log. The allowed "
                  "difference between the two losses depends on the precision of the run. A vendor "
                  "who computes only the loss of step 0 correctly passes this rule, so two other "
                  "rules compare the later steps.",
            .zh = "fpreport 在核验机器上用初始权重计算第一个批次的损失，再与日志中 STEP_ZERO（第 0 "
                  "步）的损失比较。第 0 步的损失允许相差多少，取决于运行精度。厂商只要算对第 0 步的"
                  "损失就能通过这条规则，因此另有两条规则比较后面各步的损失。"},
    .fix = {.en = "Train the case with the seed of the challenge. If the run already used the seed "
                  "of the challenge, compare its initial weights with those of the case.",
            .zh = "用抽查的种子训练用例。如果运行已使用抽查的种子，请把运行的初始权重与用例的初始权"
                  "重比较。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_ANSWER,
                .file = "rank0.out.log",
                .honest = "\"loss\": 4.903428027406335",
                .changed = "\"loss\": 4.913428027406335"},
};
/* clang-format on */
