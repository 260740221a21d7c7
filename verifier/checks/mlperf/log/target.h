/* target: which evaluations of a log reach what the rules want of one. */
#pragma once

#include "verifier/mlperf/package/log_facts.h"

struct mlperf_target {
    const struct mllog_record *reached;         /* the first that reaches it; NULL */
    const struct mllog_record *reached_in_time; /* the first between the last run_start and the
                                                   last run_stop, in order and in time; NULL */
    const struct mllog_record *last;            /* evaluation before the last run_stop; NULL */
    bool last_reaches;
};

/* False where the rules want nothing of single evaluations, the division is not closed, or the log
 * lacks run_start or run_stop. */
bool mlperf_target_of(const struct mlperf_log_audit *a, struct mlperf_target *out);

bool mlperf_log_is_closed(const struct mlperf_log_audit *a);
