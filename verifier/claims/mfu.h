/*
 * mfu: model FLOPs utilisation by FlagPerf's convention.
 *
 *     MFU = factor * N * tokens_per_second_per_card / peak
 *
 * factor 6 for training, 4 for LoRA (no gradients of frozen weights), 2 for LLaVA's pretraining
 * stage (only a projector is trained); N is nominal (7e9 for "7B"); peak is the dense datasheet
 * figure of the precision used. Which peak a precision uses, and that a mix of two gives a range,
 * is base/project/peaks.h's.
 */
#pragma once

#include "verifier/claims/audit.h"

struct mfu_inputs {
    double factor, parameters;
    double peak;     /* FLOP/s */
    double low_peak; /* of the faster precision of a mix, which gives the lower MFU; NaN */
    const char *peak_name;
    const struct accelerator *card; /* whose peak it is; NULL: the row states the peak */
};

/* Operations per parameter and token, by what the row, its case and its page say. */
double mfu_factor(struct audit *a, const struct claim *c);

/* What the claim's MFU is computed from. False, with the reason in *why, when something is not
 * known. */
bool mfu_find_inputs(struct audit *a, const struct claim *c, struct mfu_inputs *out,
                     const char **why);

double mfu_ratio(const struct mfu_inputs *in, double tokens_per_s_per_card);

/* "6 * 7e9 * 3564 / 3.12e14 = 47.98 %" */
const char *mfu_derivation(struct audit *a, const struct mfu_inputs *in,
                           double tokens_per_s_per_card);

/* What it says, for the rules that quote it (verifier/claims/rule.h). */
extern const struct words mfu_messages[];
