/*
 * sentence: a text of ours with what it was made of, so that a writer can choose the language.
 *
 * A text is said in English, by its format: sentence_say() makes it as arena_printf() does, and
 * notes beside the arena the format and the values. sentence_of() finds them again by the address
 * of the text, so that texts travel as `const char *`, and a text that is a value of another brings
 * its own along. The format is what a row of words in both languages goes by
 * (renderer/words/messages.h), as a message goes by its English in a catalogue of gettext. A text
 * without values needs no note: it is its own format.
 *
 * All of it lives in the arena; formats are borrowed, and constant.
 */
#pragma once

#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct sentence {
    const char *text;   /* in English, with its values */
    const char *format; /* NULL: a value that is a text or a figure, as it stands */
    struct sentence *values;
    size_t n_values;
};

#define SENTENCE_VALUES_MAX 16
#define SENTENCE_DEPTH_MAX 6 /* texts in texts; honest ones have three */

const char *sentence_say(struct arena *arena, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
const char *sentence_say_with(struct arena *arena, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

/* The same, cut as an error's message is (err.h) where it is too long; nothing is noted then. */
const char *sentence_say_cut(struct arena *arena, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

/* What a text of this arena was made of; NULL: nothing was noted. */
const struct sentence *sentence_of(const struct arena *arena, const char *text);

/* Note it, of a text that lives in the arena; gives the text. */
const char *sentence_note(struct arena *arena, const struct sentence *made);

/* A copy of a text of `from` that lives in `to`, with what it was made of. */
const char *sentence_carry(struct arena *to, const struct arena *from, const char *text);

/* Does it say this, by its format, or does a value of it? With or without the name of something and
 * a colon in front. */
bool sentence_says(const struct sentence *made, const char *format);

/* How many values a printf format has. */
size_t sentence_places(const char *fmt);

/* The values of a printf format, each as the text that it becomes; of a `%s` that `arena` knows,
 * its own values, too. False, and nothing is noted, where the format has what no message of ours
 * has. */
bool sentence_values(struct sentence *out, const char *fmt, va_list ap, struct arena *arena);

/* A text of ours in both languages.
 *
 * What findings, errors and reasons say is English where it is said (base/sentence.h); the row that
 * has its format has the Chinese, with the values in places counted from 1:
 *
 *     {.en = "row %zu of table %d has %zu %s", .zh = "表 {2} 第 {1} 行有 {3} {4:said}"}
 *
 * {1} is put in as it stands: a figure, a name, a cell of the page. {4:said} is a text of ours
 * again, which has a row itself. Rules have the rows of their findings in their files
 * (verifier/claims/rule.h); each room whose texts a page may show has a table of its own, which
 * ends with a row of NULL. A test holds all of them to the sources (tests/cli/messages.sh). */

struct words {
    const char *zh, *en;
};

extern const struct words file_messages[];    /* base/files: names, and what the system says */
extern const struct words worker_messages[];  /* base/process */
extern const struct words shape_messages[];   /* base/json: how two records differ */
extern const struct words signing_messages[]; /* base/signing */
extern const struct words sealed_messages[];  /* base/sealed */
extern const struct words record_messages[];  /* base/records: facts, rates, second runs */
extern const struct words fact_reasons[];     /* the same: why a fact is not known */
