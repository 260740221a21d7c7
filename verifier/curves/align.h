/*
 * align: does a loss curve follow its reference?
 *
 * FlagPerf's rule: from step 21 on, the mean over steps of |loss - reference| / |reference| is
 * below 2 %. Compared are the steps that both curves have, from `from_step` on; steps are equal
 * when their numbers are, whole or not. The maximum and its step (the first, among equals) are
 * reported beside it and do not decide.
 *
 *   no common step                   steps is 0, the figures are NaN, not aligned
 *   the reference is NaN or infinite left out: it says nothing about that step
 *   the reference is 0               left out: there is nothing to be relative to
 *   the run is NaN or infinite       compared: the mean is not finite, not aligned; max_step is
 *                                    the first such step
 *
 * What was left out is counted by curve_stats.h. What is reported beyond the rule is there, too.
 */
#pragma once

#include "base/json/json.h"
#include "base/records/verdict.h"

#define ALIGN_FROM_STEP 21
#define ALIGN_LIMIT 0.02

struct align_rule {
    int from_step;
    double limit; /* of the mean, a ratio; below it is aligned */
};

/* Sums are Neumaier-compensated, so that the figure is that of exact arithmetic to all printed
 * digits, whatever the order. */
void align_curves(const struct curve *run, const struct curve *reference, struct align_rule rule,
                  struct alignment *out);

/* The members of the JSON object "alignment", the same in every document; `aligned` is null when
 * no step could be compared. The caller begins and ends the object. */
void align_write(struct json_writer *w, const struct alignment *x);

/* Can a deviation from this loss be given as a ratio? */
bool align_is_reference(double loss);

/* The first of c's steps from `from` on that is not below `step`; c->n: none. Near ones are found
 * at once, far ones in the logarithm of the way, as one log may have a step where another has
 * 100,000. */
size_t curve_step_at(const struct curve *c, size_t from, double step);

/* Neumaier's compensated sum: as good as exact to all digits that are printed, in any
 * order, for 10^6 and more terms of any sign. Only finite terms. */

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
