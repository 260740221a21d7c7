/* FP7023: The target is reached by an evaluation between run_start and run_stop */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include "verifier/checks/mlperf/log/target.h"

static void check_log_target_outside(struct mlperf_log_audit *a)
{
    struct mlperf_target target;
    if (!mlperf_target_of(a, &target) || !target.reached || target.reached_in_time)
        return;
    mlperf_found(&a->facts->findings, a->arena, "FP7023", SEVERITY_ERROR, NULL,
                 mllog_line(a->log->bytes, target.reached->at),
                 "an evaluation reaches the target, but its line or its time is not between "
                 "run_start and run_stop");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "an evaluation reaches the target, but its line or its time is not between run_start and "
           "run_stop",
     .zh = "有一次评估达到了目标，但它在日志中的位置或时间不在 run_start 与 run_stop 之间"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7023 = {
    .id = "FP7023",
    .severity = SEVERITY_ERROR,
    .also = 0,
    .title = {"计时期间达到目标", "Target within the clock"},
    .statement = {"run_start 与 run_stop 之间必须至少有一次评估达到目标。",
                  "At least one evaluation between the events run_start and run_stop must reach "
                  "the target."},
    .source = "training_policies d73e20f1, \"Run Results\"",
    .example = "the target is reached only outside run_start and run_stop",
    .messages = messages,
    .log = check_log_target_outside,
};
