/*
 * log_facts: what a log of a run says, in figures (MLPERF.md 5 and 6.2).
 *
 * Sandboxed code: it looks at the bytes of a log, and asks for nothing but memory.
 */
#pragma once

#include "verifier/mlperf/package/facts.h"
#include "verifier/mlperf/rules/evaluate.h"

/* A log while it is at hand: what rules about one log are given. */
struct mlperf_log_audit {
    const struct mlperf_ruleset *rules;
    const struct mlperf_benchmark *benchmark; /* NULL: not known, or not of the round */
    const struct mllog *log;
    const struct mlperf_evaluation *evaluation;
    struct arena *arena;
    struct mlperf_log_facts *facts; /* findings go here */
};

/* Reads, evaluates and computes; no rule of the table is asked yet. */
void mlperf_log_read(const struct mlperf_ruleset *rules, struct bytes bytes, struct arena *arena,
                     struct mlperf_log_audit *out);

/* `progress` of an evaluation, in the benchmark's unit; NaN. */
double mlperf_progress(const struct mlperf_benchmark *b, const struct mllog_record *evaluation);
