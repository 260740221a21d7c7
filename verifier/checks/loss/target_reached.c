#include "verifier/claims/rule.h"
#include "verifier/proofs/recompute.h"

static void check_reached(struct audit *a, struct proof *p)
{
    static const char *const names[] = {"converged", "converged_success", "MMLU achieved"};
    const struct run_log *from, *ignored;
    const struct log_value *v = NULL;
    if (recompute_unsound(p))
        return;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !v; i++)
        v = proof_value(p, names[i], &from);
    if (!v) {
        recompute_cannot_all(a, p, "target_reached", "no log states whether a target was reached");
        return;
    }
    bool reached = v->value != 0;
    const struct log_value *score = proof_value(p, "eval score", &ignored);
    const struct log_value *target = proof_value(p, "target score", &ignored);
    const char *derivation =
        sentence_say(a->arena, "%s is %s, line %d", v->key, reached ? "True" : "False", v->line);
    if (score && target)
        derivation = sentence_say(a->arena, "%s; the score is %s, its target %s", derivation,
                                  audit_number(a->arena, score->value),
                                  audit_number(a->arena, target->value));
    struct check_result *r = audit_judge_at(a, reached, v->line,
                                            reached ? "the run reached its target (%s)"
                                                    : "the run ended before it reached its target "
                                                      "(%s is False)",
                                            v->key);
    r->file = from->log.file;
    const struct recomputed x = {.key = "target_reached",
                                 .value = reached,
                                 .flag = true,
                                 .derivation = derivation,
                                 .file = from->log.file,
                                 .line = v->line};
    recompute_put_all(a, p, &x);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "no log states whether a target was reached",
     .zh = "没有任何日志写明运行是否达到目标得分"},
    {.en = "%s is %s, line %d",
     .zh = "日志第 {3} 行写明 {1} 为 {2}"},
    {.en = "%s; the score is %s, its target %s",
     .zh = "{1:said}；运行的得分为 {2}，目标得分为 {3}"},
    {.en = "the run reached its target (%s)",
     .zh = "运行达到了目标得分（日志中的 {1} 为 True）"},
    {.en = "the run ended before it reached its target (%s is False)",
     .zh = "运行结束时没有达到目标得分（日志中的 {1} 为 False）"},
    {NULL, NULL},
};

const struct rule rule_fp2033 = {
    .id = "FP2033",
    .kind = "curves",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .quotes = RULE_QUOTES_LOG,
    .proof = check_reached,
    .title = {.en = "Target reached by the run", .zh = "运行是否达到目标得分"},
    .statement = {.en = "If the log of a run states whether the run reached its target score, the "
                        "log must state that the run reached it.",
                  .zh = "如果日志写明了运行是否达到目标得分，写的必须是“已达到”。"},
    .why = {.en = "If a training did not reach its target score, its time and throughput are not "
                  "results of the case.",
            .zh = "如果训练没有达到目标得分，训练的时间和吞吐量就不能作为用例的结果。"},
    .how = {.en = "The rule reads the field `converged` of the FINISHED event, or the log line that "
                  "states whether MMLU reached its target.",
            .zh = "读取日志中 FINISHED 事件的 `converged` 字段，或写明 MMLU 得分是否达到目标的日志"
                  "行。"},
    .fix = {.en = "Continue the training until the run reaches its target score, or state on the "
                  "page that the run did not reach it.",
            .zh = "继续训练，直到运行达到目标得分。如果不再训练，请在页面上写明运行没有达到目标得分"
                  "。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "\"converged\": true",
                .changed = "\"converged\": false"},
};
/* clang-format on */
