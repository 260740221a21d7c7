/* FP7021: The status of the last run_stop is success, or aborted where the run did not converge */
#include "verifier/checks/mlperf/mlperf_rule.h"

static bool status_is(const struct mllog_value *status, const char *word)
{
    return status->kind == MLLOG_TEXT && mllog_text_is(status->json, word);
}

static void check_log_status(struct mlperf_log_audit *a)
{
    const struct mllog_record *stop = mllog_last(a->log, "run_stop");
    struct mllog_value status =
        stop ? mllog_member(stop->metadata, "status") : (struct mllog_value){0};
    struct mlperf_findings *to = &a->facts->findings;
    if (!stop || status_is(&status, "success"))
        return;
    int line = mllog_line(a->log->bytes, stop->at);
    if (!status_is(&status, "aborted"))
        mlperf_found(to, a->arena, "FP7021", SEVERITY_ERROR, NULL, line,
                     "status: found '%s', expected success or aborted",
                     mllog_show(&status, a->arena));
    else if (mlperf_log_complies(a->facts))
        mlperf_found(to, a->arena, "FP7021", SEVERITY_ERROR, NULL, line,
                     "status: found 'aborted', but the run satisfies every rule: the run counts as "
                     "not converged, and its time is used in the score");
    else
        mlperf_found(to, a->arena, "FP7021", SEVERITY_NOTICE, NULL, line,
                     "the run was aborted: it counts as not converged");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "status: found '%s', expected success or aborted",
     .zh = "日志中 run_stop 的状态（status）为“{1}”，应为 success 或 aborted"},
    {.en = "status: found 'aborted', but the run satisfies every rule: the run counts as not "
           "converged, and its time is used in the score",
     .zh = "日志中 run_stop 的状态（status）为“aborted”，但这次运行符合全部规则：它算作未收敛，"
           "但用时仍计入成绩"},
    {.en = "the run was aborted: it counts as not converged",
     .zh = "这次运行被中止，算作未收敛"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7021 = {
    .id = "FP7021",
    .severity = SEVERITY_ERROR,
    .also = ALSO_NOTICE,
    .title = {"运行结束时的状态", "Status at the end"},
    .statement = {"日志中最后一个 run_stop 的状态必须是 success；如果运行没有收敛，状态必须是 "
                  "aborted。",
                  "The last run_stop event must have the status success or, if the run did not "
                  "converge, aborted."},
    .source = "training_policies d73e20f1, \"Quality measure\"",
    .example = "status: found 'aborted', but the run satisfies every rule: the run counts as not "
               "converged, and its time is used in the score",
    .messages = messages,
    .log = check_log_status,
};
