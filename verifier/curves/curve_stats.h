/*
 * curve_stats: what a statistician asks about two curves, beside the alignment rule.
 *
 * None of it decides anything. Let d = (run - reference) / |reference| at the compared steps of
 * align.h whose run loss is finite, in rising order, n of them, and x = step / 1000.
 *
 *   signed_mean       mean of d
 *   drift             least-squares slope of d on x: sum (x - mean x)(d - mean d) / Sxx,
 *                     Sxx = sum (x - mean x)^2; ratio per 1000 steps; from 3 steps on
 *   drift_error       its standard error sqrt(sum r^2 / (n - 2) / Sxx), r the residuals. It
 *                     supposes independent residuals, which those of loss curves are not:
 *   residual_lag1     sum r[i] r[i+1] / sum r^2; with it, drift_error_lag1 =
 *                     drift_error * sqrt((1 + lag1) / (1 - lag1)) where lag1 > 0
 *   onset_step        divergence onset: the first compared step from which the mean of |d| over
 *                     the last STATS_ONSET_WINDOW compared steps (fewer at the start; a loss that
 *                     is not finite is beyond any limit) is at or above the limit, at every
 *                     compared step to the end; NaN when it is not so at the end
 *   missing, extra    steps from from_step on that only the reference, only the run has
 *   not_finite        NaN and infinite losses from from_step on, of each curve
 *   reference_zero    common steps that the rule leaves out because the reference is 0
 *   spikes            of each curve from from_step on: losses above the median m of the
 *                     2 * STATS_SPIKE_HALF + 1 around them (fewer at the ends) by more than 5 % of
 *                     |m| and more than 8 * 1.4826 * MAD, the median of |loss - m| in that window;
 *                     neighbouring steps are one spike
 *   time_ratio        median over the compared steps of the run's seconds / the reference's
 *   final             the last compared step with a finite loss, and the losses there
 *   identical         longest stretch of compared steps, one after another, with equal losses
 *   diff_correlation  Pearson correlation of first differences loss[k+1] - loss[k], over
 *                     neighbouring compared steps k, k+1 (single steps only); diff_pairs of them
 *   shift             the lag in [-STATS_LAG_MAX, STATS_LAG_MAX] at which that correlation is
 *                     largest: run[k] goes with reference[k + shift]; shift_correlation, of
 *                     shift_pairs pairs
 *
 * Absent figures are NaN, steps without an occurrence too. Counts are complete, not samples.
 */
#pragma once

#include "verifier/curves/align.h"

#define STATS_ONSET_WINDOW 50
#define STATS_SPIKE_HALF 10
#define STATS_SPIKE_SHARE 0.05
#define STATS_SPIKE_MADS 8
#define STATS_LAG_MAX 5

/* How often, and at which step first (NaN: never). */
struct occurrence {
    size_t n;
    double first;
};

struct curve_stats {
    size_t n; /* steps behind signed_mean and drift */
    double signed_mean, drift, drift_error, residual_lag1, drift_error_lag1;
    double onset_step;
    struct occurrence missing, extra, reference_zero;
    struct occurrence run_not_finite, reference_not_finite;
    struct occurrence run_spikes, reference_spikes;
    double time_ratio;
    size_t timed; /* steps behind time_ratio */
    double final_step, final_run, final_reference;
    size_t identical;
    double identical_from, identical_to; /* steps of the longest stretch */
    double diff_correlation, shift_correlation;
    size_t diff_pairs, shift_pairs;
    int shift;
};

/* `scratch` is used during the call only. A curve's `seconds` may be NULL. */
void curve_stats(const struct curve *run, const struct curve *reference, struct align_rule rule,
                 struct arena *scratch, struct curve_stats *out);
