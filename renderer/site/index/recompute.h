/*
 * site_recompute: does a row compute activations a second time instead of keeping them? It costs
 * time and saves memory, so that rows which differ in it differ in both (private to
 * renderer/site/).
 *
 * The row's own cells say so first ("recompute=True", "gradient_checkpointing: full"), then the
 * strategies of its page ("recompute-activations"), then the case, where fpreport itself trains.
 */
#pragma once

#include "renderer/site/index/index.h"

enum site_recompute {
    RECOMPUTE_UNSAID,
    RECOMPUTE_NONE,
    RECOMPUTE_SOME,
    RECOMPUTE_PART,
    RECOMPUTE_ALL
};

/* RECOMPUTE_SOME: it is used, and nobody says how. */
enum site_recompute site_recompute_of(const struct site_row *row);

/* Are these known to differ? Some may be a part or all. */
bool site_recompute_differs(enum site_recompute a, enum site_recompute b);
