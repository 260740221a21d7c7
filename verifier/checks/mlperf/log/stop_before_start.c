/* FP7022: run_stop is later than run_start */
#include "verifier/checks/mlperf/mlperf_rule.h"

static void check_log_stop_before_start(struct mlperf_log_audit *a)
{
    const struct mllog_record *stop = mllog_last(a->log, "run_stop");
    double ms = a->facts->last_stop_ms - a->facts->last_start_ms;
    if (stop && ms <= 0)
        mlperf_found(&a->facts->findings, a->arena, "FP7022", SEVERITY_ERROR, NULL,
                     mllog_line(a->log->bytes, stop->at),
                     "run_stop is %g ms before run_start, expected a later time", -ms);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "run_stop is %g ms before run_start, expected a later time",
     .zh = "日志中 run_stop 的时间比 run_start 早 {1} 毫秒，应比 run_start 晚"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7022 = {
    .id = "FP7022",
    .severity = SEVERITY_ERROR,
    .also = 0,
    .title = {"运行先开始后结束", "Stop after start"},
    .statement = {"日志中 run_stop 的时间必须晚于 run_start 的时间。",
                  "The event run_stop must be later than run_start."},
    .source = "arithmetic",
    .example = "run_stop is 1000 ms before run_start, expected it later",
    .messages = messages,
    .log = check_log_stop_before_start,
};
