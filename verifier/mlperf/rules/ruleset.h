/*
 * ruleset: one file of rules, training_X.Y.Z.json, compiled (format 2, MLPERF.md 3).
 *
 * The file is data: sets of rules by key (the official checker's, translated), the benchmarks of
 * the round, and `beyond`, what the policy fixes and the official checker does not test. Everything
 * is compiled once; a ruleset is then constant and may be read by several threads.
 */
#pragma once

#include "verifier/mlperf/rules/predicate.h"

struct mlperf_predicates {
    const struct mlperf_predicate *items;
    size_t n;
};

/* A value that opens another set. */
struct mlperf_include {
    const char *value;
    const struct mlperf_set *set;
};

/* An entry of a set: what holds for the records of one key. */
struct mlperf_key {
    const char *key;
    uint32_t name;
    bool exactly_one;
    size_t at_least;
    const uint32_t *any_of; /* names, ascending; at least one of them occurs */
    size_t n_any_of;
    struct mlperf_predicates each, first, some;
    struct mlperf_include *includes;
    size_t n_includes;
};

/* `let`: the value of the first record of a key, or an expression of the names above. */
struct mlperf_let {
    uint32_t of; /* a name; MLLOG_NAME_NONE: the expression */
    const struct mlperf_expression *expression;
};

/* Records of `from` with the same value at `by` make one more record, of key `as`. */
struct mlperf_group {
    uint32_t from, as;
    struct mlperf_predicate where;
    struct mlperf_path by, field_name, field_value;
};

struct mlperf_set {
    const char *name;
    const char *source; /* its file in the official checker */
    struct mlperf_key *keys;
    size_t n_keys;
    int16_t *entry; /* by name: place in `keys`; -1 */
    struct mlperf_let *lets;
    size_t n_lets;
    struct mlperf_group *groups;
    size_t n_groups;
};

/* When the policy wants an evaluation. */
struct mlperf_schedule {
    double every;                         /* 0: it says nothing */
    const char *unit;                     /* "samples", "epochs" */
    const struct mlperf_expression *skip; /* of global_batch_size; NULL: none */
};

struct mlperf_benchmark {
    const char *name;
    size_t runs, drop; /* N, k */
    struct mlperf_path progress;
    bool by_samples;           /* progress is samples_count */
    int round_digits;          /* -1: not rounded */
    const char *reached_group; /* `reached_by`: the group whose records decide; NULL */
    struct mlperf_predicates reached;
    double rcp_slack;
    bool policy_has_slack; /* the policy grants it in this ruleset, too */
    struct mlperf_schedule schedule;
    const char *area, *data, *model; /* `title` */
    const struct mlperf_set *beyond; /* NULL */
};

struct mlperf_ruleset {
    const char *version; /* "5.1.0" */
    const char *file, *sha256;
    struct mllog_names names; /* every key that is asked for */
    struct mlperf_set *sets;
    size_t n_sets;
    const struct mlperf_set *start;
    const struct mlperf_set *beyond; /* common part; NULL */
    size_t n_progressions;
    double init_limit_closed_ms, init_limit_open_ms;
    struct mlperf_benchmark *benchmarks; /* in the order of the file */
    size_t n_benchmarks;
    bool *hyperparameters; /* of each name: is it one */
};

/* -1 after diagnostics: `file` is what they call it. */
int mlperf_ruleset_compile(const char *file, struct bytes bytes, struct arena *arena,
                           struct mlperf_ruleset *out, struct diags *diags);

/* NULL: no benchmark of this round. */
const struct mlperf_benchmark *mlperf_ruleset_benchmark(const struct mlperf_ruleset *rules,
                                                        const char *name);

/* Is a key of this name, which is one of a log, a hyperparameter? Those of the log alone all are,
 * for they have a prefix of one. */
static inline bool mlperf_ruleset_is_hyperparameter(const struct mlperf_ruleset *rules,
                                                    uint32_t name)
{
    return name >= rules->names.n || rules->hyperparameters[name];
}
