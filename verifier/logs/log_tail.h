/*
 * log_tail: does a log end where its training did?
 *
 * A log that was cut while it was copied, or whose run was killed, looks like a shorter one. Two
 * things tell: the last line has no end and breaks off inside of what a line like it holds; and the
 * steps stop before the number that the lines themselves count to ("Step 34/60").
 *
 * A last line without an end is compared with the last line in front of it that gave a step. Every
 * number counts as the same there; a line that is the beginning of the other, or ends in a number
 * with fewer decimals, is cut, and is not read: half a loss is another loss.
 */
#pragma once

#include "verifier/logs/log.h"

/* The whole line `like` gave a step; `last` has no end. */
bool log_tail_is_cut(struct span like, struct span last);

/* A line says that it is step `at` of `total`; `at` NaN: that of the last point. */
void log_tail_goal(struct log_reader *r, double at, double total);

/* At the end of the file: a warning when more steps than these were announced. */
void log_tail_end(const struct log_reader *r);
