#include "verifier/checks/loss/step_line.h"
#include "verifier/claims/rule.h"
#include "verifier/logs/log_health.h"
#include "verifier/proofs/recompute.h"

static void check_final_loss(struct audit *a, struct proof *p)
{
    const char *unsound = recompute_unsound(p);
    const char *unseen = proof_unseen(a, p);
    struct log_health health = {.dead.n = 0};
    if (p->main_log)
        log_health(&p->log, &health);
    if (unsound || !p->curve.n || unseen || health.dead.n) {
        recompute_cannot_all(a, p, "loss",
                             unsound       ? unsound
                             : !p->curve.n ? "the log contains no loss"
                             : unseen      ? unseen
                                      : "the run ends with steps that did not train the model");
        return;
    }
    double step = p->curve.step[p->curve.n - 1], loss = p->curve.loss[p->curve.n - 1];
    int line = step_line(&p->log, step);
    const struct log_value *final = log_get(&p->log, "final_loss");
    if (final && !(final->value == loss) && strcmp(p->log.format, "perflog") == 0) {
        struct check_result *r =
            audit_fail_at(a, final->line, "final_loss is %s, but the loss of the last step is %s",
                          audit_number(a->arena, final->value), audit_number(a->arena, loss));
        /* Some case scripts print an average as their final loss. */
        r->severity = SEVERITY_WARNING;
        r->file = proof_place(a, p, p->log_name);
    }
    const struct recomputed x = {.key = "loss",
                                 .value = loss,
                                 .decimals = 4,
                                 .derivation = sentence_say(a->arena, "%s (loss of %s %s, line %d)",
                                                            audit_number(a->arena, loss),
                                                            log_step_word(&p->log),
                                                            audit_number(a->arena, step), line),
                                 .file = proof_place(a, p, p->log_name),
                                 .line = line};
    recompute_put_all(a, p, &x);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the run ends with steps that did not train the model",
     .zh = "运行的最后几步没有真正更新模型"},
    {.en = "the log contains no loss",
     .zh = "训练日志中没有记录损失"},
    {.en = "final_loss is %s, but the loss of the last step is %s",
     .zh = "日志的 final_loss 为 {1}，但日志最后一步的损失为 {2}"},
    {.en = "%s (loss of %s %s, line %d)",
     .zh = "{1}（{2:said} {3} 的损失，日志第 {4} 行）"},
    {NULL, NULL},
};

const struct rule rule_fp2009 = {
    .id = "FP2009",
    .kind = "curves",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_WARNING),
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_RUN,
    .proof = check_final_loss,
    .title = {.en = "Final loss", .zh = "页面填报的最终损失"},
    .statement = {.en = "The final loss that a page states must be the loss of the last step in the "
                        "log.",
                  .zh = "页面填报的最终损失，必须是日志中最后一步的损失。"},
    .why = {.en = "Readers judge a training by its final loss, so the stated value must be the "
                  "value in the log.",
            .zh = "读者用最终损失判断训练的效果，因此填报的最终损失必须与日志中的值相同。"},
    .how = {.en = "The rule compares the stated loss with the loss of the last step in the log. The "
                  "stated loss may differ from the logged loss by one unit in the last printed "
                  "digit.",
            .zh = "把页面填报的最终损失与日志中最后一步的损失比较，最多允许相差一个末位单位。"},
    .fix = {.en = "State the loss of the last step in the log.",
            .zh = "把填报的最终损失改为日志中最后一步的损失。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RECORD,
                .honest = "\"0.9077\"",
                .changed = "\"0.8077\""},
};
/* clang-format on */
