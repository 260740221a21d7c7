/*
 * json_parts: where the members of an object, or the elements of an array, begin and end.
 *
 * For documents of which the whole tree would be too much: one member after the other, its value
 * as bytes, which json_parse() then reads, or a walk goes into. What is between is looked at only
 * as far as it says where a value ends: a document that may be forged is not checked by a walk.
 * Members whose key has an escape are passed over by key, not by place.
 *
 *     struct json_parts p = json_parts_of(bytes);
 *     struct json_part part;
 *     while (json_parts_next(&p, &part))
 *         if (json_part_is(&part, "runs")) …
 *     if (p.bad) …                                  // not an object or array, or cut off
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>

struct json_part {
    struct bytes key;   /* as it is written between its quotes; no data in an array */
    struct bytes value; /* without blanks around it; no NUL stands behind it */
};

struct json_parts {
    const char *at, *end;
    bool object, bad, begun;
};

struct json_parts json_parts_of(struct bytes value);

/* False behind the last, and when `bad`. */
bool json_parts_next(struct json_parts *p, struct json_part *out);

bool json_part_is(const struct json_part *part, const char *key);
