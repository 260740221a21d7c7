/*
 * recompute: what a layer keeps between the passes, and what is computed a second time instead
 * (Korthikanti et al. 2022, "Reducing activation recomputation in large transformer models").
 *
 *   none       every activation (struct layer_activations of model.h) is kept
 *   selective  both normed rows and `gated` are not: the backward pass has at hand what they come
 *              from, and writes them over the gradient that it has just read
 *   full       only `input` is kept; the layer is computed again from it
 */
#pragma once

enum recompute { RECOMPUTE_NONE, RECOMPUTE_SELECTIVE, RECOMPUTE_FULL };

/* As cases say it. */
static inline const char *recompute_name(enum recompute r)
{
    return r == RECOMPUTE_NONE ? "none" : r == RECOMPUTE_FULL ? "full" : "selective";
}
