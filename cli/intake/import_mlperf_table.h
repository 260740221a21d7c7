/*
 * import_mlperf_table: `fpreport import` of the table of results that MLCommons publishes for a
 * round (collector/page/mlperf_table.h).
 *
 * The table is taken apart in a worker. Its rows become records whose minutes are stated; a record
 * of the system that is there already, made of its package, keeps runs and evidence.
 */
#pragma once

#include "cli/cli.h"

/* By its ending: .csv or .tsv. */
bool import_is_mlperf_table(const char *path);

/* An exit code; what is wrong is said. */
int import_mlperf_table(struct cli *cli, const char *path);
