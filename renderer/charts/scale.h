/*
 * chart_scale: from values to places in a drawing, and the ticks between.
 *
 * A range is the span of the values that can be drawn: finite ones up to 1e15 in size. A scale
 * maps it linearly or by logarithm; what lies outside lands on the nearer end. Ticks stand at 1,
 * 2 or 5 times a power of ten, and their texts share one unit and one number of decimals: "0",
 * "5k", "10k" and not "0.0", "5000", "1e4". The minus sign is U+2212.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct range {
    double low, high; /* low > high: nothing seen */
};

struct range range_none(void);
bool range_is_empty(struct range r);
bool value_is_drawable(double value);
struct range range_with(struct range r, double value); /* undrawable values change nothing */
/* A range that is a single value, or too small for arithmetic, gets room around it. */
struct range range_widened(struct range r);

struct scale {
    struct range data;
    double from, to; /* places of data.low and data.high; from > to is usual for y */
    bool log;        /* data.low > 0 */
};

double scale_place(const struct scale *s, double value);

void values_sort(double *values, size_t n); /* none is a NaN */

/* Would a linear scale squash most of these values into one tenth of it, for the sake of a few?
 * All must be positive, and the largest 50 times the smallest. */
bool values_ask_for_log(const double *values, size_t n);

#define TICKS_MAX 24
#define NUMBER_MAX 32

struct tick {
    double value;
    char text[NUMBER_MAX];
};

struct ticks {
    struct tick at[TICKS_MAX];
    size_t n;
    double step; /* of a linear scale */
};

/* About `want` ticks within the range, ascending. */
void ticks_make(struct ticks *t, struct range r, bool log, int want);

/* Of a range by logarithm that holds fewer than two of these: at the values themselves (ascending,
 * in the range), without those that would stand close together. */
void ticks_make_at(struct ticks *t, const double *values, size_t n);

/* The same as ticks_make(), after the range has grown to whole steps of them; to powers of ten by
 * logarithm. */
void ticks_make_rounded(struct ticks *t, struct range *r, bool log, int want);

/* A figure for people: `digits` significant ones, "12.3k" not used, "−" for the minus sign. */
void number_text(char out[NUMBER_MAX], double value, int digits);

/* Signed percent of a fraction: "+3.35 %". */
void percent_text(char out[NUMBER_MAX], double fraction, int digits);
