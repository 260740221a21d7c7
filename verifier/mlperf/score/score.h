/*
 * score: time to train of a directory of runs (MLPERF.md 5; policy, "Benchmark Results").
 *
 * Logs that do not comply are dropped as the slowest. Of the others, sorted by time, the k fastest
 * and as many of the slowest as are left of k go, and the mean of the rest, times the scaling
 * factor, is the score.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct mlperf_run {
    double minutes;
    bool complies;
    bool kept; /* set: it is in the mean */
};

struct mlperf_score {
    size_t n_kept;
    double unscaled, minutes; /* NaN: no score */
};

void mlperf_score(struct mlperf_run *runs, size_t n, size_t k, double factor,
                  struct mlperf_score *out);
