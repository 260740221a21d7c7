/* FP7029: A line holds one record: of several, only the last counts */
#include "verifier/checks/mlperf/mlperf_rule.h"

static void check_log_shared_line(struct mlperf_log_audit *a)
{
    if (a->log->n_doubled)
        mlperf_found(&a->facts->findings, a->arena, "FP7029", SEVERITY_WARNING, NULL,
                     mllog_line(a->log->bytes, a->log->doubled_at),
                     "%zu lines hold several records: only the last record of each line counts",
                     a->log->n_doubled);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%zu lines hold several records: only the last record of each line counts",
     .zh = "日志中有 {1} 行各含多条记录：每行只有最后一条记录有效"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7029 = {
    .id = "FP7029",
    .severity = SEVERITY_WARNING,
    .also = 0,
    .title = {"每行一条记录", "One record per line"},
    .statement = {"日志的一行只能有一条记录；一行有多条记录时，只有最后一条有效。",
                  "A log line may contain only one MLPerf record. If a line contains several "
                  "records, only the last record counts."},
    .source = "mlcommons/logging 7bbf7926, mlp_parser",
    .example = "1 lines hold several records: only the last of each counts",
    .messages = messages,
    .log = check_log_shared_line,
};
