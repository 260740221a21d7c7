/*
 * site_scaling: verified rows of one vendor that do the same work on different numbers of one
 * accelerator (private to renderer/site/).
 *
 * Rows of one comparable group do the same work; so do those of two cases with the same model,
 * trainer, data, class of precision, stage, factor of MFU and sequence length. What follows the
 * number of cards (plan, batches, recomputation) may differ, and is shown beside.
 *
 * Efficiency is the throughput of a card in percent of that of the first row, which has the fewest
 * cards. Rows stand in the order of their cards, which is no ranking.
 */
#pragma once

#include "renderer/site/index/index.h"
#include "renderer/site/sheet/sheet.h"

struct site_scaling {
    const struct site_row **rows; /* the fewest cards first; two numbers of cards or more */
    size_t n;
};

size_t site_scalings_of(const struct site_row *const *rows, size_t n, struct arena *arena,
                        struct site_scaling **out);

/* Tokens a second of one card, and of how many cards; of a row of a scaling. */
double site_row_rate(const struct site_row *row);
long site_row_cards(const struct site_row *row);
/* Its parallel plan, "TP1PP1DP4 ZeRO-1"; NULL: nobody says. */
const char *site_row_plan(const struct site_row *row, struct arena *arena);
/* Sequences in a micro-batch, 0 where the case does not say, and how many are accumulated. */
long long site_row_micro_batch(const struct site_row *row, long long *accumulation);

/* {"scalings": [{"name", "rows": [{…}]}], "has_scalings"}; how many there are. */
size_t sheet_set_scalings(struct sheet *s, struct view *v, const struct site_row *const *rows,
                          size_t n);

/* The parallel plan of a row (private to renderer/site/). */

/* TP, PP and DP of a row's cell, else of its case; false: neither says, or nothing is parallel. */
struct site_plan {
    long tp, pp, dp, machines, cards;
};
bool site_plan_of(const struct site_row *row, struct site_plan *out);
