/* FP7003: A key that should occur once does not occur again with the same value */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include <string.h>

/* A second clock is graver: FP7020. */
static bool is_clock(const char *key)
{
    return strcmp(key, "run_start") == 0 || strcmp(key, "run_stop") == 0 ||
           strcmp(key, "init_stop") == 0;
}

static void check_log_repeats(struct mlperf_log_audit *a)
{
    for (size_t i = 0; i < a->evaluation->n_repeats; i++) {
        const struct mlperf_repeat *repeat = &a->evaluation->repeats[i];
        if (!is_clock(repeat->key))
            mlperf_found(&a->facts->findings, a->arena, "FP7003", SEVERITY_WARNING, NULL,
                         mllog_line(a->log->bytes, repeat->at),
                         "%s: %zu records with the same value, expected exactly one", repeat->key,
                         repeat->n_records);
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%s: %zu records with the same value, expected exactly one",
     .zh = "日志中有 {2} 条取值相同的 {1} 记录，应恰有一条"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7003 = {
    .id = "FP7003",
    .severity = SEVERITY_WARNING,
    .also = 0,
    .title = {"只应出现一次的键重复出现", "Repeated keys"},
    .statement = {"在日志中只允许出现一次的键不得再次出现，取值相同也不行。",
                  "A key that may occur only once in a log must not occur again, even with the "
                  "same value."},
    .source = "mlcommons/logging 7bbf7926, mlp_compliance.py, EXACTLY_ONE",
    .example = "global_batch_size: 2 records with the same value, expected exactly one",
    .messages = messages,
    .log = check_log_repeats,
};
