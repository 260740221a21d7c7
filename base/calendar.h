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

#include <stdbool.h>

/* YYYY-MM-DD; NULL is no date. */
bool calendar_is_date(const char *text);

/* YYYY-MM-DDThh:mm:ssZ, as seconds since 1970-01-01T00:00:00Z (negative before); NULL is none.
 * `seconds` may be NULL, and is only set when it is true. */
bool calendar_time(const char *text, long long *seconds);
