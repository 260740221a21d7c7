/*
 * calendar: dates and moments in the two forms in which records, runs and feeds write them: those
 * of RFC 3339 that are UTC and have no fraction.
 *
 * "2026-11-20" and "2026-11-20T22:42:21Z" count when the Gregorian calendar has that day: years
 * 0001 to 9999, 29 February in leap years only. Hours are below 24, minutes and seconds below 60:
 * nothing here writes a leap second, and most readers of feeds refuse one. Whether a moment is
 * likely (not before the run began, not in the future) is for those to say who know it.
 */
#pragma once

#include "base/err.h"

#include <stdbool.h>

/* YYYY-MM-DD; NULL is no date. */
bool calendar_is_date(const char *text);

/* YYYY-MM-DDThh:mm:ssZ, as seconds since 1970-01-01T00:00:00Z (negative before); NULL is none.
 * `seconds` may be NULL, and is only set when it is true. */
bool calendar_time(const char *text, long long *seconds);

/* Time that has passed, by the clock that nobody sets (CLOCK_MONOTONIC). What the time of
 * day is belongs to logs and run directories, which ask for it themselves. */

/* Seconds, or milliseconds, since some moment before this process began. */
double clock_seconds(void);
long long clock_ms(void);

#define CLOCK_END 253402300800LL /* behind the year 9999, in seconds since 1970 */

/* The time of day that stands for now where somebody says it, in SOURCE_DATE_EPOCH: seconds since
 * 1970, up to the year 9999; -1: nobody does. ERR_USAGE when it is anything else. */
int clock_source_date(long long *seconds, struct err *err);
