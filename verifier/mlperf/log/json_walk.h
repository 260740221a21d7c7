/*
 * json_walk: walk over JSON in the bytes of a log, without a tree.
 *
 * The general reader (base/json/json.h) refuses what these logs hold and their official reader
 * takes: a member twice in one object, NaN, bytes that are not UTF-8. So this walker admits RFC
 * 8259 and the bare words NaN, Infinity, -Infinity; every byte above 127 is a character of
 * Latin-1. A record stands on one line, so a line end is not white space here.
 *
 * The bytes must end in a NUL (struct bytes has one): it is no part of any JSON, so nothing reads
 * past it. `end` is not behind it: up to there, 16 bytes are looked at together.
 */
#pragma once

#include "base/lines/span.h"

#define JSON_WALK_DEPTH_MAX 64 /* arrays and objects within each other */

/* The byte behind the value that begins at `p`; NULL where no value begins, or it is deeper than
 * `depth` levels. */
const char *json_walk_value(const char *p, const char *end, int depth);

/* The byte behind the string whose opening quote is at `p`; NULL: it is not one. */
const char *json_walk_string(const char *p, const char *end);

/* Blanks and tabs. */
static inline const char *json_walk_blank(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

/*
 * Members of an object, or elements of an array (name.n is 0), one after the other:
 *
 *     struct json_items items = json_items(span);   // of a value that was walked before
 *     struct span name, value;
 *     while (json_items_next(&items, &name, &value)) …
 *
 * `name` has its quotes. A value that is neither has no items.
 */
struct json_items {
    const char *at, *end; /* at NULL: behind the last */
    bool named;
};
struct json_items json_items(struct span value);
bool json_items_next(struct json_items *items, struct span *name, struct span *value);
