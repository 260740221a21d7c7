/*
 * curve_copy: relations between two curves that training does not give by itself.
 *
 * Of the first COPY_MAX compared steps with finite losses, in rising order (as reports, n of
 * them, whatever lies between their numbers), let a be the run's losses, b the reference's,
 * d = (a - b) / |b|.
 *
 *   smooth     the least of RMS(a - M b) / RMS(b - M b) over means M of the reference: of the
 *              COPY_WINDOW_MAX and fewer reports around, before or behind each, and exponential
 *              ones. Independent noise in the run gives about 1, the reference itself 1, the mean
 *              of the reference 0. `window` reports; 0: exponential with `weight`. NaN when the
 *              reference has no noise to speak of (RMS(b - M b) below COPY_ROUGH of its loss)
 *   factor     mean of a / b, and its spread: the standard deviation of a / b
 *   offset     mean of a - b, and its spread
 *   noise      of d, and of a - b, what white noise of one size on the reference would make 0, 3, 1
 *              and 1: `lag1`, the autocorrelation; `kurtosis`; `blocks`, COPY_BLOCK times the
 *              variance of means of COPY_BLOCK reports over that of one; `growth`, the largest over
 *              the smallest standard deviation of COPY_PARTS parts. Two trainings drift apart:
 *              their deviation has a memory and grows, and some batches are hit more than others
 *   correlation  of the first differences of a and b
 *
 * Figures of fewer than COPY_MIN reports are NaN.
 */
#pragma once

#include "verifier/curves/align.h"

#define COPY_MIN 50
#define COPY_MAX 100000
#define COPY_WINDOW_MAX 21
#define COPY_ROUGH 1e-4
#define COPY_BLOCK 20
#define COPY_PARTS 5

struct copy_noise {
    double spread; /* standard deviation */
    double lag1, kurtosis, blocks, growth;
};

struct curve_copy {
    size_t n;
    double smooth, weight;
    int window;
    double factor, factor_spread, offset, offset_spread;
    struct copy_noise relative, absolute;
    double correlation;
};

/* `scratch` is used during the call only. */
void curve_copy(const struct curve *run, const struct curve *reference, struct align_rule rule,
                struct arena *scratch, struct curve_copy *out);
