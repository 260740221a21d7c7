/* curve_spikes: losses that stand out of their neighbourhood, by medians (curve_stats.h defines
 * them). */
#pragma once

#include "base/records/verdict.h"
#include "verifier/curves/curve_stats.h"

struct occurrence curve_spikes(const struct curve *c, int from_step);

/* Of n finite values, which are put in another order; NaN when there are none. The mean of the
 * two in the middle when n is even. */
double curve_median(double *values, size_t n);

/* The same, but the larger of the two in the middle: one of the values. */
double curve_median_upper(double *values, size_t n);

/* How far a loss is off the trend of the steps beside it.
 *
 * All of it works on logarithms of losses that are finite and above 0. A score is the distance in
 * scaled median distances (1.4826 * median) of what the same measure gives beside it.
 *
 *   last      the last loss against the line through the TREND_LAST before it (Theil and Sen: the
 *             median of all slopes)
 *   early     one of the first against the mean of its two neighbours, the first one against the
 *             line through the two behind it; the scale is that of the first TREND_EARLY + 5 others
 *   residual  log(run / reference) against the median size of those of TREND_BESIDE steps on both
 *             sides, where the run follows the reference closely there: one data order
 *
 * Where fewer steps are there than these need, the score is NaN. */

#define TREND_LAST 20
#define TREND_EARLY 20
#define TREND_BESIDE 10
#define TREND_CLOSE 0.01   /* residuals of a run that follows its reference */
#define TREND_FLOOR 1e-6   /* losses are printed as single floats */
#define TREND_EARLY_MIN 12 /* losses */

struct trend {
    double score;    /* NaN: cannot be said */
    double away;     /* logarithm of loss / expected */
    double expected; /* loss */
};

struct trend trend_last(const struct curve *c);
struct trend trend_early(const struct curve *c, size_t i);

/* Of the loss at i of the run; the reference may have other steps, too. */
struct trend trend_residual(const struct curve *run, const struct curve *reference, size_t i);
