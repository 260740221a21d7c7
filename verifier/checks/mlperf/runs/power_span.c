/* FP7038: The measurement of power covers the whole run */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include "base/files/file.h"

static void check_node_span(struct mlperf_runs *r, const struct mlperf_run_of *run,
                            const struct mlperf_file *file)
{
    const struct mlperf_power_facts *f = &file->facts.power;
    double late = f->begin_ms - run->log->start_ms, early = run->log->stop_ms - f->last_ms;
    if (late > 0)
        mlperf_found(r->findings, r->arena, "FP7038", SEVERITY_WARNING, run->power->shown, 0,
                     "%s: the first reading is %g s after run_start", path_base(file->path),
                     late / 1000);
    else if (early > 0)
        mlperf_found(r->findings, r->arena, "FP7038", SEVERITY_WARNING, run->power->shown, 0,
                     "%s: the last reading is %g s before run_stop", path_base(file->path),
                     early / 1000);
}

static void check_runs_power_span(struct mlperf_runs *r)
{
    for (size_t i = 0; i < r->n; i++)
        for (size_t k = 0; r->runs[i].power && k < r->runs[i].power->n_nodes; k++)
            check_node_span(r, &r->runs[i], &r->tree->files[r->runs[i].power->nodes[k]]);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%s: the first reading is %g s after run_start",
     .zh = "功耗日志 {1} 的第一个读数比 run_start 晚 {2} 秒"},
    {.en = "%s: the last reading is %g s before run_stop",
     .zh = "功耗日志 {1} 的最后一个读数比 run_stop 早 {2} 秒"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7038 = {
    .id = "FP7038",
    .severity = SEVERITY_WARNING,
    .also = 0,
    .title = {"功耗日志覆盖的时间", "Time span of the power log"},
    .statement = {"功耗日志的读数必须覆盖从 run_start 到 run_stop 的整个时间。",
                  "The power measurement must cover the whole run, from run_start to run_stop."},
    .source = "training_policies, power_measurement.adoc, \"Measure max(a run, 60 power samples)\"",
    .example = "node_1.txt: begins 0.905 s after run_start",
    .messages = messages,
    .runs = check_runs_power_span,
};
