/*
 * pattern: the one language that says what stands where in a line that a program printed.
 *
 * Logs of trainings (verifier/logs/rows/patterns.c), samples of monitors and outputs of card
 * tools (base/cards/) are described by rows of patterns, and so is what a record declares
 * (records/vendors/<vendor>.json). A pattern describes a whole line, without blanks at its ends:
 *
 *   *        anything, also nothing
 *   a blank  one or more blanks or tabs. None is enough at an end of the line, beside a '|' and
 *            beside a '/', where tools set columns with them
 *   {name}   a field, which is taken; its kind is in the caller's table of names
 *   {#}      a number that is passed over
 *   {-}      a word that is passed over
 *   {{ **    a brace, a star
 *   else     itself
 *
 * So "*step {step}/{#} | loss {loss} *" takes 12 and 2.5 from "[rank0] step 12/300 | loss 2.5 | …".
 * The kinds of fields:
 *
 *   number   decimal digits with sign, point and exponent, or NaN, inf, Infinity; blanks may stand
 *            in front of it
 *   count    digits
 *   reading  a number, or "NA", "N/A", "[N/A]", "-", "--": it is not known (NaN)
 *   word     up to a blank, a '|', or the byte behind the field in the pattern
 *   text     the same with single blanks in it: up to two blanks, a tab, a '|' or the end
 *
 * Behind the name of a number may stand how it is written: {tokens:K} may end in K, M, B, G or T
 * (a thousand, million, billion, billion, trillion: "11.4K"), {tokens:,} has commas between its
 * thousands ("45,538"). A {text:w} ends as a word does.
 *
 * Between two stars (and before the first, behind the last) stands a part. The first part begins
 * with the line, each other one at the first place where all of it matches, and is not sought
 * again; the last part ends with the line. A part that begins with a field begins where a number
 * or word begins, never inside of one. A word or text is PATTERN_TEXT_MAX bytes at most, and a
 * number DECIMAL_MAX. So the time for a pattern is linear in the bytes of the line, whatever is in
 * them, and memory is none.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/lines/span.h"

#include <stdint.h>

#define PATTERN_MAX 400 /* bytes of a pattern */
#define PATTERN_TEXT_MAX 256
#define PATTERN_NAMES_MAX 32

enum pattern_kind { PATTERN_NUMBER, PATTERN_COUNT, PATTERN_READING, PATTERN_WORD, PATTERN_TEXT };

/* The fields that a caller knows; a field is known by its place in the table. */
struct pattern_name {
    const char *name; /* lower-case letters, digits and '_' */
    enum pattern_kind kind;
};
struct pattern_names {
    const struct pattern_name *rows;
    size_t n; /* PATTERN_NAMES_MAX at most */
};

/* What was taken from a line: of field i, when bit i of `has` is set, the text, and the number that
 * it is; NaN for a word, a text and a reading that is not known. */
struct pattern_found {
    uint32_t has;
    struct span text[PATTERN_NAMES_MAX];
    double number[PATTERN_NAMES_MAX];
};

/* The number of a field; NaN when it was not taken. */
double pattern_number(const struct pattern_found *f, size_t field);

struct pattern; /* compiled, in the caller's arena; borrows the text */

/* ERR_INPUT, naming the place in the text, when it is no pattern: an unknown field, one that stands
 * twice, two fields without a byte between them, a pattern that is too long. */
int pattern_compile(const char *text, const struct pattern_names *names, struct arena *arena,
                    struct pattern **out, struct err *err);

/* The fields that it takes, as bits. */
uint32_t pattern_fields(const struct pattern *p);

/* Does it describe this line, which is trimmed (span_trim)? */
bool pattern_match(const struct pattern *p, struct span line, struct pattern_found *out);

/* The words of a pattern, two bytes and more between its fields, blanks and stars: how many of
 * them stand anywhere in the line, of how many, and the first that does not; n 0: all do. */
struct pattern_words {
    size_t found, of;
    struct span missing;
};
struct pattern_words pattern_words(const struct pattern *p, struct span line);

/* Patterns of which the first that describes a line counts. A line is looked through once for what
 * words are in it, so that most patterns need not be tried. */
struct pattern_set;

/* Of n texts, which stay the caller's; as pattern_compile. */
int pattern_set_new(const char *const *texts, size_t n, const struct pattern_names *names,
                    struct arena *arena, struct pattern_set **out, struct err *err);

#define PATTERN_NONE SIZE_MAX

/* The index of the first pattern, from `from` on, that describes the line, or PATTERN_NONE. */
size_t pattern_set_match(const struct pattern_set *s, struct span line, size_t from,
                         struct pattern_found *out);
