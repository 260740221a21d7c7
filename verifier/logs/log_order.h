/*
 * log_order: what is odd about the order of a log's reports.
 *
 * A training reports every step once, in order, with a finite loss. What does not is a diagnostic:
 *
 *   not finite  losses that are NaN or infinite (warning)
 *   falls       a step below the one in front of it: a restart, or several runs in one file
 *               (warning)
 *   repeated    a step that is there again with another loss (warning)
 *   missing     steps left out where all others have one distance (notice); from
 *               verifier/checks/evidence/log.c's limit on they are an error there, and nothing
 * is said here
 *
 * Where most steps are there several times, several processes write into one file, whose losses
 * need not be the same: one notice. Of a file with ranks the reports of the first one count.
 */
#pragma once

#include "base/diag.h"
#include "verifier/logs/log.h"

#define LOG_ORDER_MISSING 0.01 /* more than this share missing is not said here */

/* `scratch` is used during the call only. Says nothing of a log whose steps were not all kept. */
void log_order(const struct log *log, struct arena *scratch, struct diags *diags);

/* Does a log end where its training did?
 *
 * A log that was cut while it was copied, or whose run was killed, looks like a shorter one. Two
 * things tell: the last line has no end and breaks off inside of what a line like it holds; and the
 * steps stop before the number that the lines themselves count to ("Step 34/60").
 *
 * A last line without an end is compared with the last line in front of it that gave a step. Every
 * number counts as the same there; a line that is the beginning of the other, or ends in a number
 * with fewer decimals, is cut, and is not read: half a loss is another loss. */

/* The whole line `like` gave a step; `last` has no end. */
bool log_tail_is_cut(struct span like, struct span last);

/* A line says that it is step `at` of `total`; `at` NaN: that of the last point. */
void log_tail_goal(struct log_reader *r, double at, double total);

/* At the end of the file: a warning when more steps than these were announced. */
void log_tail_end(const struct log_reader *r);
