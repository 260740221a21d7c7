/*
 * site_figures: which figures of a result are others than those that were published before.
 *
 * Figures are paired by table, row and name; several that are alike in their order. What counts is
 * the text that was stated and the text that was recomputed.
 */
#ifndef RENDERER_SITE_FIGURES_H
#define RENDERER_SITE_FIGURES_H

#include "base/buf.h"
#include "renderer/site_previous.h"

/* SHA-256 of them all: the same of the same figures in the same order. `text` is for the work. */
const char *site_figures_sum(const struct verdict *v, struct buf *text, struct arena *arena);

/* How many there are: stated, or recomputed. */
size_t site_figures_count(const struct verdict *v);

/* Those that differ, in the order of rows and names; texts are copied. */
void site_figures_compare(const struct metric *old, size_t n_old, const struct metric *now,
                          size_t n_now, struct arena *arena, struct site_figure_changes *out);

#endif
