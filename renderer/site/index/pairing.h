/*
 * site_pairing: which rows of two results stand side by side (private to renderer/site/).
 *
 * Of all rows that may be compared (site_rows_compare) a row stands with those that are most like
 * it: on as many cards of as many machines, then of the same precision, then of the same plan and
 * changed settings. Two rows stand side by side where neither has one that is more alike. Where no
 * two are known to be on as many cards, all that may be compared do.
 */
#pragma once

#include "renderer/site/index/index.h"

struct site_rows_beside {
    const struct site_row *a, *b;
};

struct site_pairing {
    struct site_rows_beside *items; /* in the order of the pages */
    size_t n;
    size_t comparable; /* all that may be compared */
    bool unequal;      /* no two are on as many cards: items are all, up to the limit */
};

#define SITE_PAIRING_MAX 64 /* no page has more */

void site_pairing_of(const struct site_compared *pair, struct arena *arena,
                     struct site_pairing *out);
