/* FP7002: A log satisfies every rule of the official checker of its round */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include <string.h>

/* What a run lacks that did not converge, or did not come to its end. */
static bool is_of_end(const char *key)
{
    static const char *const keys[] = {
        "run_stop",    "eval_accuracy", "aggregated_eval_accuracy",
        "block_start", "block_stop",    "epoch_start",
        "epoch_stop",  "eval_start",    "eval_stop",
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i], key) == 0)
            return true;
    return false;
}

static bool is_too_few(const struct mlperf_message *m)
{
    size_t least = m->rule->exactly_one ? 1 : m->rule->at_least;
    return m->kind == MESSAGE_COUNT && m->n_records < least;
}

static void check_log_official(struct mlperf_log_audit *a)
{
    for (size_t i = 0; i < a->evaluation->n_messages; i++) {
        const struct mlperf_message *m = &a->evaluation->messages[i];
        bool placed = m->n_records > (m->kind == MESSAGE_COUNT ? 1U : 0U);
        struct mlperf_finding *f =
            mlperf_found(&a->facts->findings, a->arena, "FP7002", SEVERITY_ERROR, NULL,
                         placed ? mllog_line(a->log->bytes, m->places[0]) : 0, "%s",
                         mlperf_message_text(m, a->log, a->arena));
        if (m->kind == MESSAGE_SOME || m->kind == MESSAGE_ANY ||
            (is_too_few(m) && is_of_end(m->rule->key)))
            f->if_dropped = SEVERITY_NOTICE;
    }
}

const struct mlperf_rule mlperf_rule_fp7002 = {
    .id = "FP7002",
    .severity = SEVERITY_ERROR,
    .also = ALSO_NOTICE,
    .title = {"日志符合官方规则", "Official rules"},
    .statement = {"日志必须符合所属 MLPerf 轮次的官方检查工具的每条规则。",
                  "A log must satisfy every rule of the official MLPerf checker for its round."},
    .source = "mlcommons/logging 7bbf7926, compliance_checker",
    .example = "eval_accuracy: no record satisfies {\"path\": \"value\", \"ge\": 0.80275, "
               "\"le\": 1.0} (training_5.1.0/closed_dlrm_dcnv2.yaml)",
    .log = check_log_official,
};
