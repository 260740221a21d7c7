/*
 * predicate_forms: how a predicate of each form is decided. Included by the files of predicate.h
 * only.
 */
#pragma once

#include "verifier/mlperf/rules/predicate.h"

#include <math.h>

/* Of two members of one predicate that stand for forms, the later form counts. */
enum predicate_forms {
    FORM_ANY,
    FORM_COMPARE,
    FORM_HAS,
    FORM_WHEN,
    FORM_ALL,
    FORM_AFTER,
    FORM_NOT_AFTER,
    FORM_ELAPSED,
    FORM_INTEGER,
    FORM_PROGRESSION,
};

struct predicate_form {
    enum mlperf_holds (*holds)(const struct mlperf_predicate *p, const struct mllog_record *record,
                               struct mlperf_scope *scope);
};

const struct predicate_form *predicate_form(enum predicate_forms form);

/* OP and what the value is compared with: one expression, or several for `in`. */
struct predicate_operation {
    const struct operator_row *row;
    const struct mlperf_expression **with;
    size_t n;
};

/* Adds the operation that the member names; false after a diagnostic. */
bool predicate_operation_compile(struct rule_compiler *c, const struct json *json,
                                 struct mlperf_predicate *out);
