/*
 * mlperf_table: the table of results that MLCommons publishes for a round of MLPerf Training, and
 * that the official summarizer writes (mlcommons/logging, result_summarizer), as records.
 *
 *   division,availability,submitter,system,number_of_nodes,…,llama31_8b,…,details_url
 *
 * A row is a system; the columns of benchmarks hold minutes, empty where nothing was submitted.
 * Columns are known by their names in any letter case, with or without blanks and marks: benchmarks
 * by their id or by the model that the round's `title` has, where that stands in the header or in
 * a line above it. Lines with one cell are headings of an availability. A column that is neither
 * known nor empty is reported. Figures are stated: nothing is computed here.
 */
#pragma once

#include "base/diag.h"
#include "base/records/mlperf_record.h"
#include "collector/page/csv_grid.h"

/* A benchmark of the round, in its order. */
struct mlperf_table_benchmark {
    const char *id, *area, *data, *model;
};

/* "5.1" of the first public id ("5.1-0001") in the table; NULL: it has none. */
const char *mlperf_table_round(const struct csv_grid *grid, struct arena *arena);

/*
 * Records of the systems, in the order of the rows; `round`, `ruleset` and `runs` are left to the
 * caller. Package and system are the folders that details_url names (…/ORG/systems/SYSTEM.json);
 * without one, `named` is false and they are made of submitter and system, each once.
 */
struct mlperf_table_row {
    struct mlperf_record record;
    bool named;
};

struct mlperf_table {
    struct mlperf_table_row *rows;
    size_t n;
};

/* -1 after an error in `diags`: there is no such table. */
int mlperf_table_read(const struct csv_grid *grid, const char *file,
                      const struct mlperf_table_benchmark *benchmarks, size_t n_benchmarks,
                      struct arena *arena, struct mlperf_table *out, struct diags *diags);
