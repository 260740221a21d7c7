/*
 * site_figures: which figures of a result are others than those that were published before.
 *
 * Rows are paired by what they are (base/records/row_pairs.h), their figures by name; several that
 * are alike in their order. What counts is the text that was stated and the text that was
 * recomputed. A row that moved is the same; one without a partner is told as a row, and no figure
 * of it changed.
 */
#pragma once

#include "base/arena.h"
#include "renderer/site/index/previous.h"

/* What one publication says. */
struct site_figures {
    const struct metric *items;
    size_t n;
    const struct verdict_row *rows; /* none with a key: it was published before there were keys */
    size_t n_rows;
};

/* SHA-256 of them all, and of the keys of their rows: the same of the same figures of the same rows
 * in the same order. `text` is for the work. */
const char *site_figures_sum(const struct verdict *v, struct buf *text, struct arena *arena);

/* How many there are: stated, or recomputed. */
size_t site_figures_count(const struct verdict *v);

/* Those that differ, in the order of rows and names, at the places that they have now; texts are
 * copied. */
void site_figures_compare(const struct site_figures *old, const struct site_figures *now,
                          struct arena *arena, struct site_figure_changes *out);
