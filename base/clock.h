/*
 * clock: time that has passed, by the clock that nobody sets (CLOCK_MONOTONIC). What the time of
 * day is belongs to logs and run directories, which ask for it themselves.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

/* Seconds, or milliseconds, since some moment before this process began. */
double clock_seconds(void);
long long clock_ms(void);

#endif
