/* group: records of one key that share a value become one more record (MLPERF.md 3.4). */
#pragma once

#include "verifier/mlperf/rules/ruleset.h"

/* In the order of their first members. Their values are JSON that lives in the arena. */
struct mllog_record *mlperf_group_make(const struct mlperf_group *group, const struct mllog *log,
                                       struct mlperf_scope *scope, struct arena *arena, size_t *n);
