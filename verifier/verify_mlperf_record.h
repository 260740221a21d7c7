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

#include "verifier/mlperf/package/runs.h"
#include "verifier/verify_mlperf.h"

/* `records`: the folder below which evidence lies. Of `request` the inputs are not looked at, and
 * `ruleset` NULL is the record's. As verify_mlperf(). */
int verify_mlperf_record(const struct mlperf_request *request, const struct mlperf_record *record,
                         const char *records, struct arena *arena, struct diags *diags,
                         struct verdict **verdicts, size_t *n, struct err *err);

/* What the sealed logs of a directory of MLPerf runs give.
 *
 * `fpreport import --seal` puts the logs of each directory, the power logs beside them and the
 * description of the system into one archive (base/sealed/submission.h), under the names that they
 * have in the package: unpacked, `fpreport verify` reads it as one. Here it is opened in a worker
 * (base/process/worker.h) and the score is computed again by the rules of the round. */

enum mlperf_sealed_fault {
    SEALED_WHOLE,
    SEALED_BROKEN, /* the archive is */
    SEALED_OTHER,  /* it is of other results */
    SEALED_UNREAD, /* its worker ended */
    SEALED_MISSING,
    SEALED_NO_RULES
};

struct mlperf_sealed {
    struct bytes packed; /* the archive */
    const char *path;    /* what messages call it */
    const char *package, *system, *benchmark;
    const struct mlperf_ruleset *rules;
    const struct rcp_points *points;
    /* What is found. */
    enum mlperf_sealed_fault fault; /* why nothing is recomputed */
    double minutes;                 /* the score; NaN: the logs give none */
};

/* A text without values; NULL of SEALED_WHOLE. */
const char *mlperf_sealed_fault(enum mlperf_sealed_fault fault);

void verify_mlperf_sealed(struct mlperf_sealed *x);
