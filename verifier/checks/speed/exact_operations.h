/*
 * exact_operations: floating-point operations of one token, forward and backward.
 *
 * 6 for each parameter and 12 * layers * hidden * length for the scores of the attention (Chowdhery
 * et al., PaLM, 2022, appendix B), without a discount for the causal mask, which leaves half of the
 * scores out. Of a run of a model that sees they are those of seeing_operations.h, spread over its
 * tokens, so that with the rate of its steps they are the operations of the steps.
 */
#pragma once

#include "verifier/claims/mfu.h"
#include "verifier/proofs/rate.h"

struct exact_operations {
    double parameters, attention; /* of a token; NaN where they are not defined */
};

/* *missing: why they are not defined; NULL when they are. */
struct exact_operations exact_operations(const struct audit *a, const struct proof *p,
                                         const struct mfu_inputs *in, const struct rate *rate,
                                         const char **missing);

/* What it says, for the rules that quote it (verifier/claims/rule.h). */
extern const struct words exact_messages[];
