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
