/*
 * seeing_figures: what a run of a model that sees, whose samples differ in length, has beside its
 * rate and its MFU, each from the log:
 *
 *   throughput_wall   padded tokens of all steps / e2e_time / cards: FlagPerf's page multiplies the
 *                     mean padded length by all samples, which are these tokens, and divides by the
 *                     wall time of the whole process; beside them, where the log counts these,
 *                     the tokens that are no padding, and the targets
 *   mfu_wall          factor * N * that / peak: the page's MFU
 *   mfu_seen          all operations, the tower's among them (seeing_operations.h), of the steps
 *                     that the rate is of / their seconds / cards / peak
 */
#pragma once

#include "verifier/claims/mfu.h"
#include "verifier/proofs/rate.h"

/* Of a run that has these operations (seeing_has_operations). `why` there is no MFU, so that of
 * these only the rate is put; NULL: `in` says what it is of. */
void seeing_figures_put(struct audit *a, const struct proof *p, const struct claim *c,
                        const struct mfu_inputs *in, const char *why, const struct rate *rate);

/* What it says, for the rules that quote it (verifier/claims/rule.h). */
extern const struct words seeing_messages[];
