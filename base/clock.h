/*
 * clock: time that has passed, by the clock that nobody sets (CLOCK_MONOTONIC). What the time of
 * day is belongs to logs and run directories, which ask for it themselves.
 */
#pragma once

#include "base/err.h"

/* Seconds, or milliseconds, since some moment before this process began. */
double clock_seconds(void);
long long clock_ms(void);

#define CLOCK_END 253402300800LL /* behind the year 9999, in seconds since 1970 */

/* The time of day that stands for now where somebody says it, in SOURCE_DATE_EPOCH: seconds since
 * 1970, up to the year 9999; -1: nobody does. ERR_USAGE when it is anything else. */
int clock_source_date(long long *seconds, struct err *err);
