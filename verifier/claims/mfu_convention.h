/*
 * mfu_convention: other definitions of MFU that a published figure may follow.
 *
 * FlagPerf divides factor * N operations of a token by the peak (mfu.h). Others count the exact N,
 * add the scores of the attention (12 * layers * hidden * length; Chowdhery et al., PaLM, 2022,
 * appendix B), with half of them where the mask is causal, or count what is recomputed (HFU: one
 * more forward pass, 2 * N). A convention is `named` where the row says so in words or, for PaLM's
 * own definition, where the general metrics table cites the paper.
 */
#pragma once

#include "verifier/claims/mfu.h"

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

/* Does a cell of the row, or the header above it, contain this word (folded)? */
bool mfu_row_says(const struct audit *a, const struct claim *c, const char *word);

/* What it says, for the rules that quote it (verifier/claims/rule.h). */
extern const struct words mfu_convention_messages[];
