/* FP7040: A log that names no division is shown what the closed division asks of its values */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include "base/text.h"

#include <string.h>

static const struct mlperf_set *closed_set(const struct mlperf_log_audit *a)
{
    const char *name = arena_printf(a->arena, "closed_%s", a->benchmark->name);
    for (size_t i = 0; i < a->rules->n_sets; i++)
        if (strcmp(a->rules->sets[i].name, name) == 0)
            return &a->rules->sets[i];
    return NULL;
}

/* A piece of a log lacks most keys: what stands in it is looked at, and nothing else. */
static void check_log_of_no_division(struct mlperf_log_audit *a)
{
    const struct mlperf_set *set = a->benchmark && !a->facts->division ? closed_set(a) : NULL;
    struct mlperf_evaluation closed;
    if (!set)
        return;
    mlperf_evaluate_from(a->rules, set, a->log, a->arena, &closed);
    for (size_t i = 0; i < closed.n_messages; i++) {
        const struct mlperf_message *m = &closed.messages[i];
        if (m->kind == MESSAGE_EACH)
            mlperf_found(&a->facts->findings, a->arena, "FP7040", SEVERITY_NOTICE, NULL,
                         mllog_line(a->log->bytes, m->places[0]),
                         "the log has no submission_division; by the rules of the closed "
                         "division: %s",
                         mlperf_message_text(m, a->log, a->arena));
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the log has no submission_division; by the rules of the closed division: %s",
     .zh = "日志没有写明组别（submission_division）；若按封闭组（closed）的规则检查：{1:said}"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7040 = {
    .id = "FP7040",
    .severity = SEVERITY_NOTICE,
    .title = {"没有写明组别的日志", "A log without its division"},
    .statement = {"日志应写明所属的 MLPerf 组别；没有写明时，fpreport 列出日志中封闭组（closed）"
                  "不允许的取值。",
                  "A log should name its MLPerf division. If a log names no division, fpreport "
                  "lists the values that the closed division forbids."},
    .source = "mlcommons/logging 7bbf7926, compliance_checker: closed_*.yaml",
    .example = "no submission_division; in the closed one: opt_learning_rate_decay_steps: "
               "1362287 is not {\"expr\": …} (training_5.1.0/closed_llama31_405b.yaml)",
    .messages = messages,
    .log = check_log_of_no_division,
};
