/*
 * looks: a name as all that a reader could take for it.
 *
 * Two names look alike when these forms are equal: capitals, full-width and mathematical letters,
 * letters of other scripts (Unicode's confusables), digits in place of letters, "rn" for "m", and
 * what nobody sees do not count. The table is ours, so that no program needs ICU to run: its rows
 * are made from ICU's, and a test compares both.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lookalike {
    uint32_t code;
    char letters[4];
};

/* In the order of their code points. */
extern const struct lookalike lookalikes[];
extern const size_t n_lookalikes;

/* In `arena`; "" for a name that shows nothing. */
const char *looks_of(struct arena *arena, const char *name);

/* A text in small letters, with those of ASCII in place of others that look like them, and without
 * what nobody sees. Digits, signs, spaces and Chinese stay. */
const char *looks_plain(struct arena *arena, const char *text);

/* With the digits of ASCII in place of those of other scripts and in circles, and without the marks
 * of formulas ("$9\\times10^{7}$"). */
const char *looks_digits(struct arena *arena, const char *text);

/* Has it a character that nobody sees, or that changes how its neighbours are read? Also a line end
 * or a tab: a name is one line. */
bool looks_hidden(const char *name);
