/*
 * rcp: does a directory of runs converge as the reference does? (MLPERF.md 6; official checker,
 * rcp_checker.py; policy, "Reference Convergence Points")
 *
 *   S         mean of what the runs needed, without the k least and the k largest
 *   m, s      of a point: the same mean of its r runs; population deviation of all of them
 *   least     m if s = 0, else max(0, m - t * s * sqrt(1/n_ref + 1/n_sub)), n_ref = r - 2k,
 *             n_sub = N - 2, t of n_ref + n_sub - 2 degrees of freedom (student.h)
 *   verdict   PASS iff S >= least - slack; the factor max(1, m / S) scales the score
 *
 * Points that lie above the line through their neighbours are pruned before a batch size is
 * matched. The official tool leaves the policy in three places; each can be asked for by itself
 * (enum rcp_way).
 */
#pragma once

#include "base/sentence.h"
#include "verifier/mlperf/score/rcp_points.h"

#define RCP_INFINITE 1e9 /* what a run that did not converge needed, among those of others */

enum rcp_verdict { RCP_PASS, RCP_FAIL, RCP_CANNOT };
const char *rcp_verdict_name(enum rcp_verdict v); /* "PASS" "FAIL" "CANNOT" */

enum rcp_how {
    RCP_NOT_ASKED,
    RCP_FOUND,
    RCP_INTERPOLATED,
    RCP_SMALLER,
    RCP_MISSING,
    RCP_NONE,
    RCP_NOT_CONVERGED,
    RCP_NO_BATCH_SIZE,
    RCP_TOO_FEW_RUNS
};
const char *rcp_how_name(enum rcp_how how); /* "" "found" … "not converged" … */
extern const struct words rcp_messages[];   /* of these names (base/sentence.h) */

/* By which reading of the rules; 0 is the official tool's. */
enum rcp_way {
    RCP_WAY_ENVELOPE = 1,  /* pruning steps back after a deletion */
    RCP_WAY_DEVIATION = 2, /* of the runs that are kept alone */
    RCP_WAY_NO_SLACK = 4
};

/* What is tested. */
struct rcp_runs {
    size_t runs, drop;    /* N and k of the benchmark */
    double slack;         /* of the benchmark */
    double batch_size;    /* NaN: not the same in all logs, or not there */
    const double *needed; /* of each log; INFINITY: did not converge */
    size_t n;
};

struct rcp_test {
    enum rcp_verdict verdict;
    enum rcp_how how;
    double batch_size;     /* NaN: none */
    double mean;           /* S; NaN */
    double reference_mean; /* m; NaN without a point */
    double deviation;      /* s */
    double degrees, t;     /* of the least mean; NaN where s = 0 */
    double n_reference, n_submission;
    double least; /* without slack; NaN without a point */
    double slack;
    double factor; /* 1 unless PASS */
};

/* `points` NULL: the benchmark has none. */
void rcp_check(const struct rcp_runs *runs, const struct rcp_benchmark *points, unsigned way,
               struct rcp_test *out);

/* For tests: mean, deviation and least mean of one point. */
void rcp_point_figures(const struct rcp_point *point, const struct rcp_runs *runs, unsigned way,
                       struct rcp_test *out);
