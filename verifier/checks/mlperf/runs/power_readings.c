/* FP7039: There are 60 readings at least, one a second */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include "base/files/file.h"

static void check_node_readings(struct mlperf_runs *r, const struct mlperf_run_of *run,
                                const struct mlperf_file *file)
{
    const struct mlperf_power_facts *f = &file->facts.power;
    double every = (f->last_ms - f->first_ms) / ((double)f->n_readings - 1) / 1000;
    if (f->n_readings < 60)
        mlperf_found(r->findings, r->arena, "FP7039", SEVERITY_NOTICE, run->power->shown, 0,
                     "%s: %zu readings, expected at least 60", path_base(file->path),
                     f->n_readings);
    if (f->n_readings > 1 && every > 1.05)
        mlperf_found(r->findings, r->arena, "FP7039", SEVERITY_NOTICE, run->power->shown, 0,
                     "%s: one reading every %.2f s, expected one per second", path_base(file->path),
                     every);
}

static void check_runs_power_readings(struct mlperf_runs *r)
{
    for (size_t i = 0; i < r->n; i++)
        for (size_t k = 0; r->runs[i].power && k < r->runs[i].power->n_nodes; k++)
            check_node_readings(r, &r->runs[i], &r->tree->files[r->runs[i].power->nodes[k]]);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%s: %zu readings, expected at least 60",
     .zh = "功耗日志 {1} 只有 {2} 个读数，至少应有 60 个"},
    {.en = "%s: one reading every %.2f s, expected one per second",
     .zh = "功耗日志 {1} 每 {2} 秒有一个读数，应为每秒一个"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7039 = {
    .id = "FP7039",
    .severity = SEVERITY_NOTICE,
    .also = 0,
    .title = {"功耗日志的读数", "Readings of power"},
    .statement = {"功耗日志必须有至少 60 个读数，且每秒一个。",
                  "A power log must contain at least 60 readings, one per second."},
    .source = "training_policies, power_measurement.adoc, \"Report 1 Measurement per Second\"",
    .example = "node_1.txt: a reading every 2.23 s, expected one a second",
    .messages = messages,
    .runs = check_runs_power_readings,
};
