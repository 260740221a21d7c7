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
    proof_report(a, p, p->log_name,
                 stats.diff_correlation > ORDER_MIN ? OUTCOME_PASS : OUTCOME_FAIL,
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
     .zh = "可比较的相邻步损失差分有 {1} 个，应为 {2} 个"},
    {.en = "the correlation is %.4f between %zu differences of consecutive losses in the log and "
           "in a training on this machine (%s, in %s), expected above %g; %s",
     .zh = "与运行 fpreport 的机器训练所得的损失值（{3}，{4:said}）相比，{2} 个相邻步差分的相关系数"
           " r = {1}，应高于 {5}；{6:said}"},
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
    .title = {.en = "Order of the data", .zh = "数据顺序"},
    .statement = {.en = "The losses must rise and fall with the data in the order that the "
                        "challenge's seed gives.",
                  .zh = "损失值必须随抽查（challenge）指定的随机种子所定的数据顺序升降。"},
    .why = {.en = "Some batches are harder than others for every model. A curve of another seed, "
                  "or a made-up curve, rises and falls at other steps.",
            .zh = "有些批次对任何模型都更难；其他种子的曲线或编造的曲线，会在别的步升降。"},
    .how = {.en = "The first 200 steps of the case are trained on this machine with the "
                  "challenge's seed. From step 21 on, the differences between consecutive losses "
                  "are correlated with those of the log; the correlation must be above 0.5. "
                  "Earlier steps are left out, because all curves fall there. A smaller model "
                  "that sees the same batches also passes, so the rule proves only the data order.",
            .zh = "用抽查指定的随机种子，在运行 fpreport 的机器上训练用例的前 200 步。从第 21 步"
                  "起，日志与这次训练的相邻步损失差分的相关系数必须高于 0.5；前 20 步不参与比较，因"
                  "为所有曲线在那里都下降。使用相同批次的较小模型也能通过，因此这条规则只能证明数据"
                  "顺序。"},
    .fix = {.en = "Train the case with the challenge's seed. If the run already used that seed, "
                  "find where the data or their order differ.",
            .zh = "用抽查的种子训练用例；如果已用该种子，请查明数据或其顺序的差异。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_ANSWER,
                .file = "rank0.out.log",
                .honest = "\"loss\": 1.45231867",
                .changed = "\"loss\": 91.45231867"},
};
/* clang-format on */
