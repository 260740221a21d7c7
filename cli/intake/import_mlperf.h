/*
 * import_mlperf: `fpreport import` of packages of MLPerf Training results.
 *
 * The package is audited as `fpreport verify` does it, in workers, and what was found becomes
 * records (base/records/mlperf_record.h): one of the round, and one of each system.
 */
#pragma once

#include "cli/cli.h"

/* Is it a package, or a folder of packages? */
bool import_is_mlperf(const char *path);

/* An exit code; what is wrong is said. */
int import_mlperf(struct cli *cli, const char *path);
