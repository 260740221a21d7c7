/*
 * expression: what rule files compute with (format 2, MLPERF.md 3.3).
 *
 *   2.5, "adam"             a constant
 *   {"this": "value"}       a place in the record at hand: dots into {time_ms, key, value,
 * metadata}
 *   {"ref": "lr"}           a name that the set binds (`let`)
 *   {"mul": [x, y]}         add sub mul div pow of two expressions
 *   {"ceil": x}             ceil floor log2 abs of one
 *
 * Arithmetic is IEEE double in the order written; -ffp-contract=off of the build keeps it so. What
 * cannot be computed (a missing place, an unbound name, a text in a sum, a division by zero) gives
 * MLLOG_MISSING, and whatever asked for it fails.
 */
#pragma once

#include "base/diag.h"
#include "base/json/json.h"
#include "verifier/mlperf/log/mllog.h"

enum mlperf_root { ROOT_TIME, ROOT_KEY, ROOT_VALUE, ROOT_METADATA };

struct mlperf_path {
    enum mlperf_root root;
    const char **parts; /* names of members, from the root on */
    size_t n;
};

struct mlperf_expression; /* compiled */

/* What a set binds, in the order of the file. */
struct mlperf_lets {
    const char **names;
    size_t n;
};

/* Compiles one rule file. Every fault of the file is a diagnostic with its place. */
struct rule_compiler {
    const char *file;
    struct arena *arena;
    struct diags *diags;
    struct mllog_names *names; /* keys that the rules name are added */
    struct mlperf_lets lets;   /* of the set at hand */
    size_t n_progressions;     /* of all its predicates so far */
};

/* An error at this value of the rule file; always NULL. */
void *rule_fault(struct rule_compiler *c, const struct json *at, const char *what);

bool mlperf_path_compile(struct rule_compiler *c, const struct json *text, struct mlperf_path *out);
const struct mlperf_expression *mlperf_expression_compile(struct rule_compiler *c,
                                                          const struct json *json);

struct mllog_value mlperf_path_value(const struct mlperf_path *path,
                                     const struct mllog_record *record);
bool mlperf_path_is_there(const struct mlperf_path *path, const struct mllog_record *record);

/* `record` is NULL outside of one. `lets` has a value for each name, MISSING: unbound. */
struct mllog_value mlperf_expression_value(const struct mlperf_expression *e,
                                           const struct mllog_record *record,
                                           const struct mllog_value *lets);
