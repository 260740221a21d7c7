/*
 * value: a value of a record, as it stands in the log.
 *
 * Arithmetic and comparison are those of the official checker, which is Python: true and false
 * count as 1 and 0, 1 equals 1.0, text equals text alone. Texts are compared by their characters,
 * however they were escaped.
 */
#pragma once

#include "base/arena.h"
#include "base/lines/span.h"

enum mllog_kind {
    MLLOG_MISSING, /* there is no such member */
    MLLOG_NULL,
    MLLOG_BOOL,
    MLLOG_NUMBER,
    MLLOG_TEXT,
    MLLOG_LIST,
    MLLOG_OBJECT
};

struct mllog_value {
    enum mllog_kind kind;
    double number;    /* of BOOL and NUMBER */
    struct span json; /* as written; of a number that was computed, empty */
};

#define MLLOG_SHOWN_MAX 200 /* bytes of a value in a message */

/* Of JSON that was walked (json_walk.h). */
struct mllog_value mllog_value(struct span json);
struct mllog_value mllog_number(double number);

/* May it be computed with? */
static inline bool mllog_is_number(const struct mllog_value *v)
{
    return v->kind == MLLOG_NUMBER || v->kind == MLLOG_BOOL;
}

/* The last member of that name; MISSING where there is none, or the value is no object. */
struct mllog_value mllog_member(struct span object, const char *name);
struct span mllog_member_span(struct span object, const char *name); /* as written; n 0: missing */

/* Characters of a JSON string as UTF-8; U+0000 becomes U+FFFD. */
const char *mllog_text(struct span json_string, struct arena *arena);

/* The same of a file that is UTF-8, as descriptions of systems are. */
const char *mllog_text_utf8(struct span json_string, struct arena *arena);

bool mllog_text_is(struct span json_string, const char *text);
bool mllog_name_is(struct span json_string, const char *text); /* the same, quick where it is not */

/* The order of members does not matter. Arrays and objects with more than 16 items, or with others
 * in them, are equal only byte by byte, so that a comparison takes linear time. */
bool mllog_same(const struct mllog_value *a, const struct mllog_value *b);

/* A number, or a text that is one, without blanks around it: false when it is neither. */
bool mllog_read_number(const struct mllog_value *v, double *out);

/* A whole number, or a text that is one. */
bool mllog_read_whole(const struct mllog_value *v, double *out);

/* For a message: texts without quotes, at most MLLOG_SHOWN_MAX bytes, "nothing" when missing. */
const char *mllog_show(const struct mllog_value *v, struct arena *arena);
