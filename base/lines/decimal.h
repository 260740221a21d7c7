/*
 * decimal: decimal digits to the nearest double, fast.
 *
 * Gives exactly what strtod gives in the C locale (round to nearest, ties to even), for every
 * input; the tests hold it to that. Three ways, by the digits read as an integer `m` and a power
 * of ten:
 *
 *   m <= 2^53, |power| <= 22   both are exact doubles, one operation rounds once (Clinger 1990)
 *   m < 2^64, -27 <= power < 0 a multiplication of 64 bits by the reciprocal of the power of five
 *                              (Eisel and Lemire), where that may not tell a division; rounded once
 *   anything else              strtod
 *
 * Numbers of a log nearly always take the first two: Python prints at most 17 digits, and of a
 * learning rate as 0.00029999971389770508 the zeros in front of them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Longer ones are no numbers. */
#define DECIMAL_MAX 127

/*
 * [+-][digits][.digits][e[+-]digits] at the start of the n bytes at s, with digits on one side of
 * the point at least. A point without a digit behind it is not part of the number. Returns the
 * bytes read; 0, and *value untouched, when there is none or it overflows.
 */
size_t decimal_read(const char *s, size_t n, double *value);

/*
 * The same, faster, for most of what occurs: no sign, at most 16 digits in front of the point,
 * at most 19 on both sides but for zeros in front of them, two digits of exponent. 0 for all other
 * numbers, and always where the machine lacks the instructions. Reads DECIMAL_WINDOW bytes at s,
 * whatever is in them.
 */
#define DECIMAL_WINDOW 40
size_t decimal_read_window(const char *s, double *value);

/* Bytes at s that a number, a date or a time can be made of, "0-9:.-+eE", whether they make one or
 * not; and the same where DECIMAL_WINDOW bytes can be read, of which it looks at 32 at most. */
size_t decimal_run(const char *s, size_t n);
size_t decimal_run_window(const char *s);

/* Is decimal_run_window(s) this? The processor need not wait for the answer where it guesses it. */
bool decimal_runs_window(const char *s, size_t n);
