/*
 * generation: what a model goes on with, the most likely token each time (greedy), of equals the
 * first, until </s> or a number of tokens.
 */
#pragma once

#include "trainer/score/scored_model.h"

struct generation {
    int32_t end; /* </s>, which is not part of the answer; negative: there is none */
    int tokens_max;
};

/* Writes *n_out tokens to out[tokens_max]. Of what the prompt's tokens[n] and pixels are:
 * scored_model_read(). The model must have room for tokens_max rows behind them. 1: it went
 * on with logits that are no numbers. */
int generation_run(const struct generation *g, struct scored_model *model, const int32_t *tokens,
                   size_t n, const uint8_t *pixels, int32_t *out, size_t *n_out, struct err *err);
