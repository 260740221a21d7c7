/*
 * seen: when `train` saw the lines of a command's log, "LINES MS" a line: so many lines had come at
 * that Unix time in milliseconds. Both rise. The file lies beside the log, in whose name ".log" is
 * SEEN_ENDING then.
 */
#pragma once

#include "base/arena.h"

#define SEEN_ENDING ".seen"
#define SEEN_ENTRIES_MAX 200000 /* later lines are not timed */

/* "…/rank0.out.seen" of "…/rank0.out.log"; NULL: it has no such ending. */
const char *seen_name(const char *log, struct arena *arena);

/* Unix time in milliseconds at which this line, from 1, had come; NaN: it is not kept, or the file
 * is none. `at` (0 at first) is where the search goes on, for lines that rise. */
double seen_line_ms(struct bytes seen, int line, size_t *at);
