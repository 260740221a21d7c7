/* FP7028: time_ms does not go back by more than a second */
#include "verifier/checks/mlperf/mlperf_rule.h"

static void check_log_time_back(struct mlperf_log_audit *a)
{
    if (a->log->back_ms > 1000)
        mlperf_found(&a->facts->findings, a->arena, "FP7028", SEVERITY_NOTICE, NULL,
                     mllog_line(a->log->bytes, a->log->back_at),
                     "the timestamps go back by %g s, "
                     "expected increasing times",
                     a->log->back_ms / 1000);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the timestamps go back by %g s, expected increasing times",
     .zh = "时间戳倒退 {1} s，应依次递增"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7028 = {
    .id = "FP7028",
    .severity = SEVERITY_NOTICE,
    .also = 0,
    .title = {"时间单调", "Increasing time"},
    .statement = {"time_ms 不得倒退一秒以上。", "time_ms may not go back by more than a second."},
    .source = "arithmetic",
    .example = "time goes back by 230.643 s",
    .messages = messages,
    .log = check_log_time_back,
};
