#include "verifier/checks/loss/step_line.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/recompute.h"

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
    m->derivation = sentence_say(a->arena,
                                 "the mean of |loss - reference| / |reference| over %zu steps from "
                                 "step %d on is %s, limit %s",
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
                              ? "the case of this run is unknown, and so is its reference curve"
                          : !p->reference_path ? "the case names no reference curve"
                          : p->reference_fault ? p->reference_fault
                                               : "the log contains no loss";
        recompute_cannot_all(a, p, "aligned", why);
        audit_cannot(a, NULL, "the loss was not compared: %s", why);
        return;
    }
    const struct json *challenge = json_get(p->run, "challenge"); /* with a seed of its own */
    bool answer = !x->aligned && challenge && challenge->kind == JSON_OBJECT;
    const char *words =
        answer
            ? "loss against %s from step %d on, %zu steps: mean deviation %s %%, maximum %s %% at "
              "step %.0f (limit of the mean %s %%); by run.json, the run answers a challenge and "
              "used the seed of the challenge: `fpreport verify --challenge FILE` compares it with "
              "a training with that seed"
            : "loss against %s from step %d on, %zu steps: mean deviation %s %%, maximum %s %% at "
              "step %.0f (limit of the mean %s %%)";
    struct check_result *r =
        audit_judge(a, x->aligned, NULL, words, x->reference, x->from_step, x->steps,
                    audit_fixed(a->arena, 100 * x->mean_rel_error, 4),
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
    {.en = "the mean of |loss - reference| / |reference| over %zu steps from step %d on is %s, "
           "limit %s",
     .zh = "自第 {2} 步起共 {1} 步，各步 |损失 - 参考| / |参考| 的平均值为 {3}，上限为 {4}"},
    {.en = "the case of this run is unknown, and so is its reference curve",
     .zh = "运行属于哪个用例未知，因此也不知道该用哪条参考曲线"},
    {.en = "the case names no reference curve",
     .zh = "用例没有指定损失的参考曲线"},
    {.en = "the log contains no loss",
     .zh = "训练日志中没有记录损失"},
    {.en = "the loss was not compared: %s",
     .zh = "没有把运行的损失与参考曲线比较：{1:said}"},
    {.en = "loss against %s from step %d on, %zu steps: mean deviation %s %%, maximum %s %% at "
           "step %.0f (limit of the mean %s %%); by run.json, the run answers a challenge and used "
           "the seed of the challenge: `fpreport verify --challenge FILE` compares it with a "
           "training with that seed",
     .zh = "运行的损失与参考曲线 {1} 相比，自第 {2} 步起共 {3} 步：平均偏差为 {4} %（上限 {7} %），"
           "最大偏差为 {5} %，出现在第 {6} 步。run.json 称这次运行应答了抽查，用的是抽查的种子，因"
           "此应改用 `fpreport verify --challenge FILE`，把这次运行与使用抽查种子的训练比较"},
    {.en = "loss against %s from step %d on, %zu steps: mean deviation %s %%, maximum %s %% at "
           "step %.0f (limit of the mean %s %%)",
     .zh = "运行的损失与参考曲线 {1} 相比，自第 {2} 步起共 {3} 步：平均偏差为 {4} %（上限 {7} %），"
           "最大偏差为 {5} %，出现在第 {6} 步"},
    {.en = "mean %s %%",
     .zh = "损失的平均偏差 {1} %"},
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
    .title = {.en = "Loss aligned with the reference", .zh = "损失与参考曲线对齐"},
    .statement = {.en = "The mean of |loss - reference| / |reference|, over all steps after the "
                        "first steps that the case excludes, must be below the limit (2 %).",
                  .zh = "从用例规定的起始步开始，所有步的 |损失 − 参考| ÷ |参考| 的平均值必须低于上"
                        "限（2 %）。"},
    .why = {.en = "A high throughput is worthless if the training does not reduce the loss as it "
                  "should. The loss alignment rule comes from FlagPerf.",
            .zh = "如果训练没有使损失正常下降，吞吐量再高也没有意义。损失对齐规则来自 FlagPerf。"},
    .how = {.en = "From step `from_step` of the case (usually 21), the rule averages |loss - "
                  "reference| / |reference| over the steps that both the log and the reference "
                  "curve contain. If the mean relative error is below the limit (2 %), the run is "
                  "aligned. A run with a loss that is infinite or NaN is never aligned. `fpreport "
                  "diff` shows the deviation of each step.",
            .zh = "从用例的 `from_step` 字段规定的步（通常为第 21 步）开始，对日志与参考曲线共有的"
                  "各步，求 |损失 - 参考| / |参考| 的平均值。损失与参考曲线的平均相对偏差低于上限（"
                  "2 %）时，算作与参考曲线对齐。运行的损失中只要有无穷大或 NaN，就算作没有与参考曲"
                  "线对齐。用 `fpreport diff` 可以查看每一步的损失与参考曲线的偏差。"},
    .fix = {.en = "Use `fpreport diff` to find the step with the largest deviation. The usual "
                  "causes of a deviation are another precision, another data order or other "
                  "initial weights.",
            .zh = "用 `fpreport diff` 找出损失与参考曲线偏差最大的一步。产生偏差的常见原因是精度、"
                  "数据次序或初始权重与参考曲线的训练不同。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "\"loss\": 0.90771806",
                .changed = "\"loss\": 9.90771806"},
};
/* clang-format on */
