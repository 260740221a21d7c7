/*
 * reals: an order of doubles, as base/text.h has one of texts.
 */
#pragma once

#include <math.h>
#include <stdbool.h>

/* For qsort() of doubles, none of them NaN: the smallest first. */
static inline int reals_by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The same number, or NaN both. */
static inline bool reals_same(double x, double y)
{
    return x == y || (isnan(x) && isnan(y));
}
