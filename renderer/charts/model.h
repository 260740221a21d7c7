/*
 * chart_model: what a line chart is made of, before anything has a place.
 *
 * Panels stand one above the other on one x axis. The makers (chart.c, monitors.c) fill
 * this; layout.c finds places, write.c draws, rows.c tells it as a table.
 */
#pragma once

#include "renderer/charts/chart.h"
#include "renderer/charts/scale.h"

#define CHART_RULES_MAX 3

/* How a line is drawn: rows of chart_strokes. The first six are the palette. */
enum chart_stroke { STROKE_PALETTE = 0, STROKE_REFERENCE = CHART_LINES_MAX, STROKE_N };

struct chart_line {
    struct chart_series series;
    enum chart_stroke stroke;
    size_t keep; /* index of a point that is drawn whatever lies around it; SIZE_MAX: none */
};

/* A level across the panel. */
struct chart_rule {
    double y;
    const char *text;
    bool limit; /* else a median or the like */
};

/* A ring on a point of a line. */
struct chart_mark {
    double x, y;
    const char *text; /* beside it; NULL: none */
    size_t line;      /* of the panel */
};

struct chart_panel {
    const char *label;
    double height; /* of the plot, in units of the wide drawing */
    struct chart_line lines[CHART_LINES_MAX];
    size_t n_lines;
    struct range y; /* the axis; rounded out to ticks unless `exact` */
    bool log, exact;
    bool again;  /* what another panel shows, larger: nothing of it is told twice */
    bool broken; /* zero means something here: an axis that leaves it out says so */
    struct chart_rule rules[CHART_RULES_MAX];
    size_t n_rules;
    struct chart_mark marks[CHART_LINES_MAX];
    size_t n_marks;
};

struct chart {
    struct chart_text text;
    struct chart_panel panels[CHART_PANELS_MAX];
    size_t n_panels;
    struct range x;
    double boundary;           /* what lies before it is shaded in all panels; NAN: nothing */
    const char *boundary_text; /* in the last panel */
    bool legend;               /* above, instead of labels at the ends of lines */
    bool is_time;              /* x is continuous: in a table, points close by share a row */
};

/* Add a line to the panel; its range is seen. */
void chart_add_line(struct chart *c, struct chart_panel *p, const struct chart_series *s,
                    enum chart_stroke stroke);

struct chart *chart_new(struct arena *arena, const struct chart_text *text);
struct chart_panel *chart_add_panel(struct chart *c, const char *label, double height);
