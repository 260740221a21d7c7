/*
 * result: what a verdict about MLPerf results says beside its findings (MLPERF.md 9).
 *
 * One for each benchmark directory, one for each package, one for each log that was named by
 * itself, one for each record. The document is schema fpreport.verify/1 with one more member,
 * "mlperf".
 */
#pragma once

#include "base/json/json.h"
#include "base/records/mlperf_record.h"
#include "base/records/verdict.h"
#include "verifier/mlperf/package/runs.h"

enum mlperf_result_kind {
    MLPERF_RESULT_LOG,
    MLPERF_RESULT_DIRECTORY,
    MLPERF_RESULT_PACKAGE,
    MLPERF_RESULT_RECORD
};

struct mlperf_result {
    enum mlperf_result_kind kind;
    const struct mlperf_ruleset *rules;
    const struct rcp_points *points;
    const struct mlperf_file *log;        /* of LOG */
    const struct mlperf_package *package; /* of the others */
    const struct mlperf_runs *runs;       /* of DIRECTORY */
    bool official_success;                /* of PACKAGE */
    const struct mlperf_record *record;   /* of RECORD */
    size_t n_follow;                      /* its scores that sealed logs give */
};

/* The member "mlperf" of a run. */
void mlperf_result_json(const struct mlperf_result *r, struct json_writer *w);

/* For a terminal: a line for each log in front of the findings, and a line about the whole behind
 * them. `all`: also logs that comply. */
void mlperf_result_logs_text(const struct mlperf_result *r, bool all, struct buf *out);
void mlperf_result_text(const struct mlperf_result *r, struct buf *out);

/* Figures as metrics of the verdict. */
void mlperf_result_metrics(const struct mlperf_result *r, struct arena *arena,
                           struct verdict *verdict);
