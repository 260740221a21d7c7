/*
 * nearest: which row of pattern_rows.h comes nearest to a log of which no line was known.
 *
 * The first lines are kept that hold a number. Of each row the words are looked for that stand
 * between its fields; the row of which most were found, at least NEAREST_SHARE of them, is named
 * with the line, and with the first word that was not there.
 */
#pragma once

#include "verifier/logs/log.h"

#define NEAREST_LINES 64
#define NEAREST_LINE_MAX 1000
#define NEAREST_SHARE 0.6

#define NEAREST_LOOKED_AT 10000 /* lines */

struct nearest_lines {
    size_t n, looked_at;
    struct span text[NEAREST_LINES];
    int line[NEAREST_LINES];
};

/* Keeps a line that no format knows, in the reader's arena. */
void nearest_keep(struct log_reader *r, struct nearest_lines *to, struct span line);

/* At the end of a log without a known line: a notice, where a row is near. */
void nearest_say(struct log_reader *r, const struct nearest_lines *lines);
