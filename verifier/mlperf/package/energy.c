#include "verifier/mlperf/package/energy.h"

#include <math.h>

/* The end of the measurement: the stop, else the last reading; NaN. */
static double mlperf_power_end(const struct mlperf_power_facts *f)
{
    return isnan(f->end_ms) ? f->last_ms : f->end_ms;
}

static const char *fault_of_node(const struct mlperf_power_facts *f)
{
    if (f->refused)
        return f->refused;
    if (isnan(f->begin_ms))
        return "found no power_measurement_start";
    if (!(mlperf_power_end(f) > f->begin_ms))
        return isnan(f->end_ms) ? "found no reading after power_measurement_start"
                                : "power_measurement_stop is not later than "
                                  "power_measurement_start";
    return NULL;
}

static double energy_of_node(const struct mlperf_power_facts *f, double run_ms)
{
    return f->watt_ms * f->efficiency * run_ms / (mlperf_power_end(f) - f->begin_ms) / 1000;
}

double mlperf_energy(const struct mlperf_tree *tree, const struct mlperf_power_folder *folder,
                     const struct mlperf_log_facts *log, struct arena *arena, const char **why)
{
    double run_ms = log->stop_ms - log->start_ms, sum = 0;
    *why = NULL;
    if (isnan(run_ms))
        *why = "the log has no run_start or no run_stop";
    if (!folder->n_nodes)
        *why = "found no node_N.txt";
    for (size_t i = 0; i < folder->n_nodes && !*why; i++) {
        const struct mlperf_file *file = &tree->files[folder->nodes[i]];
        const char *fault = fault_of_node(&file->facts.power);
        if (fault)
            *why = sentence_say(arena, "%s: %s", path_base(file->path), fault);
        else
            sum += energy_of_node(&file->facts.power, run_ms);
    }
    for (size_t i = 0; i < folder->n_switches && !*why; i++) {
        const struct mlperf_file *file = &tree->files[folder->switches[i]];
        const struct mlperf_power_facts *f = &file->facts.power;
        if (f->refused || isnan(f->estimate))
            *why =
                sentence_say(arena, "%s: found no interconnect_power_est", path_base(file->path));
        else
            sum += f->efficiency * f->estimate * run_ms / 1000;
    }
    return *why ? NAN : sum;
}
