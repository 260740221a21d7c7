/*
 * mlperf_rule: a rule about MLPerf results, one file and one row each (MLPERF.md 8).
 *
 *   log/       about one log: asked in the worker that reads it
 *   runs/      about a directory of runs
 *   package/   about a package of an organisation
 *
 * FP7001 to FP7019 are the official rules, FP7020 on what the policy or arithmetic forbids and the
 * official checker does not test.
 */
#pragma once

#include "base/json/shape.h"
#include "base/sentence.h"
#include "verifier/mlperf/package/runs.h"
#include "verifier/mlperf/package/same.h"

/* A package with all its directories. */
struct mlperf_package_audit {
    const struct mlperf_tree *tree;
    const struct mlperf_package *package;
    const struct mlperf_ruleset *rules;
    struct mlperf_runs *runs;       /* of each directory */
    const struct mlperf_same *same; /* of all packages of the call */
    size_t n_same;
    struct arena *arena;
    struct mlperf_findings *findings;
};

struct mlperf_rule {
    const char *id;
    enum severity severity; /* the worst that a finding may have */
    unsigned also;          /* 1 << severity of the others */
    struct words title, statement;
    const char *source;  /* who asks for it */
    const char *example; /* a finding, as it reads */
    /* What its findings say, until a row without texts (base/sentence.h); NULL: they quote a room.
     */
    const struct words *messages;
    /* Exactly one of these. */
    void (*log)(struct mlperf_log_audit *a);
    void (*runs)(struct mlperf_runs *r);
    void (*package)(struct mlperf_package_audit *p);
};

#define ALSO_WARNING (1U << SEVERITY_WARNING)
#define ALSO_NOTICE (1U << SEVERITY_NOTICE)

/* By id. */
const struct mlperf_rule *const *mlperf_rules(size_t *n);

/* NULL: there is none of this id. */
const struct mlperf_rule *mlperf_rule_find(const char *id);

/* "error", "error or warning": what a finding of the rule may be. */
const char *mlperf_rule_severities(const struct mlperf_rule *r, struct arena *arena);
