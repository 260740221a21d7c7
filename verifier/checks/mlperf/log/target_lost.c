/* FP7024: The last evaluation before run_stop reaches the target */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include "verifier/checks/mlperf/log/target.h"

static void check_log_target_lost(struct mlperf_log_audit *a)
{
    struct mlperf_target target;
    if (!mlperf_target_of(a, &target) || !target.reached_in_time || !target.last ||
        target.last_reaches)
        return;
    mlperf_found(&a->facts->findings, a->arena, "FP7024", SEVERITY_WARNING, NULL,
                 mllog_line(a->log->bytes, target.last->at),
                 "the last evaluation before run_stop does not reach the target, but the "
                 "evaluation in line %d does",
                 mllog_line(a->log->bytes, target.reached_in_time->at));
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the last evaluation before run_stop does not reach the target, but the evaluation in "
           "line %d does",
     .zh = "run_stop 之前的最后一次评估没有达到目标，但日志第 {1} 行的评估达到了目标"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7024 = {
    .id = "FP7024",
    .severity = SEVERITY_WARNING,
    .also = 0,
    .title = {"运行结束时达到目标", "Target at the end"},
    .statement = {"日志中 run_stop 之前的最后一次评估必须达到目标。",
                  "The last evaluation before the event run_stop must reach the target."},
    .source = "mlcommons/logging 7bbf7926, rcp_checker.py: the last evaluation counts",
    .example = "the last evaluation before run_stop does not reach the target, that of line "
               "120 did",
    .messages = messages,
    .log = check_log_target_lost,
};
