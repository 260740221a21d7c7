/* same: logs that are the same file, byte by byte, in different folders. */
#pragma once

#include "verifier/mlperf/package/tree.h"

struct mlperf_same {
    const struct mlperf_file *later, *earlier; /* by path */
    const struct mlperf_package *later_package, *earlier_package;
    const struct mlperf_directory *later_directory, *earlier_directory;
};

/* Each log that is the same as an earlier one of another directory, with the first of these.
 * Candidates have the same size and times, and are then compared byte by byte. */
const struct mlperf_same *mlperf_same_logs(const struct mlperf_tree *tree, struct arena *arena,
                                           size_t *n);
