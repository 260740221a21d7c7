/*
 * chart: training curves as SVG, written by us: no script, no style, no resource.
 *
 * A chart is made, then written as often as it is wanted, and told as a table:
 *
 *     struct chart *c = chart_convergence(arena, &words, &run, &reference, 0.02, 21);
 *     chart_write(&out, c, CHART_BOTH);                 inline SVG for a page
 *     const struct chart_rows *rows = chart_rows(arena, c, 40);      for <details>
 *
 * What there is:
 *   chart_convergence  loss of a run with its reference, and below it, on the same steps,
 *                      (run - reference) / |reference| in percent with its limits and worst step,
 *                      and once more enlarged where the limits are far away.
 *                      A deviation of 2 % is about one pixel on a loss curve.
 *   chart_throughput   a rate over the step: warm-up shaded, median labelled
 *   chart_overlay      loss of several runs with their reference, and below it the deviation of
 *                      each
 *   chart_monitors     small multiples over time: memory, power, temperature … of all cards
 * Other drawings: plan.h (parallel plan), bars.h (comparison), badge.h.
 *
 * Sizes. Text in a drawing grows and shrinks with it, so that there are two: CHART_WIDE is 720
 * units wide and right between 560 and 860 px, CHART_NARROW is 360 and right between 300 and 480.
 * CHART_BOTH writes both, one behind the other; the style sheet shows one of them:
 *     .chart { width: 100%; height: auto; max-width: 54rem }
 *     .chart-narrow { display: none }
 *     @media (max-width: 37rem) { .chart-wide { display: none }
 *                                 .chart-narrow { display: block; max-width: 30rem } }
 * CHART_FILE is the wide one as an SVG file of its own, with its colours for light and dark in a
 * <style>; the other sizes hold presentation attributes only, which no policy about styles
 * (style-src 'self') concerns.
 *
 * Colours are CSS variables with fallbacks that can be read on white and on black: --chart-1 …
 * --chart-6, --chart-reference, --chart-limit, --chart-bad, and --chart-ground, the page's
 * background, that stands behind labels which cross a line. Text is currentColor. Curves differ
 * in dashes and by direct labels too, never by colour alone.
 *
 * Downsampling (pen.h) is for drawing only; every figure, range and mark is taken from all
 * points. A value that is not finite, or beyond 1e15, leaves a gap; points whose x is not finite
 * or goes back are left out. The y axis is logarithmic when a few large values would squash all
 * others. The same data give the same bytes. One drawing in one size has at most CHART_BYTES_MAX
 * bytes; what is written is HTML: view_set_raw (renderer/templates/view.h).
 *
 * For a script (templates/site/script/chart.js): `data-x` of the svg and `data-y` of each
 * g.chart-panel say "low high from to[ log]", from values to units of the drawing. `data-p` of the
 * wide svg holds the x of some points (sample.h), `data-p` of each curve its values there,
 * "-" for none: a few kilobytes in all.
 *
 * A chart borrows the words and the series that it was made of, and lives in the arena.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

#define CHART_BYTES_MAX ((size_t)52 << 10)
#define CHART_LINES_MAX 6  /* in one panel; those behind are not drawn */
#define CHART_PANELS_MAX 8 /* of chart_monitors; likewise */

enum chart_size { CHART_WIDE, CHART_NARROW, CHART_BOTH, CHART_FILE };

struct chart_series {
    const double *x, *y; /* x: steps or seconds, ascending */
    size_t n;
    const char *label;        /* in the legend or at the end of the line; NULL: none */
    const double *low, *high; /* a band around y; NULL: none */
};

/* All words of a drawing, in the language of the page; they are escaped here, and cut to the room
 * that there is. Those that a drawing does not name may be NULL. */
struct chart_text {
    const char *id;          /* unique in the page: letters, digits and '-' */
    const char *title;       /* drawn above, and what a screen reader says first */
    const char *description; /* what can be seen, in a sentence; it is not drawn */
    const char *x_label;     /* "step", "minutes" */
    const char *y_label;     /* with its unit: "loss", "tokens/s per card" */
    const char *deviation;   /* y label of the second panel: "deviation from the reference, %" */
    const char *enlarged; /* label of a third, where the limits are far: "the same, enlarged, %" */
    const char *limit;    /* before the limit's value: "limit" */
    const char *worst;    /* before the worst step: "worst", "最大" */
    const char *from;     /* at the first compared step: "compared from here" */
    const char *warm_up;  /* in the shaded part: "warm-up, not counted" */
    const char *median;   /* before the median's value: "median" */
    const char *broken;   /* behind the label of an axis that does not begin at zero */
    const char *average;  /* before what all steps together give: "mean" */
    const char *band;     /* of a band of several cards: "lowest to highest of 8 cards" */
    const char *mean;     /* below curves of more points than can be seen, which are drawn pale
                             with their mean: "thick lines: mean of neighbouring steps" */
    const char *empty;    /* instead of curves when there is no point */
    const char *none;     /* in a table, for a step that a curve does not have: "not logged" */
};

struct chart; /* model.h */

/* `reference` may be NULL, then there is one panel. `limit` is a fraction (0.02), or NAN: none is
 * drawn. Steps from `from_step` on are compared: the worst of them, the first one of equals, is
 * labelled, and all of them are inside of the second axis. */
struct chart *chart_convergence(struct arena *arena, const struct chart_text *text,
                                const struct chart_series *run,
                                const struct chart_series *reference, double limit,
                                double from_step);

/* The same for n runs of one case (n > 0; those behind CHART_OVERLAID_MAX are not drawn), named by
 * their labels above. Without a reference the deviations are those from the first run. Each run's
 * worst step has a ring, the worst of all is labelled. */
#define CHART_OVERLAID_MAX (CHART_LINES_MAX - 1)
struct chart *chart_overlay(struct arena *arena, const struct chart_text *text,
                            const struct chart_series *runs, size_t n,
                            const struct chart_series *reference, double limit, double from_step);

/* Steps up to `warm_up` (with it) are shaded, count for neither the median nor the axis, and are
 * drawn at its edge where they are beyond it. NAN: all count. */
struct chart *chart_throughput(struct arena *arena, const struct chart_text *text,
                               const struct chart_series *rate, double warm_up);

/* One panel: a quantity of every card (or of the machine: one series) over time. */
struct chart_monitor {
    const char *label; /* with its unit: "power, W" */
    const struct chart_series *cards;
    size_t n;
    bool from_zero; /* the axis begins at zero */
};

/* Up to 4 cards are a line each; more are their median with a band from the lowest to the
 * highest. Panels without a point are left out. */
struct chart *chart_monitors(struct arena *arena, const struct chart_text *text,
                             const struct chart_monitor *monitors, size_t n);

void chart_write(struct buf *out, const struct chart *chart, enum chart_size size);

/* The chart as a table: one row a step (or time), with the worst ones. Cells are text. */
struct chart_rows {
    size_t n_columns, n; /* of n rows */
    const char **heads;  /* of each column; the first is the x axis */
    const char ***cells; /* cells[row][column] */
    size_t of;           /* points that the rows were chosen from */
};

/* At most `max` rows, or 24 if that is less. */
const struct chart_rows *chart_rows(struct arena *arena, const struct chart *chart, size_t max);
