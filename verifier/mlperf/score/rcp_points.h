/*
 * rcp_points: reference convergence points, training_X.Y.Z.json (MLPERF.md 6.1).
 *
 * A point is what the reference implementation needed to converge with one batch size, several
 * times; units are those of the benchmark's measure of progress.
 */
#pragma once

#include "base/diag.h"
#include "base/files/file.h"
#include "verifier/mlperf/score/student.h"

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
    struct student_kept *student; /* of the round; NULL: none are kept */
};

struct rcp_points {
    const char *file, *sha256;
    struct bytes text;
    struct rcp_benchmark *benchmarks;
    size_t n_benchmarks;
};

/* What is known without reading them, which takes as long as many logs: enough for a log by itself.
 * The text stays the caller's; `file` is what diagnostics call it. */
void rcp_points_open(const char *file, struct bytes text, struct arena *arena,
                     struct rcp_points *out);

/* -1 after diagnostics. */
int rcp_points_read(struct rcp_points *points, struct arena *arena, struct diags *diags);

/* NULL: there are none. */
const struct rcp_benchmark *rcp_points_of(const struct rcp_points *points, const char *benchmark);
