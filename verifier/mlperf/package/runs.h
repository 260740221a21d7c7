/*
 * runs: a directory of runs as one result (MLPERF.md 4 to 6): who complies, seeds, convergence,
 * score and energy. Rules about runs are asked of it (verifier/checks/mlperf).
 */
#pragma once

#include "base/records/mlperf_record.h"
#include "base/sentence.h"
#include "verifier/mlperf/package/tree.h"
#include "verifier/mlperf/score/rcp.h"
#include "verifier/mlperf/score/score.h"

/* Why a run has no well-formed power measurement (MLPERF.md 8, FP7015). */
enum mlperf_power_fault {
    POWER_GOOD,
    POWER_MISSING,     /* there is a power/, but no folder of this run */
    POWER_OTHER_COUNT, /* another number of files than most runs */
    POWER_NAMES        /* files are not named 0 … n-1 */
};

/* A seed that a run cannot stand with. */
enum mlperf_seed_fault { SEED_GOOD, SEED_NONE, SEED_NOT_WHOLE, SEED_SHARED, SEED_UNKNOWN };

struct mlperf_run_of {
    const struct mlperf_file *file;
    const struct mlperf_log_facts *log;
    const struct mlperf_power_folder *power; /* NULL: the directory has no power/ */
    enum mlperf_power_fault power_fault;
    enum mlperf_seed_fault seed_fault;
    const char *seed;                    /* SEED_SHARED */
    const struct mlperf_file *seed_with; /* the earlier log */
    bool unfit;                          /* does not comply, or has no power measurement */
    double energy_j;                     /* NaN */
    const char *no_energy;               /* why */
};

struct mlperf_runs {
    const struct mlperf_ruleset *rules;
    const struct mlperf_tree *tree;
    const struct mlperf_package *package;
    const struct mlperf_directory *directory;
    const struct mlperf_benchmark *benchmark; /* by the directory's name: N and k; NULL */
    const struct mlperf_benchmark *logged;    /* by submission_benchmark: RCPs, progress; NULL */
    const struct mlperf_system_facts *system; /* NULL: missing or broken */
    bool closed;                              /* the system's division */
    struct mlperf_run_of *runs;               /* by path */
    struct mlperf_run *scored;                /* the same, as the score counts them */
    size_t n, n_failing, n_unfit;
    bool tolerated; /* unfit runs are dropped, and the rest is a result */
    enum rcp_verdict seeds;
    struct mlperf_bypass bypass;
    struct rcp_test rcp;
    struct rcp_runs rcp_runs; /* what was tested */
    const struct rcp_benchmark *points;
    double stated_factor; /* of scaling.json; NaN */
    struct mlperf_score score;
    double energy_j; /* NaN */
    const char *no_energy;
    /* The score of a record that these runs are the evidence of, and its file; NULL: nothing states
     * one. */
    const struct mlperf_score_record *stated;
    const char *stated_in;
    struct arena *arena;
    struct mlperf_findings *findings;
};

/* `out->findings` and what is stated are set by the caller. */
void mlperf_runs_compute(const struct mlperf_tree *tree, const struct mlperf_package *package,
                         const struct mlperf_directory *directory,
                         const struct mlperf_ruleset *rules, const struct rcp_points *points,
                         struct arena *arena, struct mlperf_runs *out);

/* Is there an error by the official tool (MLPERF.md 4.4)? */
bool mlperf_runs_official_error(const struct mlperf_runs *r);

extern const struct words mlperf_package_messages[]; /* of what files lack (base/sentence.h) */
