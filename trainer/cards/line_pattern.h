/*
 * line_pattern: what stands where in a line of a table that a tool prints for people.
 *
 *     "| {i} {t} |*:*:*|*"   of   "| 0    MetaX C500   | 0000:0e:00.0   | 0%   |"   takes "MetaX
 * C500"
 *
 * A blank stands for any number of blanks, also none beside a '|' and before a '/'; `*` for
 * anything, as little as possible; {i} for digits; {-} for a word. One part of a pattern is taken:
 * {n} digits, {w} a word (no blank, no '|'), {t} a text up to two blanks, a '|' or the end.
 * Everything else stands for itself. A pattern is for the whole line, without blanks at its ends.
 *
 * Lines longer than LINE_PATTERN_MAX do not fit; matching takes at most that many steps for each
 * `*` of the pattern, and never more than LINE_PATTERN_STEPS in all.
 */
#ifndef TRAINER_CARDS_LINE_PATTERN_H
#define TRAINER_CARDS_LINE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#define LINE_PATTERN_MAX 1000
#define LINE_PATTERN_STEPS 20000

/* False when it does not fit; else where what is taken stands in the line. */
bool line_pattern_take(const char *pattern, const char *line, size_t n, const char **from,
                       size_t *len);

#endif
