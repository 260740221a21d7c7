/*
 * align: does a loss curve follow its reference?
 *
 * FlagPerf's rule: from step 21 on, the mean over steps of |loss - reference| / |reference| is
 * below 2 %. Compared are the steps that both curves have, from `from_step` on. The maximum and
 * its step are reported beside it and do not decide. A curve with no common step, or with a loss
 * that is not finite where the reference is, is not aligned.
 */
#ifndef VERIFIER_ALIGN_H
#define VERIFIER_ALIGN_H

#include "base/verdict.h"

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

#endif
