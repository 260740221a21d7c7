/*
 * energy: of a run, from its power logs (MLPERF.md 5; policy, "Power Measurement": scoring).
 *
 *   node     sum of reading (W) * time since the one before, times conversion_eff, times
 *            (run_stop - run_start) / (stop - start); without a stop, the last reading
 *   switch   conversion_eff * interconnect_power_est * (run_stop - run_start)
 *
 * The sum of all is the energy in J.
 */
#pragma once

#include "verifier/mlperf/package/tree.h"

/* NaN where it cannot be computed; *why is the reason then, and *file the file it is about. */
double mlperf_energy(const struct mlperf_tree *tree, const struct mlperf_power_folder *folder,
                     const struct mlperf_log_facts *log, struct arena *arena, const char **why);
