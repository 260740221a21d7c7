/*
 * series_likeness: do two series go up and down together, also where one lacks a value or has one
 * too many?
 *
 * The rank correlation (Spearman) of two series at the best of few alignments. An alignment pairs
 * x[i] with y[i + lag], lags up to LIKENESS_LAGS; where a value was left out or put in, the lag
 * changes by one, at most LIKENESS_BREAKS times, and up to LIKENESS_GAP values of x around that are
 * paired with nothing. A factor, a shift and rounding keep the order of values; two machines do
 * not have it. The best path has the least sum of squared distances of ranks (dynamic programming).
 *
 * Two runs that become faster at the same pace have that trend in common and nothing else: the
 * differences from one pair to the next say whether there is more. Rounded values tell less: a
 * series in which two values drawn at random are equal more often than LIKENESS_EQUAL says nothing.
 */
#pragma once

#include "base/arena.h"

#define LIKENESS_PAIRS 25
#define LIKENESS_LAGS 6
#define LIKENESS_BREAKS 2
#define LIKENESS_GAP 2
#define LIKENESS_EQUAL 0.5

struct series {
    const double *values; /* finite */
    size_t n;
};

/* From -1 to 1; NaN where there are fewer than LIKENESS_PAIRS pairs, or too few different values.
 */
struct likeness {
    double values;
    double differences; /* from one pair to the next */
    size_t pairs;
};

/* `differences`: not the values are compared, but the differences from each to the next, which
 * takes a trend out. `scratch` is used during the call only. */
struct likeness series_likeness(struct series x, struct series y, bool differences,
                                struct arena *scratch);
