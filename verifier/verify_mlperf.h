/*
 * verify_mlperf: verdicts about results of MLPerf Training (MLPERF.md 9).
 *
 * What is named may be logs, directories of runs, packages, whole rounds or archives of sealed
 * logs. Everything is listed first, then read once by workers (mlperf/package/read.h), and then
 * compared. Nothing is written into what is audited.
 */
#pragma once

#include "base/records/verdict.h"
#include "verifier/checks/rules.h"
#include "verifier/mlperf/package/tree.h"
#include "verifier/mlperf/result/result.h"
#include "verifier/mlperf/rules/rulebook.h"

struct mlperf_input_path {
    const char *path;
    enum mlperf_input kind; /* none of MLPERF_RECORD: verify_mlperf_record.h */
    /* Of MLPERF_SEALED: the folder below which the archive lies, whose organisation's it is, and
     * the score that it is evidence of, with the file of its record; NULL: nobody says. */
    const char *folder, *organisation, *stated_in;
    const struct mlperf_score_record *stated;
};

struct mlperf_request {
    struct mlperf_rulebook *book;
    const char *ruleset;       /* NULL: by the path, else the newest */
    const struct rules *rules; /* --only; NULL: all */
    const struct mlperf_input_path *inputs;
    size_t n_inputs;
    /* Where it is noted that a path names no round, and which was taken; NULL: not asked. */
    void (*noted)(void *context, const char *path, const char *version);
    void *context;
};

/* Verdicts for each directory, each package and each log that was named by itself, in the order of
 * the paths. -1 where an input cannot be read, a round is not known or this machine failed. */
int verify_mlperf(const struct mlperf_request *request, struct arena *arena, struct diags *diags,
                  struct verdict **verdicts, size_t *n, struct err *err);

/* Reference points of the round; NULL after a diagnostic. */
const struct rcp_points *mlperf_points_of_round(const struct mlperf_rulebook *book,
                                                const char *version, struct arena *arena,
                                                struct diags *diags);
