/*
 * recompute: what a layer keeps between the passes, and what is computed a second time instead
 * (Korthikanti et al. 2022, "Reducing activation recomputation in large transformer models").
 *
 *   none       every activation (struct layer_activations of model.h) is kept
 *   selective  what is cheap is computed again: both normed rows and `gated`; the layers share
 *              one buffer for each
 *   full       only `input` is kept; the layer is computed again from it
 */
#ifndef TRAINER_RECOMPUTE_H
#define TRAINER_RECOMPUTE_H

enum recompute { RECOMPUTE_NONE, RECOMPUTE_SELECTIVE, RECOMPUTE_FULL };

/* As cases say it. */
static inline const char *recompute_name(enum recompute r)
{
    return r == RECOMPUTE_NONE ? "none" : r == RECOMPUTE_FULL ? "full" : "selective";
}

#endif
