/*
 * span: a piece of a log line, borrowed, not NUL-terminated.
 *
 * Log readers look at bytes where they lie. Nothing here reads outside the span, allocates, or
 * depends on the locale.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct span {
    const char *p;
    size_t n;
};

#define SPAN(literal) ((struct span){(literal), sizeof(literal) - 1})

/* Inline: for a literal the compiler knows the length, and compares a few words. */
static inline struct span span_of(const char *text)
{
    return (struct span){text, strlen(text)};
}

static inline bool span_is(struct span s, const char *text)
{
    return s.n == strlen(text) && (s.n == 0 || memcmp(s.p, text, s.n) == 0);
}

static inline bool span_starts(struct span s, const char *prefix)
{
    return !*prefix || (s.n && s.p[0] == *prefix && s.n >= strlen(prefix) &&
                        memcmp(s.p, prefix, strlen(prefix)) == 0);
}

/* The rest; empty when at > n. */
static inline struct span span_from(struct span s, size_t at)
{
    at = at < s.n ? at : s.n;
    return (struct span){s.p + at, s.n - at};
}

struct span span_trim(struct span s); /* without blanks at both ends */

/* Offset of the first occurrence of text, or s.n. */
size_t span_find(struct span s, const char *text);

/* The rest behind the first occurrence of text; false (and *rest untouched) when it is not there.
 */
bool span_after(struct span s, const char *text, struct span *rest);

/* Which of these bytes are in it: bit i for bytes[i]. */
#define SPAN_MARKS 4
unsigned span_marks(struct span s, const char bytes[SPAN_MARKS]);

/* Up to the first c, which is dropped together with it from *s; all of it when there is no c. */
struct span span_cut(struct span *s, char c);

/*
 * A number at the start of the span, after blanks: decimal, or NaN, Infinity, inf in any letter
 * case with an optional sign. Returns the bytes read, 0 when there is none.
 */
size_t span_number(struct span s, double *value);

/* A date and time at the start of a line, as monitors ("2023-03-27-11:20:05") and trainers
 * ("2023-03-27 11:20:05") write them. They name no zone and are counted as if they were UTC. */

#define STAMP_LENGTH (sizeof "2023-03-27-11:20:05" - 1)

/* Seconds since 1970; `between` stands between the date and the time. NaN: there is none. */
double stamp_read(struct span s, char between);
