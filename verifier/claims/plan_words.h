/*
 * plan_words: a parallel plan written with words instead of letters in a row.
 *
 *   TP=3      tensor_parallel=4, pipeline_parallel=4      tensor 8, pipeline 8
 *
 * Pages put these into the column of hyperparameters as well as into that of plans.
 */
#pragma once

#include "verifier/claims/cells.h"

/* False when the text names neither tensor nor pipeline parallelism in this way. */
bool plan_words_find(const char *text, struct arena *arena, struct plan *out);
