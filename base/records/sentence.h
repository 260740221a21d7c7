/*
 * sentence: a text of ours with what it was made of, so that a writer can choose the language.
 *
 * It is said in English. Beside it stand the Chinese pattern of its row and the values of its
 * format, in their order: `{1}` in the pattern is the first value as it stands, `{1:said}` a value
 * that is a text of ours again and has a pattern itself. A value without a pattern there is a text
 * that nobody noted so far: it is looked up by its words (renderer/words/messages.h).
 *
 * All of it lives in the arena that was given, or is borrowed from the row.
 */
#ifndef BASE_RECORDS_SENTENCE_H
#define BASE_RECORDS_SENTENCE_H

#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct sentence {
    const char *text; /* in English, with its values */
    /* The row: format and pattern; NULL both: a value that is no text of ours. */
    const char *en, *zh;
    struct sentence *values;
    size_t n_values;
};

#define SENTENCE_VALUES_MAX 16
#define SENTENCE_DEPTH_MAX 6 /* texts in texts; honest ones have three */

/* What the value at this address says, where it is known; NULL. */
typedef const struct sentence *sentence_find(void *context, const char *value);

/* The values of a printf format, each as the text that it becomes; `find` is asked of each `%s`.
 * False, and nothing is noted, where the format has what no message of ours has. */
bool sentence_values(struct sentence *out, const char *fmt, va_list ap, sentence_find *find,
                     void *context, struct arena *arena);

#endif
