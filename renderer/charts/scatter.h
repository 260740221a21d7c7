/*
 * chart_scatter: figures as points over another figure, each axis linear or logarithmic.
 *
 * Points of one series have one colour and, up to SCATTER_SHAPES series, one form; where points
 * have states, their forms are the signs of those (svg.h). Points of a `joined` drawing are led
 * through by a line, from left to right. A hollow point is one that does not count. A rule is a
 * line across the plot at a value of y, a guide one from a point to another, each with its name.
 * A frame fixes both axes, so that a script can place other points by the attribute data-frame (the
 * places left, right, bottom, top, then the values x_low, x_high, y_low, y_high) with the signs of
 * the legend (data-sign: its state, data-at: its middle). Points outside of a frame stand at its
 * edge. Values that cannot be drawn, and those that a logarithm cannot show, are left out.
 */
#pragma once

#include "base/records/verdict.h"
#include "renderer/charts/chart.h"

#define SCATTER_DOTS_MAX 600 /* those behind are not drawn */

struct chart_dot {
    double x, y;
    size_t series;
    bool hollow;
    const char *name; /* what a pointer on it says; NULL: nothing */
};

struct chart_rule {
    double y;
    const char *name;
};

struct chart_guide {
    double x1, y1, x2, y2;
    const char *name;
};

struct chart_frame {
    double x_low, x_high, y_low, y_high;
};

struct chart_scatter {
    const char *id, *title, *description; /* as in chart_text */
    const char *x_label, *y_label;        /* with their units */
    const char *empty;                    /* instead of points where there is none */
    bool log_x, log_y, joined;
    const char *const *series; /* their names; NULL: one without a name */
    size_t n_series;
    const struct chart_dot *dots;
    size_t n;
    const struct chart_rule *rules;
    size_t n_rules;
    const struct chart_guide *guides;
    size_t n_guides;
    const struct chart_frame *frame; /* NULL: the axes are as long as the points need */
    const char *const *marks;        /* data-mark of each point, for a script; NULL: none */
    const enum state *states;        /* one a point; NULL: they have none */
    const char *const *state_words;  /* of each state, for the legend */
};

void chart_scatter_write(struct buf *out, const struct chart_scatter *s, enum chart_size size);
