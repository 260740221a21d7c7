/* FP7037: The energy of a run can be computed from its power logs */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include <math.h>

static void check_runs_energy(struct mlperf_runs *r)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct mlperf_run_of *run = &r->runs[i];
        if (run->power && run->power->there && isnan(run->energy_j))
            mlperf_found(r->findings, r->arena, "FP7037", SEVERITY_WARNING, run->power->shown, 0,
                         "%s", run->no_energy);
    }
}

const struct mlperf_rule mlperf_rule_fp7037 = {
    .id = "FP7037",
    .severity = SEVERITY_WARNING,
    .also = 0,
    .title = {"运行的能耗", "Energy of a run"},
    .statement = {"由功耗日志必须能算出运行的能耗。",
                  "The power logs of a run must contain all values from which its energy is "
                  "computed."},
    .source = "training_policies, power_measurement.adoc, \"Scoring\"",
    .example = "node_0.txt: power_measurement_stop is not later than the start",
    .runs = check_runs_energy,
};
