/*
 * small_facts: the files of a package beside the logs of runs: descriptions of systems,
 * scaling.json, package_checker_params and power logs (MLPERF.md 4 and 5).
 *
 * Sandboxed code, as log_facts.h.
 */
#pragma once

#include "verifier/mlperf/log/mllog.h"
#include "verifier/mlperf/package/facts.h"

#define MLPERF_SMALL_MAX ((size_t)1 << 20) /* bytes of a file that is no log */

void mlperf_read_system(struct bytes bytes, struct arena *arena, struct mlperf_system_facts *out);
void mlperf_read_scaling(struct bytes bytes, struct arena *arena, struct mlperf_scaling_facts *out);
void mlperf_read_bypass(struct bytes bytes, struct mlperf_bypass *out);

/* `names` are those of a ruleset. */
void mlperf_read_power(struct bytes bytes, const struct mllog_names *names, struct arena *arena,
                       struct mlperf_power_facts *out);

/* "Available on-premise" … of a status as any round wrote it; NULL: it is no such word. */
const char *mlperf_availability(const char *status);
