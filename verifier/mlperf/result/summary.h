/*
 * summary: the result table of a round (MLPERF.md 7): one row for each system, with its minutes by
 * benchmark. Columns are those of the official tool's table; rows are sorted by all of them. The
 * same packages give the same bytes, and nothing is read or written but them.
 */
#pragma once

#include "base/arena.h"
#include "verifier/mlperf/result/result.h"

/* A system of a package. */
struct mlperf_summary_row {
    const struct mlperf_package *package;
    const char *system; /* name of its folder */
    const struct mlperf_system_facts *facts;
    const struct mlperf_runs **runs; /* by benchmark of the round; NULL: not submitted */
    const char *sorted_by;
};

struct mlperf_summary {
    const struct mlperf_ruleset *rules; /* of the first result: tables hold one round */
    struct mlperf_summary_row *rows;
    size_t n;
};

/* Of verdicts about directories. Rows of another round than the first are left out. */
void mlperf_summarise(const struct verdict *verdicts, size_t n, struct arena *arena,
                      struct mlperf_summary *out);

struct mlperf_summary_format {
    const char *name;
    void (*write)(const struct mlperf_summary *s, struct arena *arena, struct buf *out);
};
extern const struct mlperf_summary_format mlperf_summary_formats[]; /* ends with a NULL name */
