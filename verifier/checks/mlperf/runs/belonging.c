/* FP7031: The benchmark of a log is that of its directory, its division that of its system */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include <string.h>

static void check_runs_belonging(struct mlperf_runs *r)
{
    const char *division = r->system ? r->system->division : NULL;
    for (size_t i = 0; i < r->n; i++) {
        const struct mlperf_run_of *run = &r->runs[i];
        const char *benchmark = run->log->benchmark, *logged = run->log->division;
        if (*r->directory->system && benchmark && strcmp(benchmark, r->directory->name) != 0)
            mlperf_found(r->findings, r->arena, "FP7031", SEVERITY_ERROR, run->file->shown, 0,
                         "the log has submission_benchmark '%s', but is in the directory of %s",
                         benchmark, r->directory->name);
        if (division && logged && strcmp(logged, division) != 0)
            mlperf_found(r->findings, r->arena, "FP7031", SEVERITY_ERROR, run->file->shown, 0,
                         "the log has submission_division '%s', but the description of its system "
                         "says %s",
                         logged, division);
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the log has submission_benchmark '%s', but is in the directory of %s",
     .zh = "日志写的基准测试（submission_benchmark）为“{1}”，但日志放在 {2} 的目录中"},
    {.en = "the log has submission_division '%s', but the description of its system says %s",
     .zh = "日志写的组别（submission_division）为“{1}”，但系统的描述写的组别为 {2}"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7031 = {
    .id = "FP7031",
    .severity = SEVERITY_ERROR,
    .also = 0,
    .title = {"日志所属的基准测试与组别", "Benchmark and division of a log"},
    .statement = {"日志所写的基准测试必须与所在目录的一致，所写的组别必须与系统描述的一致。",
                  "A log must name the benchmark of the folder that contains it, and the division "
                  "in the description of its system."},
    .source = "the number of runs, seeds and RCPs depend on them",
    .example = "submission_benchmark 'retinanet' in the directory of rgat",
    .messages = messages,
    .runs = check_runs_belonging,
};
