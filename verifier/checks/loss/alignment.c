#include "verifier/checks/loss/step_line.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/recompute.h"

#include <math.h>

static void note_aligned(struct audit *a, const struct claim *c, const struct alignment *x)
{
    struct metric *m = audit_metric(a, c, "aligned");
    if (!m)
        return;
    const struct figure f = *m->says;
    struct figure found = figure_fixed(x->aligned, 0);
    found.kind = FIGURE_FLAG;
    m->found = figure_kept(found, a->arena);
    m->source = "evidence";
    m->rule = a->rule->id;
    m->derivation =
        sentence_say(a->arena,
                     "mean of |loss - reference| / |reference| over %zu steps from %d on "
                     "is %s, the limit %s",
                     x->steps, x->from_step, audit_number(a->arena, x->mean_rel_error),
                     audit_number(a->arena, x->limit));
    if (f.kind != FIGURE_FLAG)
        return;
    m->outcome = (f.value == 1) == x->aligned ? OUTCOME_PASS : OUTCOME_FAIL;
    m->reason = NULL;
}

static void check_alignment(struct audit *a, struct proof *p)
{
    const struct alignment *x = p->alignment;
    size_t i = 0;
    if (!p->opened)
        return;
    const char *unseen = proof_unseen(a, p);
    if (recompute_unsound(p) || !x || unseen) {
        const char *why = recompute_unsound(p) ? recompute_unsound(p)
                          : unseen             ? unseen
                          : !a->kase && !p->kase
                              ? "which case this is is not known, and with it the reference"
                          : !p->reference_path ? "the case names no reference"
                          : p->reference_fault ? p->reference_fault
                                               : "the log has no loss";
        recompute_cannot_all(a, p, "aligned", why);
        audit_cannot(a, NULL, "the loss is not compared: %s", why);
        return;
    }
    const struct json *challenge = json_get(p->run, "challenge"); /* with a seed of its own */
    bool answer = !x->aligned && challenge && challenge->kind == JSON_OBJECT;
    const char *words =
        answer
            ? "loss against %s from step %d on, %zu steps: mean deviation %s %%, maximum %s %% at "
              "step %.0f (limit of the mean %s %%); run.json says that it answers a challenge, "
              "which "
              "has a seed of its own: `fpreport verify --challenge FILE` compares it with that "
              "seed's run"
            : "loss against %s from step %d on, %zu steps: mean deviation %s %%, maximum %s %% at "
              "step %.0f (limit of the mean %s %%)";
    struct check_result *r =
        audit_report(a, x->aligned ? OUTCOME_PASS : OUTCOME_FAIL, NULL, 0, words, x->reference,
                     x->from_step, x->steps, audit_fixed(a->arena, 100 * x->mean_rel_error, 4),
                     audit_fixed(a->arena, 100 * x->max_rel_error, 4), x->max_step,
                     audit_number(a->arena, 100 * x->limit));
    r->file = proof_place(a, p, p->log_name);
    r->line = x->aligned ? 0 : step_line(&p->log, x->max_step);
    r->stated =
        sentence_say(a->arena, "mean %s %%", audit_fixed(a->arena, 100 * x->mean_rel_error, 4));
    r->expected = arena_printf(a->arena, "< %s %%", audit_number(a->arena, 100 * x->limit));
    for (const struct claim *c; (c = proof_next_claim(a, p, &i)) != NULL;)
        note_aligned(a, c, x);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "evidence",
     .zh = "证据"},
    {.en = "mean of |loss - reference| / |reference| over %zu steps from %d on is %s, the limit %s",
     .zh = "自第 {2} 步起 {1} 步的 |损失 - 参考| / |参考| 平均值为 {3}，上限 {4}"},
    {.en = "which case this is is not known, and with it the reference",
     .zh = "不知道是哪个用例，因而也没有参考曲线"},
    {.en = "the case names no reference",
     .zh = "用例没有写明参考曲线"},
    {.en = "the log has no loss",
     .zh = "日志中没有损失"},
    {.en = "the loss is not compared: %s",
     .zh = "损失没有比较：{1:said}"},
    {.en = "loss against %s from step %d on, %zu steps: mean deviation %s %%, maximum %s %% at "
           "step %.0f (limit of the mean %s %%); run.json says that it answers a challenge, which "
           "has a seed of its own: `fpreport verify --challenge FILE` compares it with that "
           "seed's run",
     .zh = "损失与 {1} 相比，自第 {2} 步起共 {3} 步：平均偏差 {4} %，最大 {5} %，在第 {6} 步（平"
           "均值的上限为 {7} %）；run.json 称这次运行是对挑战的答复，用的是挑战自己的种子："
           "`fpreport verify --challenge FILE` 会与该种子的运行比较"},
    {.en = "loss against %s from step %d on, %zu steps: mean deviation %s %%, maximum %s %% at "
           "step %.0f (limit of the mean %s %%)",
     .zh = "损失与 {1} 相比，自第 {2} 步起共 {3} 步：平均偏差 {4} %，最大 {5} %，在第 {6} 步（平"
           "均值的上限为 {7} %）"},
    {.en = "mean %s %%",
     .zh = "平均 {1} %"},
    {NULL, NULL},
};

const struct rule rule_fp2001 = {
    .id = "FP2001",
    .kind = "curves",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .needs_records = true,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_RUN,
    .proof = check_alignment,
    .title = {.en = "Loss alignment", .zh = "精度对齐"},
    .statement = {.en = "From the case's first compared step on, the mean over steps of |loss - "
                        "reference| / |reference| is below the limit (2 %).",
                  .zh = "从用例规定的起始步开始，|损失 − 参考| ÷ |参考| 的各步平均值低于上限（2 %）。"},
    .why = {.en = "Throughput is worth nothing when the training does not learn what it should. "
                  "The rule is FlagPerf's.",
            .zh = "训练没有学到该学的东西，吞吐量就毫无意义。这条规则来自 FlagPerf。"},
    .how = {.en = "From the case's from_step on (21), |loss - reference| / |reference| is "
                  "averaged over the steps that the log and the case's reference both have. Below "
                  "the limit (2 %) is aligned; a loss that is not finite is not. `fpreport diff` "
                  "shows more.",
            .zh = "从用例的 from_step（21）起，对日志与参考曲线都有的各步求 |损失 - 参考| / |参考"
                  "| 的平均值。低于上限（2 %）即为对齐；损失不是有限数则不对齐。`fpreport diff` "
                  "给出更多细节。"},
    .fix = {.en = "Look at the step of the largest deviation with `fpreport diff`; the usual "
                  "causes are precision, data order and initial weights.",
            .zh = "用 `fpreport diff` 查看偏差最大的那一步；常见原因是精度、数据次序与初始权重。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "\"loss\": 0.90771806",
                .changed = "\"loss\": 9.90771806"},
};
/* clang-format on */
