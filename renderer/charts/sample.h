/*
 * chart_sample: a few places on the x axis that stand for a whole chart, and what every line has
 * there: for the rows of a table, and for the values under a cursor.
 *
 * The places are those where a panel is lowest or highest, and points of one line (pen_sample:
 * first, last, and the outermost of each part): of the last panel, where a deviation is, and there
 * of the line with the fewest points, which others are likely to have as well. On an axis of steps
 * another line has a value there if it has that very step; on one of time, if it has a point within
 * half of the places' distance.
 */
#pragma once

#include "renderer/charts/model.h"

#include <stdint.h>

#define SAMPLE_NONE SIZE_MAX

/* One line of the chart, in the order of panels and lines. */
struct sampled_line {
    const struct chart_panel *panel;
    const struct chart_line *line;
    size_t *points; /* for each place the index of its point; SAMPLE_NONE: it has none there */
};

struct chart_sample {
    double *x; /* ascending */
    size_t n;
    struct sampled_line *lines;
    size_t n_lines;
    size_t of; /* points that the places were chosen from */
};

/* At most `max` places, or SAMPLE_MIN if that is less. */
#define SAMPLE_MIN ((size_t)24)
struct chart_sample *chart_sample_new(struct arena *arena, const struct chart *chart, size_t max);
