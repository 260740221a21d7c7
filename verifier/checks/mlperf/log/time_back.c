/* FP7028: time_ms does not go back by more than a second */
#include "verifier/checks/mlperf/mlperf_rule.h"

static void check_log_time_back(struct mlperf_log_audit *a)
{
    if (a->log->back_ms > 1000)
        mlperf_found(&a->facts->findings, a->arena, "FP7028", SEVERITY_NOTICE, NULL,
                     mllog_line(a->log->bytes, a->log->back_at),
                     "the time of this record is %g s before the time of the previous record",
                     a->log->back_ms / 1000);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the time of this record is %g s before the time of the previous record",
     .zh = "这条日志记录的时间比前一条记录的时间早 {1} 秒"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7028 = {
    .id = "FP7028",
    .severity = SEVERITY_NOTICE,
    .also = 0,
    .title = {"日志时间不倒退", "Increasing time"},
    .statement = {"日志中任何一条记录的 time_ms，不得比前一条记录的早一秒以上。",
                  "The field time_ms may not decrease by more than one "
                  "second from one record to the next."},
    .source = "arithmetic",
    .example = "time goes back by 230.643 s",
    .messages = messages,
    .log = check_log_time_back,
};
