/*
 * chart: training curves as inline SVG, written by us: no script, no style element, no resource.
 *
 * Two drawings share a width and an x axis, so that they can stand one above the other:
 *   chart_loss        one or two curves (run, reference) over the step
 *   chart_deviation   (run - reference) / |reference| in percent, at the steps that both have
 *
 * A deviation of 2 % is about one pixel on a loss curve; that is why the second one exists. Its y
 * axis shows 1.5 times the limit and grows only if a compared step leaves it; steps before
 * from_step are drawn, at the edge where they are beyond it, but not compared.
 *
 * Drawn is a subset: of every 2 pixels the smallest and the largest value of a curve. All
 * figures (worst step, ranges) come from all points. A value that is not finite, or beyond
 * 1e15, leaves a gap; points whose x is not finite or goes back are left out.
 *
 * Text is currentColor; colours are CSS variables with fallbacks that can be read on white and on
 * black (--chart-run, --chart-reference, --chart-limit, --chart-bad); curves differ by dashes too.
 * Coordinates have one decimal, so that the same data give the same bytes. At most
 * CHART_BYTES_MAX bytes are written. What is written is HTML: view_set_raw (view.h).
 */
#ifndef RENDERER_CHART_H
#define RENDERER_CHART_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

#define CHART_BYTES_MAX ((size_t)40 << 10)

struct chart_series {
    const double *x, *y; /* x: steps, ascending */
    size_t n;
    const char *label; /* for the legend */
};

/* All words of a drawing, in the language of the page; they are escaped here. */
struct chart_text {
    const char *id;          /* unique in the page: letters, digits and '-' */
    const char *title;       /* what a screen reader says first */
    const char *description; /* what can be seen, in a sentence */
    const char *x_label, *y_label;
    const char *worst; /* before the worst step: "worst", "最大" */
    const char *from;  /* at the first compared step: "compared from here" */
    const char *empty; /* instead of curves when there is no point */
};

/* The extremes of the deviation, from all points. */
struct chart_worst {
    bool exists; /* false: no step can be compared */
    double step;
    double deviation; /* signed, a fraction: 0.02 is 2 % */
};

/* `reference` may be NULL. */
void chart_loss(struct buf *out, const struct chart_text *text, const struct chart_series *run,
                const struct chart_series *reference);

/* `limit` is a fraction (0.02); steps from `from_step` on are compared. */
void chart_deviation(struct buf *out, const struct chart_text *text, const struct chart_series *run,
                     const struct chart_series *reference, double limit, double from_step);

/* The compared step with the largest |run - reference| / |reference|; the first one of equals. */
struct chart_worst chart_find_worst(const struct chart_series *run,
                                    const struct chart_series *reference, double from_step);

#endif
