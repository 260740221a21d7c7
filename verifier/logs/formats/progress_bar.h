/*
 * progress_bar: where a bar of tqdm stands.
 *
 *    10%|███       | 250/2724 [9:14:53<91:10:34, 132.67s/it]
 */
#ifndef VERIFIER_LOGS_FORMATS_PROGRESS_BAR_H
#define VERIFIER_LOGS_FORMATS_PROGRESS_BAR_H

#include "base/lines/span.h"

#include <stdbool.h>

struct progress_bar {
    double at, of;
    double elapsed; /* whole seconds since it was begun; NaN: not said */
};

/* The first bar of the line, and what stands behind it; false: it has none. */
bool progress_bar_read(struct span s, struct progress_bar *out, struct span *rest);

#endif
