/* curve_spikes: losses that stand out of their neighbourhood, by medians (curve_stats.h defines
 * them). */
#pragma once

#include "verifier/curves/curve_stats.h"

struct occurrence curve_spikes(const struct curve *c, int from_step);

/* Of n finite values, which are put in another order; NaN when there are none. The mean of the
 * two in the middle when n is even. */
double curve_median(double *values, size_t n);

/* The same, but the larger of the two in the middle: one of the values. */
double curve_median_upper(double *values, size_t n);
