/*
 * site_chart: charts in pages of the site (private to renderer/site/): each is drawn, and told as
 * a table for those who do not see it.
 */
#pragma once

#include "renderer/charts/chart.h"
#include "renderer/site/sheet/sheet.h"

/* The words that charts of curves share; `name`, a place in the list, make an id of the page. */
struct chart_text sheet_chart_words(struct sheet *s, const char *name, size_t i, const char *title,
                                    const char *description);

/* {"svg", "title", "summary", "heads": […], "rows": [{"cells": […]}]} */
void sheet_push_chart(struct sheet *s, struct view *list, const struct chart *chart,
                      const char *title);

/*
 * The losses of all evidence of these rows, which are of one case, in one drawing:
 *   {"charts": [one or none], "overlaid": {"runs": [{name, path, place, state…, steps, mean …}],
 *    "left_out": "", "reference": path} or false}
 * Nothing is drawn of fewer than `least` runs; no more than CHART_OVERLAID_MAX are.
 */
void sheet_set_overlay(struct sheet *s, struct view *v, const struct site_row *const *rows,
                       size_t n, size_t least);

/* Words of ours at their places in a struct: {offsetof(struct chart_text, x_label), "chart.step"}
 */
struct sheet_word {
    size_t at;
    const char *key;
};
void sheet_put_words(struct sheet *s, void *to, const struct sheet_word *words, size_t n);
