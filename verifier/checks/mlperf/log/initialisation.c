/* FP7026: The clock starts within the time that initialisation may take */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include <math.h>
#include <string.h>

static double least_time(const struct mllog *log, const char *key)
{
    uint32_t name = mllog_names_find(&log->names, span_of(key));
    double least = NAN;
    for (size_t i = 0; i < log->n; i++)
        if (log->records[i].name == name && !(log->records[i].time_ms >= least))
            least = log->records[i].time_ms;
    return least;
}

static void check_log_initialisation(struct mlperf_log_audit *a)
{
    const struct mllog_record *start = mllog_first(a->log, "run_start");
    bool open = a->facts->division && strcmp(a->facts->division, "open") == 0;
    double limit = open ? a->rules->init_limit_open_ms : a->rules->init_limit_closed_ms;
    double ms = start ? start->time_ms - least_time(a->log, "init_start") : NAN;
    if (ms >= limit)
        mlperf_found(&a->facts->findings, a->arena, "FP7026", SEVERITY_ERROR, NULL,
                     mllog_line(a->log->bytes, start->at),
                     "the clock starts %.4g min after init_start, expected at most %g min",
                     ms / 60000, limit / 60000);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the clock starts %.4g min after init_start, expected at most %g min",
     .zh = "计时在 init_start 之后 {1} 分钟才开始，初始化至多允许 {2} 分钟"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7026 = {
    .id = "FP7026",
    .severity = SEVERITY_ERROR,
    .also = 0,
    .title = {"初始化的时限", "Time limit of initialisation"},
    .statement = {"从 init_start 到 run_start 的初始化时间不得超过时限。",
                  "The event run_start must follow init_start within the time limit for "
                  "initialisation."},
    .source = "training_policies d73e20f1, \"Run Results\"",
    .example = "the clock starts 30.11 min after init_start, 30 are allowed",
    .messages = messages,
    .log = check_log_initialisation,
};
