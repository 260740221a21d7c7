#include "verifier/claims/rule.h"
#include "verifier/logs/log_health.h"
#include "verifier/proofs/proof.h"

/* Loss scaling in fp16 tries its first steps in vain: two real logs of working runs, cut at their
 * beginning, skip 16 of 100 and 12 of 20 steps; two of dead ones 10 of 10 and 1995 of 2000. */
#define SKIPPED_SHARE_CUT 0.75

/* A sealed run is whole. */
#define SKIPPED_SHARE 0.5

struct look {
    struct audit *a;
    const struct proof *p;
    const struct run_log *of;
    struct log_health health;
    size_t found;
};

static void find_dead_steps(struct look *l, enum severity severity, int line, const char *message)
{
    struct check_result *r = proof_report(l->a, l->p, l->of->name, OUTCOME_FAIL, message);
    r->file = l->of->log.file;
    r->line = line;
    r->severity = severity;
    l->found++;
}

static void look_losses(struct look *l)
{
    const struct log_health *h = &l->health;
    if (h->not_finite.n)
        find_dead_steps(l, SEVERITY_WARNING, h->not_finite.line,
                        sentence_say(l->a->arena,
                                     "%zu of %zu step reports have a loss that is NaN, infinite or "
                                     "missing; the first of them is step %s",
                                     h->not_finite.n, h->reports,
                                     audit_number(l->a->arena, h->not_finite.step)));
    if (h->zero.n)
        find_dead_steps(
            l, h->nan_gradient.n || h->zero.n > 1 ? SEVERITY_WARNING : SEVERITY_NOTICE,
            h->zero.line,
            sentence_say(l->a->arena,
                         "%zu of %zu losses are exactly 0; the first of them is at step %s",
                         h->zero.n, h->losses, audit_number(l->a->arena, h->zero.step)));
    if (h->nan_gradient.n)
        find_dead_steps(
            l, SEVERITY_WARNING, h->nan_gradient.line,
            sentence_say(
                l->a->arena, "%zu of %zu gradient norms are NaN; the first of them is at step %s",
                h->nan_gradient.n, h->grad_norms, audit_number(l->a->arena, h->nan_gradient.step)));
}

/* Of loose files nothing is verified; what they hold is said. */
static void look_end(struct look *l)
{
    const struct log_health *h = &l->health;
    enum severity severity = l->p->loose ? SEVERITY_WARNING : SEVERITY_ERROR;
    if (!h->dead.n)
        return;
    find_dead_steps(
        l, severity, h->dead.line,
        isnan(h->last_loss)
            ? sentence_say(
                  l->a->arena,
                  "none of the %zu reported steps trained the model, so the run has no final loss",
                  h->dead.n)
            : sentence_say(
                  l->a->arena,
                  "no step from step %s to the end trained the model (the last %zu of the %zu "
                  "reported steps), so the run has no final loss (the last valid loss is %s, at "
                  "step %s)",
                  audit_number(l->a->arena, h->dead.step), h->dead.n, h->reports,
                  audit_number(l->a->arena, h->last_loss),
                  audit_number(l->a->arena, h->last_step)));
}

static void look_for_dead_steps(struct audit *a, const struct proof *p, const struct run_log *of)
{
    struct look l = {.a = a, .p = p, .of = of};
    log_health(&of->log, &l.health);
    look_losses(&l);
    const struct log_health *h = &l.health;
    bool most = h->skipped > h->of * (l.p->loose ? SKIPPED_SHARE_CUT : SKIPPED_SHARE);
    if (h->skipped > 0)
        find_dead_steps(&l, most ? SEVERITY_WARNING : SEVERITY_NOTICE, h->skipped_line,
                        isnan(h->of)
                            ? sentence_say(l.a->arena,
                                           "%s steps were skipped: skipped steps count as samples "
                                           "and time, but do not train the model",
                                           audit_number(l.a->arena, h->skipped))
                            : sentence_say(l.a->arena,
                                           "%s of %s steps were skipped: skipped steps count as "
                                           "samples and time, but do not train the model",
                                           audit_number(l.a->arena, h->skipped),
                                           audit_number(l.a->arena, h->of)));
    if (h->overflows)
        find_dead_steps(&l, SEVERITY_NOTICE, l.of->log.skips.line,
                        sentence_say(l.a->arena, "%zu lines report an overflow", h->overflows));
    look_end(&l);
    if (!l.found && l.health.losses)
        proof_report(
            a, p, of->name, OUTCOME_PASS,
            sentence_say(a->arena,
                         "all %zu step reports have a finite loss, and no step was skipped",
                         l.health.reports));
}

