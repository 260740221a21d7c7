/*
 * mfu: model FLOPs utilisation by FlagPerf's convention.
 *
 *     MFU = factor * N * tokens_per_second_per_card / peak
 *
 * factor 6 for training, 4 for LoRA (frozen weights have no gradients), 2 for LLaVA's pretraining
 * stage (as FlagPerf's pages count it; the stage really computes about 4 N); N is nominal (7e9 for
 * "7B"); peak is the dense datasheet figure of the precision used. Which peak a precision uses, and
 * that a mix of two gives a range, is base/project/peaks.h's.
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

/* Other definitions of MFU that a published figure may follow.
 *
 * FlagPerf divides factor * N operations of a token by the peak (mfu.h). Others count the exact N,
 * add the scores of the attention (12 * layers * hidden * length; Chowdhery et al., PaLM, 2022,
 * appendix B), with half of them where the mask is causal, or count what is recomputed (HFU: one
 * more forward pass, 2 * N). A convention is `named` where the row says so in words or, for PaLM's
 * own definition, where the general metrics table cites the paper. */

struct mfu_convention {
    const char *name;
    double scale; /* operations of a token, as a multiple of factor * N */
    bool named;
};

#define MFU_CONVENTIONS_MAX 6

struct mfu_conventions {
    struct mfu_convention all[MFU_CONVENTIONS_MAX];
    size_t n;
    /* What the row's words allow beside these, as multiples: selective recomputation lies between
     * none and all of it. NaN: the row names nothing. */
    double least, most;
};

void mfu_conventions_find(const struct audit *a, const struct claim *c, const struct mfu_inputs *in,
                          struct mfu_conventions *out);

/* What it says, for the rules that quote it (verifier/claims/rule.h). */
extern const struct words mfu_convention_messages[];
