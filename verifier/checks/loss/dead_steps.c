#include "verifier/claims/rule.h"
#include "verifier/logs/log_health.h"
#include "verifier/proofs/proof.h"

#include <math.h>

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

static const char *dead_steps_number(const struct look *l, double value)
{
    return audit_number(l->a->arena, value);
}

static void look_losses(struct look *l)
{
    const struct log_health *h = &l->health;
    if (h->not_finite.n)
        find_dead_steps(
            l, SEVERITY_WARNING, h->not_finite.line,
            sentence_say(l->a->arena,
                         "%zu of %zu reports have a loss that is NaN, infinite or left out, the "
                         "first at step %s",
                         h->not_finite.n, h->reports, dead_steps_number(l, h->not_finite.step)));
    if (h->zero.n)
        find_dead_steps(l, h->nan_gradient.n || h->zero.n > 1 ? SEVERITY_WARNING : SEVERITY_NOTICE,
                        h->zero.line,
                        sentence_say(l->a->arena,
                                     "%zu of %zu losses are exactly 0, the first at step %s",
                                     h->zero.n, h->losses, dead_steps_number(l, h->zero.step)));
    if (h->nan_gradient.n)
        find_dead_steps(l, SEVERITY_WARNING, h->nan_gradient.line,
                        sentence_say(l->a->arena,
                                     "%zu of %zu gradient norms are NaN, the first at step %s",
                                     h->nan_gradient.n, h->grad_norms,
                                     dead_steps_number(l, h->nan_gradient.step)));
}

static void look_skipped_steps(struct look *l)
{
    const struct log_health *h = &l->health;
    bool most = h->skipped > h->of * (l->p->loose ? SKIPPED_SHARE_CUT : SKIPPED_SHARE);
    if (h->skipped > 0)
        find_dead_steps(
            l, most ? SEVERITY_WARNING : SEVERITY_NOTICE, h->skipped_line,
            isnan(h->of)
                ? sentence_say(
                      l->a->arena,
                      "%s steps were skipped: they count as samples and as time, and train "
                      "nothing",
                      dead_steps_number(l, h->skipped))
                : sentence_say(
                      l->a->arena,
                      "%s of %s steps were skipped: they count as samples and as time, and "
                      "train nothing",
                      dead_steps_number(l, h->skipped), dead_steps_number(l, h->of)));
    if (h->overflows)
        find_dead_steps(l, SEVERITY_NOTICE, l->of->log.skips.line,
                        sentence_say(l->a->arena, "%zu lines report an overflow", h->overflows));
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
                  "none of the %zu reports is of a step that trained: the run has no final "
                  "loss",
                  h->dead.n)
            : sentence_say(l->a->arena,
                           "from step %s to the end (%zu of %zu reports) nothing was trained: the "
                           "run has no final loss (the one before is %s, of step %s)",
                           dead_steps_number(l, h->dead.step), h->dead.n, h->reports,
                           dead_steps_number(l, h->last_loss), dead_steps_number(l, h->last_step)));
}

static void look_for_dead_steps(struct audit *a, const struct proof *p, const struct run_log *of)
{
    struct look l = {.a = a, .p = p, .of = of};
    log_health(&of->log, &l.health);
    look_losses(&l);
    look_skipped_steps(&l);
    look_end(&l);
    if (!l.found && l.health.losses)
        proof_report(a, p, of->name, OUTCOME_PASS,
                     sentence_say(a->arena,
                                  "all %zu reports have a finite loss, and no step was skipped",
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
    {.en = "%zu of %zu reports have a loss that is NaN, infinite or left out, the first at step "
           "%s",
     .zh = "{2} 次报告中有 {1} 次的损失为 NaN、无穷大或没有印出，首次在第 {3} 步"},
    {.en = "%zu of %zu losses are exactly 0, the first at step %s",
     .zh = "{2} 个损失中有 {1} 个恰为 0，首次在第 {3} 步"},
    {.en = "%zu of %zu gradient norms are NaN, the first at step %s",
     .zh = "{2} 个梯度范数中有 {1} 个为 NaN，首次在第 {3} 步"},
    {.en = "%s steps were skipped: they count as samples and as time, and train nothing",
     .zh = "跳过了 {1} 步：它们计入样本数与时间，却没有训练任何东西"},
    {.en = "%s of %s steps were skipped: they count as samples and as time, and train nothing",
     .zh = "{2} 步中跳过了 {1} 步：它们计入样本数与时间，却没有训练任何东西"},
    {.en = "%zu lines report an overflow",
     .zh = "有 {1} 行报告溢出"},
    {.en = "none of the %zu reports is of a step that trained: the run has no final loss",
     .zh = "{1} 次报告所属的步没有一步训练过：该运行没有最终损失"},
    {.en = "from step %s to the end (%zu of %zu reports) nothing was trained: the run has no final "
           "loss (the one before is %s, of step %s)",
     .zh = "从第 {1} 步到结束（{3} 次报告中的 {2} 次）没有训练任何东西：该运行没有最终损失（此前一"
           "个为 {4}，第 {5} 步）"},
    {.en = "all %zu reports have a finite loss, and no step was skipped",
     .zh = "全部 {1} 次报告的损失都是有限数，没有跳过任何一步"},
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
    .title = {.en = "Steps that trained nothing", .zh = "没有训练的步"},
    .statement = {.en = "A run ends with a step that trained: with a finite loss, and not skipped.",
                  .zh = "运行以一个训练过的步结束：损失是有限数，且没有被跳过。"},
    .why = {.en = "A run whose loss became NaN goes on at full speed; its rate is no rate of a "
                  "training, and the loss of its last good step is not its final loss.",
            .zh = "损失变为 NaN 的运行仍以全速继续；它的速度不是训练的速度，最后一个正常步的损失也"
                  "不是它的最终损失。"},
    .how = {.en = "Losses that are NaN, infinite, left out or exactly 0, gradient norms that are "
                  "NaN, steps that were skipped and lines that report an overflow are counted. "
                  "Who ends with such steps has no final loss: an error of a sealed run. More "
                  "than half of the steps skipped (of a loose log, which may be cut, three "
                  "quarters), or losses of 0 in several reports, are a warning, fewer a notice.",
            .zh = "统计为 NaN、无穷大、没有印出或恰为 0 的损失，为 NaN 的梯度范数，被跳过的步，以"
                  "及报告溢出的行。以这样的步结束的运行没有最终损失：对已封存的运行算错误。跳过一"
                  "半以上的步（散放的日志可能被截断，为四分之三以上），或多次报告的损失为 0，算警"
                  "告；更少的算提示。"},
    .fix = {.en = "Look for the first step with a NaN or an overflow, lower the learning rate or "
                  "the loss scale, and run again.",
            .zh = "找出首个 NaN 或溢出的步，降低学习率或损失缩放，然后重新运行。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "\"loss\": 1.43734407",
                .changed = "\"loss\": NaN"},
};
/* clang-format on */
