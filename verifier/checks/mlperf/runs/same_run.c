/* FP7034: No two logs of a directory start and stop at the same time */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include "base/files/file.h"

static void check_runs_same_run(struct mlperf_runs *r)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct mlperf_log_facts *log = r->runs[i].log;
        for (size_t k = 0; k < i; k++) {
            const struct mlperf_log_facts *earlier = r->runs[k].log;
            if (log->start_ms != earlier->start_ms || log->stop_ms != earlier->stop_ms)
                continue;
            mlperf_found(r->findings, r->arena, "FP7034", SEVERITY_ERROR, r->runs[i].file->shown, 0,
                         "this run is the same as %s: run_start and run_stop are equal",
                         path_base(r->runs[k].file->path));
            break;
        }
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "this run is the same as %s: run_start and run_stop are equal",
     .zh = "这份日志与日志 {1} 记录的是同一次运行：两份日志的 run_start 和 run_stop 都相同"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7034 = {
    .id = "FP7034",
    .severity = SEVERITY_ERROR,
    .also = 0,
    .title = {"各次运行互相独立", "Independent runs"},
    .statement = {"同一目录的任意两份日志，运行的起止时间不得相同。",
                  "Two logs of one result folder may not have the same start and stop times."},
    .source = "training_policies d73e20f1, \"Scoring\": N independent runs",
    .example = "the same run as result_0.txt: run_start and run_stop are equal",
    .messages = messages,
    .runs = check_runs_same_run,
};
