/*
 * json: strict JSON in, ordered JSON out.
 *
 * Reading is in two steps. A scanner of our own admits only I-JSON (RFC 7493) and notes where
 * every value stands; cJSON then builds the values. Refused, each with its line and column: a
 * byte order mark, invalid UTF-8, NUL (raw or \u0000), lone surrogates, code points that are no
 * characters (U+FFFE …), control characters in strings, duplicate keys, numbers that are not JSON,
 * overflow a double or are longer than JSON_NUMBER_MAX characters (cJSON reads no more), bytes
 * after the value, deeper than JSON_DEPTH_MAX, more than JSON_VALUES_MAX values, more than
 * JSON_KEYS_MAX keys in one object. What the keys mean is the business of shape.h.
 *
 * Writing is a cursor over a struct buf: the caller's order is the file's order, numbers are
 * printed so that they read back exactly, two spaces of indent, one final newline.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define JSON_BYTES_MAX ((size_t)4 << 20)
#define JSON_DEPTH_MAX 32
#define JSON_VALUES_MAX 1000000
#define JSON_KEYS_MAX 10000
#define JSON_NUMBER_MAX 63

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

/* "null", "a boolean", "a number", "a string", "an array", "an object" */
const char *json_kind_name(enum json_kind kind);

struct json {
    enum json_kind kind;
    const char *key;  /* name inside an object, else NULL */
    const char *text; /* string: its characters; number: as it was written */
    double number;    /* numbers only */
    bool truth;       /* booleans only */
    struct json *child, *next;
    size_t n;              /* children */
    int line, col;         /* of the value, from 1; col counts characters */
    int byte;              /* the same column, counted in bytes */
    int key_line, key_col; /* of the name, 0 when there is none */
};

/*
 * Parse `in`, which is called `file` in messages. On the first fault one error is added to
 * `diags` and -1 returned; else *out is the root, living in `arena`.
 */
int json_parse(const char *file, struct bytes in, struct arena *arena, struct json **out,
               struct diags *diags);

/* The same for documents that may have more than JSON_BYTES_MAX bytes, but at most `max`. */
int json_parse_large(const char *file, struct bytes in, size_t max, struct arena *arena,
                     struct json **out, struct diags *diags);

/* file_read + json_parse; a file that cannot be read becomes a diagnostic too. */
int json_load(const char *path, struct arena *arena, struct json **out, struct diags *diags);

/* Member by exact name, or NULL. `object` may be NULL or not an object. */
struct json *json_get(const struct json *object, const char *key);

/* Text of a string member, or `otherwise` when it is missing or not a string. */
const char *json_get_text(const struct json *object, const char *key, const char *otherwise);

struct json_writer {
    struct buf *out;
    int depth;
    bool fresh; /* nothing written yet at this depth */
    int flat;   /* > 0: inside an array or object that is written on one line */
};

#define JSON_WRITER_INIT(to)       \
    {                              \
        .out = (to), .fresh = true \
    }
void json_writer_init(struct json_writer *w, struct buf *out);

/* `key` is NULL inside an array and for the root. The _flat forms stay on one line. */
void json_begin_object(struct json_writer *w, const char *key);
void json_begin_object_flat(struct json_writer *w, const char *key);
void json_end_object(struct json_writer *w);
void json_begin_array(struct json_writer *w, const char *key);
void json_begin_array_flat(struct json_writer *w, const char *key);
void json_end_array(struct json_writer *w);
/* NULL: null. Invalid UTF-8 becomes U+FFFD; what is hidden (base/foreign.h) is written as \uXXXX.
 */
void json_string(struct json_writer *w, const char *key, const char *text);
void json_string_if(struct json_writer *w, const char *key, const char *text); /* NULL: nothing */

/* Several strings: json_strings(w, {"id", id}, {"case", case_id}). */
#define json_strings(w, ...) json_string_pairs((w), (const char *const[][2]){__VA_ARGS__, {NULL}})
static inline void json_string_pairs(struct json_writer *w, const char *const pairs[][2])
{
    for (; pairs[0][0]; pairs++)
        json_string(w, pairs[0][0], pairs[0][1]);
}

/* A string that the caller writes in between, of characters that need no escape. */
void json_begin_bytes(struct json_writer *w, const char *key);
void json_end_bytes(struct json_writer *w);

/* An element of an array that was written before, as it stands. */
void json_again(struct json_writer *w, const char *text, size_t len);

void json_number(struct json_writer *w, const char *key, double value); /* NaN, inf: null */
void json_integer(struct json_writer *w, const char *key, long long value);
void json_bool(struct json_writer *w, const char *key, bool value);
void json_null(struct json_writer *w, const char *key);

/* A number that keeps the text it was read with; the caller knows it to be valid JSON. */
void json_number_text(struct json_writer *w, const char *key, const char *text);

/* After the root has been ended: the final newline. */
void json_finish(struct json_writer *w);

/* Reads back as the same double: whole numbers below 2^53 in digits, others as the shortest
 * "%.Ng" text, its exponent without padding. At least 32 bytes at `to`. */
void json_number_format(char *to, double value);

/* Version of cJSON at run time. */
const char *json_library_version(void);
