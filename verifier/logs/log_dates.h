/*
 * log_dates: the date and time that a line bears, in the forms of loggers: at its beginning, behind
 * what launchers put there, or behind a word that says so.
 *
 *   2024-03-01T10:00:00Z   2024/03/01 10:00:00   03/01/2024 10:00:00   24/03/01 10:00:00   20240301
 * 10:00:00 I0301 10:00:00.123456 7 x.cc:1]   Mar  1 10:00:00   Fri Mar  1 10:00:00 2024 datetime:
 * 2024-03-01 10:00:00   "timestamp": 1709287200   wandb/run-20240301_100000-abc
 *
 * Dates elsewhere in a line are of something else: a file, a release. Zones are not read.
 */
#pragma once

#include "base/lines/span.h"

#define LOG_DATES_MAX 4

/* Unix times that the first date of a line can be read as, day first or month first; the number of
 * them. `near`, a Unix time, has the year of those without one. */
size_t log_dates(struct span line, double near, double dates[LOG_DATES_MAX]);
