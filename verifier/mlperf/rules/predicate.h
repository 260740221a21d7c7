/*
 * predicate: a condition of a rule file on one record (MLPERF.md 3.2).
 *
 *   {"path": p, OP: x, …}, {"expr": e, OP: x, …}   OP: eq ne in lt le gt ge; abs_tol with eq
 *   {"has": p}, {"has_any": [p, …]}                the member exists; null counts
 *   {"when": p, "then": q}                         p does not exist, or q holds
 *   {"all": [q, …]}
 *   {"after": k}, {"not_after": k}                 did a record of key k come before?
 *   {"elapsed_since": k, "pick": "min", "lt_ms": n}
 *   {"is_integer": e, "tol": t}
 *   {"path": p, "progression": {"start": e, "step": d}}
 *
 * `severity` and `source` in a predicate say how grave it is where it fails, and who asks for it
 * (`beyond`, MLPERF.md 3.6).
 */
#pragma once

#include "verifier/mlperf/rules/expression.h"

struct mlperf_predicate {
    const struct json *json; /* as the rule file has it, for messages */
    const struct predicate_form *form;
    enum severity severity;    /* SEVERITY_ERROR where it says none */
    const char *source;        /* NULL */
    struct mlperf_path *paths; /* path, has, has_any, when */
    size_t n_paths;
    const struct mlperf_expression *expression; /* expr, is_integer; NULL: paths[0] */
    struct predicate_operation *operations;     /* OP */
    size_t n_operations;
    const struct mlperf_predicate *inner; /* then, all */
    size_t n_inner;
    uint32_t name;             /* after, not_after, elapsed_since */
    uint32_t by;               /* lt_ms chosen by a key; MLLOG_NAME_NONE */
    const struct json *limits; /* lt_ms */
    double tolerance;          /* abs_tol, tol; NaN: none */
    const struct mlperf_expression *start, *step;
    size_t progression; /* its place in mlperf_scope.expected */
};

/* What one set has seen while records go by. Tables are by the number of a name. */
struct mlperf_scope {
    const struct mllog_value *lets;
    const bool *seen;                  /* came before */
    const double *least_time;          /* of these */
    const struct mllog_record **first; /* of the whole file; NULL: none */
    struct mllog_value *expected;      /* of each progression; MISSING at first */
    size_t n_names;
    bool plain_booleans; /* true and false are no numbers */
};

enum mlperf_holds {
    PREDICATE_HOLDS,
    PREDICATE_FAILS,
    PREDICATE_UNFIT, /* fails, for a place is missing or of a type that cannot be asked this */
};

/* False after a diagnostic. */
bool mlperf_predicate_compile(struct rule_compiler *c, const struct json *json,
                              struct mlperf_predicate *out);
/* An array of them; NULL is none. */
bool mlperf_predicates_compile(struct rule_compiler *c, const struct json *json,
                               const struct mlperf_predicate **out, size_t *n);

enum mlperf_holds mlperf_predicate_holds(const struct mlperf_predicate *p,
                                         const struct mllog_record *record,
                                         struct mlperf_scope *scope);

/* As the rule file has it, on one line, without severity and source. */
const char *mlperf_predicate_text(const struct mlperf_predicate *p, struct arena *arena);

/* The value of the record that it asks for, "0.91"; NULL where it asks for none. */
const char *mlperf_predicate_found(const struct mlperf_predicate *p,
                                   const struct mllog_record *record,
                                   const struct mlperf_scope *scope, struct arena *arena);
