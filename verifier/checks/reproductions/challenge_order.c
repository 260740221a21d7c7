#include "verifier/checks/reproductions/answer.h"
#include "verifier/claims/rule.h"
#include "verifier/curves/curve_stats.h"

#define ORDER_STEPS 200 /* single ones, for the order of the data, */

#define ORDER_FROM 21 /* without those in which every curve falls alike */

#define ORDER_MIN 0.5 /* correlation */

static const struct answer_rate measured_order = {257, 0, 754, 365};

static void check_challenge_order(struct audit *a, struct proof *p)
{
    const size_t pairs = ORDER_STEPS - ORDER_FROM;
    const struct retraining *r = answer_trained(a, p, ORDER_STEPS);
    struct curve_stats stats;
    if (!r)
        return;
    const struct curve here = answer_curve(r, r->n, a->arena);
    curve_stats(&p->curve, &here, (struct align_rule){ORDER_FROM, ALIGN_LIMIT}, a->arena, &stats);
    if (stats.diff_pairs < pairs) {
        proof_report(
            a, p, p->log_name, OUTCOME_CANNOT,
            sentence_say(a->arena,
                         "%zu differences between consecutive losses can be compared, expected %zu",
                         stats.diff_pairs, pairs));
        return;
    }
    proof_report(a, p, p->log_name, outcome_of(stats.diff_correlation > ORDER_MIN),
                 sentence_say(a->arena,
                              "the correlation is %.4f between %zu differences of consecutive "
                              "losses in the log and in a training on this machine (%s, in %s), "
                              "expected above %g; %s",
                              stats.diff_correlation, stats.diff_pairs, r->device,
                              answer_trained_in(p, r, a->arena), ORDER_MIN,
                              answer_rate_shown(&measured_order, a->arena)));
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%zu differences between consecutive losses can be compared, expected %zu",
     .zh = "日志中可比较的相邻两步损失之差有 {1} 个，应为 {2} 个"},
    {.en = "the correlation is %.4f between %zu differences of consecutive losses in the log and "
           "in a training on this machine (%s, in %s), expected above %g; %s",
     .zh = "日志与核验机器的训练（{3}，{4:said}）各有 {2} 个相邻步损失之差，两组差的相关系数为 {1}"
           "，应高于 {5}；{6:said}"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {answer_messages, NULL};

const struct rule rule_fp6002 = {
    .id = "FP6002",
    .kind = "challenge",
    .since = "2026.2",
    .severity = SEVERITY_NOTICE,
    .shows_pass = true,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_CASE,
    .proof = check_challenge_order,
    .title = {.en = "Data order after a challenge", .zh = "应答抽查的运行的数据顺序"},
    .statement = {.en = "The losses in the log must rise and fall as in a training that reads its "
                        "data in the order that the challenge's seed gives.",
                  .zh = "运行的损失在哪些步上升、哪些步下降，必须与按抽查（challenge）种子所定的顺"
                        "序读取训练数据时相同。"},
    .why = {.en = "Some batches are harder than others for every model, so the loss of every model "
                  "rises and falls at the same steps. A loss curve of another seed, or an invented "
                  "curve, rises and falls at other steps.",
            .zh = "有些批次对任何模型都更难，因此数据顺序相同时，不同模型的损失在相同的步升降。如果"
                  "损失曲线出自其他种子或出于编造，损失就会在别的步升降。"},
    .how = {.en = "fpreport trains the first 200 steps of the case on the verifying machine with "
                  "the seed of the challenge. From step 21 on, the rule correlates the differences "
                  "between consecutive losses of the training on the verifying machine with those "
                  "of the log; the correlation must be above 0.5. The rule leaves out the first 20 "
                  "steps, because all loss curves fall in these steps. This rule proves only the "
                  "data order, because a smaller model that reads the same batches also passes the "
                  "rule.",
            .zh = "fpreport 用抽查的种子，在核验机器上训练用例的前 200 步。从第 21 步起，分别计算核"
                  "验机器的训练与日志中相邻两步的损失之差，两组差的相关系数必须高于 0.5。训练的前 "
                  "20 步不参与比较，因为所有损失曲线在前 20 步都下降。这条规则只能证明数据顺序，因"
                  "为较小的模型读取相同的批次也能通过这条规则。"},
    .fix = {.en = "Train the case with the seed of the challenge. If the run already used the seed "
                  "of the challenge, find out where its training data or their order differ from "
                  "the case.",
            .zh = "用抽查的种子训练用例。如果运行已使用抽查的种子，请查明运行的训练数据或数据顺序与"
                  "用例有何不同。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_ANSWER,
                .file = "rank0.out.log",
                .honest = "\"loss\": 1.45231867",
                .changed = "\"loss\": 91.45231867"},
};
/* clang-format on */
