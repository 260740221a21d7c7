/*
 * chart_layout: where everything of a line chart goes, in one size.
 *
 * From the top: title, legend (where lines have no labels at their ends), then each panel with
 * its own label and its plot, then the x axis. All plots share the left and the right edge. No two
 * labels of the layout overlap, by the widths of svg.h; labels at line ends are
 * moved apart, and a thin line leads from each line's end to its label.
 */
#pragma once

#include "renderer/charts/model.h"
#include "renderer/charts/svg.h"

struct place {
    double x, y; /* baseline of a text */
    const char *text;
};

/* The label of a line or rule at the right of a plot. */
struct end_label {
    struct place at;
    const struct chart_line *line; /* NULL: of a rule */
    double from_x, from_y;         /* where the line ends */
};

#define END_LABELS_MAX (CHART_LINES_MAX + CHART_RULES_MAX)

struct panel_layout {
    const struct chart_panel *panel;
    struct place label;
    double top, bottom; /* of the plot */
    struct scale y;
    struct ticks ticks;
    struct end_label ends[END_LABELS_MAX];
    size_t n_ends;
    struct place rules[CHART_RULES_MAX]; /* narrow: inside the plot, end-anchored */
    size_t n_rules;
    struct place mark; /* the words of the one mark that has some; text NULL: none */
    struct place boundary;
};

struct legend_entry {
    struct place at;               /* of the text; the swatch is LEGEND_SWATCH wide before it */
    const struct chart_line *line; /* NULL: the band */
};

#define LEGEND_SWATCH 26.0

struct chart_layout {
    const struct chart *chart;
    bool narrow;
    struct svg_head head;
    double left, right;
    struct legend_entry legend[CHART_LINES_MAX + 1];
    size_t n_legend;
    struct panel_layout panels[CHART_PANELS_MAX];
    struct scale x;
    struct ticks ticks;
    double boundary; /* its place; 0: none */
    struct place x_label, note;
};

void chart_layout(struct chart_layout *l, const struct chart *chart, bool narrow,
                  struct arena *arena);

/* Has the line more points than the eye can follow? Then they are drawn pale, and their mean on
 * top, if there are words for that (chart_text.mean); not what monitors saw. */
bool chart_line_is_dense(const struct chart_layout *l, const struct chart_line *line);

/* Does the axis begin above a zero that means something? Its foot is drawn broken. */
bool chart_axis_is_broken(const struct panel_layout *p);

/* Is there anything to draw? */
bool chart_is_empty(const struct chart *chart);
