/*
 * progress_bar: where a bar of tqdm stands.
 *
 *    10%|███       | 250/2724 [9:14:53<91:10:34, 132.67s/it]
 */
#pragma once

#include "base/lines/span.h"

struct progress_bar {
    double at, of;
    double elapsed; /* whole seconds since it was begun; NaN: not said */
};

/* The first bar of the line, and what stands behind it; false: it has none. */
bool progress_bar_read(struct span s, struct progress_bar *out, struct span *rest);

/* Can a step of a training of so many steps, which are whole epochs, be at this epoch, which was
 * printed to two decimals? */
bool progress_is_at_epoch(double step, double total, double epoch);
