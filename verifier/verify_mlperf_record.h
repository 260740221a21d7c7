/*
 * verify_mlperf_record: a record of MLPerf results (base/records/mlperf_record.h) beside its sealed
 * logs.
 *
 * Each archive that the record names is read as `fpreport verify` reads it by itself, and its score
 * is held to the minutes that are stated. The record has a verdict of its own behind them: verified
 * where all scores follow from their logs, partial where some have none, unverified where no score
 * has, failed where one is contradicted, or its archive is missing or another.
 */
#pragma once

#include "verifier/verify_mlperf.h"

/* `records`: the folder below which evidence lies. Of `request` the inputs are not looked at, and
 * `ruleset` NULL is the record's. As verify_mlperf(). */
int verify_mlperf_record(const struct mlperf_request *request, const struct mlperf_record *record,
                         const char *records, struct arena *arena, struct diags *diags,
                         struct verdict **verdicts, size_t *n, struct err *err);