static void check_dead_steps(struct audit *a, struct proof *p)
{
    if (p->main_log)
        look_for_dead_steps(a, p, p->main_log);
    for (size_t i = 0; !p->main_log && i < p->n_logs; i++)
        look_for_dead_steps(a, p, p->logs[i]);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%zu of %zu step reports have a loss that is NaN, infinite or missing; the first of them "
           "is step %s",
     .zh = "日志报告了 {2} 个训练步，其中 {1} 步的损失为 NaN、无穷大或缺失，首次出现在第 {3} 步"},
    {.en = "%zu of %zu losses are exactly 0; the first of them is at step %s",
     .zh = "日志中的 {2} 个损失有 {1} 个恰好为 0，首次出现在第 {3} 步"},
    {.en = "%zu of %zu gradient norms are NaN; the first of them is at step %s",
     .zh = "日志中的 {2} 个梯度范数有 {1} 个为 NaN，首次出现在第 {3} 步"},
    {.en = "%s steps were skipped: skipped steps count as samples and time, but do not train the "
           "model",
     .zh = "训练跳过了 {1} 步：被跳过的步计入样本数和时间，但没有更新模型"},
    {.en = "%s of %s steps were skipped: skipped steps count as samples and time, but do not train "
           "the model",
     .zh = "训练的 {2} 步中有 {1} 步被跳过：被跳过的步计入样本数和时间，但没有更新模型"},
    {.en = "%zu lines report an overflow",
     .zh = "日志中有 {1} 行报告数值溢出"},
    {.en = "none of the %zu reported steps trained the model, so the run has no final loss",
     .zh = "日志报告的 {1} 个训练步都没有真正更新模型，因此运行没有最终损失"},
    {.en = "no step from step %s to the end trained the model (the last %zu of the %zu reported "
           "steps), so the run has no final loss (the last valid loss is %s, at step %s)",
     .zh = "从第 {1} 步到运行结束，没有一步真正更新模型（日志报告的 {3} 步中的最后 {2} 步），因此运"
           "行没有最终损失（最后一个有效损失为 {4}，在第 {5} 步）"},
    {.en = "all %zu step reports have a finite loss, and no step was skipped",
     .zh = "日志报告的全部 {1} 个训练步，损失都是有限数，且没有一步被跳过"},
    {NULL, NULL},
};

const struct rule rule_fp2035 = {
    .id = "FP2035",
    .kind = "curves",
    .since = "2026.3",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_WARNING) | RULE_ALSO(SEVERITY_NOTICE),
    .quotes = RULE_QUOTES_LOG,
    .proof = check_dead_steps,
    .title = {.en = "Steps that train nothing", .zh = "没有更新模型的训练步"},
    .statement = {.en = "The last step of a run must have trained the model: its loss must be a "
                        "finite number, and the step may not be skipped.",
                  .zh = "运行的最后一步必须真正更新模型：这一步的损失是有限数，且这一步没有被跳过。"},
    .why = {.en = "After its loss becomes NaN, a run continues at full speed, but its model no "
                  "longer learns anything. If the loss of a run is NaN, its throughput is not a "
                  "training throughput, and its last valid loss is not its final loss.",
            .zh = "损失变为 NaN 之后，运行仍会全速继续，但不再训练模型。如果运行的损失为 NaN，那么"
                  "它的吞吐量不是训练的吞吐量，它的最后一个有效损失也不是最终损失。"},
    .how = {.en = "The rule counts losses that are NaN, infinite, missing or exactly 0, gradient "
                  "norms that are NaN, skipped steps, and log lines that report an overflow. If the "
                  "last step of a sealed run has such a fault (for example, its loss is NaN), the "
                  "run has no final loss, which is an error. If more than half of the steps were "
                  "skipped, or if several log lines report a loss of 0, the rule gives a warning; "
                  "fewer skipped steps, or a single loss of 0, give a notice. A log that is not "
                  "sealed may be incomplete, so it gets a warning only if more than three quarters "
                  "of the steps were skipped.",
            .zh = "统计日志中的以下问题：损失为 NaN、无穷大、缺失或恰好为 0，梯度范数为 NaN，训练步"
                  "被跳过，日志行报告溢出。如果已封存运行的最后一步没有真正更新模型（例如损失为 NaN"
                  "），运行就没有最终损失，判为错误。一半以上的训练步被跳过，或日志中有多个损失为 "
                  "0 时，给出警告。被跳过的训练步不到一半，或日志中只有一个损失为 0 时，只给出提示"
                  "，不判错。没有封存的日志可能不完整，因此四分之三以上的训练步被跳过时才给出警告。"},
    .fix = {.en = "Find the first step whose loss is NaN or whose gradients overflow. Lower the "
                  "learning rate or the loss scale, and run the case again.",
            .zh = "在日志中找出第一个出现 NaN 或溢出的训练步。降低学习率或损失缩放系数，然后重新运"
                  "行用例。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "\"loss\": 1.43734407",
                .changed = "\"loss\": NaN"},
};
/* clang-format on */
