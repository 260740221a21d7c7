/*
 * chart_pen: curves as paths, with fewer points than the data and none of the worst ones lost.
 *
 * A path is one "m" with pairs of numbers behind, each relative to the point before (SVG takes the
 * first as absolute), in tenths of a unit; places are rounded, not steps, so that roundings never
 * add up. Another "m" is a gap. Of every bucket of `bucket` units
 * the smallest and the largest value are drawn, in their order; a curve of fewer points than that
 * is drawn whole. A value that cannot be drawn (scale.h) leaves a gap where it separates
 * buckets; points whose x cannot be drawn or goes back are left out. A single point is a dot.
 */
#pragma once

#include "base/arena.h"
#include "renderer/charts/chart.h"
#include "renderer/charts/scale.h"

#include <stdint.h>

/* Where a curve goes: both scales, and how coarse. */
struct pen_paper {
    const struct scale *x, *y;
    double bucket; /* units of the drawing, > 0 */
};

/* A length or coordinate with one decimal at most: "12", "-.5". */
void pen_number(struct buf *out, double value);

/* The value of a `d` attribute. `keep`: index of a point that is drawn whatever lies around it. */
void pen_curve(struct buf *out, const struct pen_paper *paper, const struct chart_series *s,
               size_t keep);
#define PEN_KEEP_NONE SIZE_MAX

/* The mean of every bucket at the middle of its points. */
void pen_mean(struct buf *out, const struct pen_paper *paper, const struct chart_series *s);

/* The outline of the area between s->low and s->high, per bucket the outermost of both. */
void pen_band(struct buf *out, const struct pen_paper *paper, const struct chart_series *s);

/*
 * Indices of at most `max` points (max > 4) that stand for a series in a table or under a cursor:
 * the first, the last, the smallest and the largest of all, and of each of equal parts of the x
 * range the one that lies farthest from the mean of its part. Ascending.
 */
size_t pen_sample(const struct chart_series *s, size_t max, size_t *index);
