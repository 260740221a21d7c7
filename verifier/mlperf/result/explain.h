/*
 * explain: how a figure of a directory of runs, or of a log by itself, came about, with the numbers
 * filled in (MLPERF.md 5 and 6). METRIC is one of the names of result_metrics.c.
 */
#pragma once

#include "base/arena.h"
#include "verifier/mlperf/result/result.h"

/* False: there is no such metric; a log by itself has only its time and its samples. */
bool mlperf_explain(const struct mlperf_result *r, const char *metric, struct buf *out);

/* "time_to_train, rcp_factor, …" */
const char *mlperf_explain_metrics(struct arena *arena);
