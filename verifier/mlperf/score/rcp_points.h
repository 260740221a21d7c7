/*
 * rcp_points: reference convergence points, training_X.Y.Z.json (MLPERF.md 6.1).
 *
 * A point is what the reference implementation needed to converge with one batch size, several
 * times; units are those of the benchmark's measure of progress.
 */
#ifndef VERIFIER_MLPERF_SCORE_RCP_POINTS_H
#define VERIFIER_MLPERF_SCORE_RCP_POINTS_H

#include "base/diag.h"
#include "base/files/file.h"

struct rcp_point {
    const char *name;
    double batch_size;
    double *runs; /* ascending */
    size_t n_runs;
};

struct rcp_benchmark {
    const char *name;
    struct rcp_point *points; /* by batch size */
    size_t n_points;
};

struct rcp_points {
    const char *file, *sha256;
    struct rcp_benchmark *benchmarks;
    size_t n_benchmarks;
};

/* -1 after diagnostics: `file` is what they call it. */
int rcp_points_read(const char *file, struct bytes bytes, struct arena *arena,
                    struct rcp_points *out, struct diags *diags);

/* NULL: there are none. */
const struct rcp_benchmark *rcp_points_of(const struct rcp_points *points, const char *benchmark);

#endif
