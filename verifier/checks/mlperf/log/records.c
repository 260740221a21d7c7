/* FP7001: A log has records, and every record is a JSON object with time_ms, key, value and
 * metadata */
#include "verifier/checks/mlperf/mlperf_rule.h"

static void check_log_records(struct mlperf_log_audit *a)
{
    const struct mllog *log = a->log;
    struct mlperf_findings *to = &a->facts->findings;
    if (log->n_broken)
        mlperf_found(
            to, a->arena, "FP7001", SEVERITY_ERROR, NULL, mllog_line(log->bytes, log->broken_at),
            "%zu of %zu records are not JSON objects with time_ms, key, value and metadata",
            log->n_broken, log->n_broken + log->n_all)
            ->if_dropped = SEVERITY_WARNING;
    else if (!log->n_all)
        mlperf_found(to, a->arena, "FP7001", SEVERITY_ERROR, NULL, 0,
                     "found no record, expected lines with '%s'", MLLOG_TOKEN)
            ->if_dropped = SEVERITY_WARNING;
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%zu of %zu records are not JSON objects with time_ms, key, value and metadata",
     .zh = "日志的 {2} 条记录中，有 {1} 条不是含有 time_ms、key、value 和 metadata 的 JSON 对象"},
    {.en = "found no record, expected lines with '%s'",
     .zh = "日志中没有任何记录，应有含“{1}”的行"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7001 = {
    .id = "FP7001",
    .severity = SEVERITY_ERROR,
    .also = ALSO_WARNING,
    .title = {"日志记录可以读取", "Readable records"},
    .statement = {"日志必须含有 :::MLLOG 记录，每条记录都必须是含有 time_ms、key、value 和 "
                  "metadata 的 JSON 对象。",
                  "A log must contain MLPerf records (:::MLLOG), and every record must be a JSON "
                  "object with time_ms, key, value and metadata."},
    .source = "mlcommons/logging 7bbf7926, mlp_parser",
    .example = "1 record is not a JSON object with time_ms, key, value and metadata",
    .messages = messages,
    .log = check_log_records,
};
