/* A line chart as SVG: frame, plots and labels, where layout.h puts them. */
#include "renderer/charts/layout.h"
#include "renderer/charts/pen.h"
#include "renderer/charts/sample.h"
#include "renderer/charts/svg.h"

#include <math.h>
#include <stdio.h>

/* How lines differ: by colour, and by dashes. The reference is broad and pale: the run lies on it,
 * and where both agree one sees both. */
static const struct {
    const char *width, *dash, *opacity;
} strokes[STROKE_N] = {
    {"1.7", NULL, NULL},
    {"1.7", "6 5", NULL},
    {"1.7", "1.5 4", NULL},
    {"1.7", "10 4 1 4", NULL},
    {"1.7", "14 6", NULL},
    {"1.7", "5 4 1 4 1 4", NULL},
    [STROKE_REFERENCE] = {"4.5", NULL, ".5"},
};

static const char *colour_of(enum chart_stroke s)
{
    return s == STROKE_REFERENCE ? "var(--chart-reference,#d55e00)" : svg_palette[s];
}

static void put_stroke(struct buf *out, enum chart_stroke s)
{
    buf_printf(out, " fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"", colour_of(s),
               strokes[s].width);
    if (strokes[s].dash)
        buf_printf(out, " stroke-dasharray=\"%s\"", strokes[s].dash);
    if (strokes[s].opacity)
        buf_printf(out, " stroke-opacity=\"%s\"", strokes[s].opacity);
}

/* ---- frame ------------------------------------------------------------------------------ */

static void put_chart_text(struct buf *out, const struct place *p, enum anchor anchor,
                           const char *more)
{
    if (p->text && *p->text)
        svg_text(out, p->x, p->y, anchor, more, p->text);
}

#define SMALL "font-size=\"12\""

/* The lower edge of the plot, and zero where it is inside. */
static void put_base(struct buf *out, const struct chart_layout *l, const struct panel_layout *p)
{
    svg_line(out, l->left, p->bottom, l->right, p->bottom, SVG_AXIS);
    if (chart_axis_is_broken(p))
        buf_printf(out,
                   "<path class=\"chart-break\" fill=\"none\" " SVG_AXIS
                   " d=\"M%.1f %.1fv-4l-4 -2l8 -4l-4 -2v-4\"/>\n",
                   l->left, p->bottom);
    if (!p->y.log && p->y.data.low < 0 && p->y.data.high > 0) {
        double zero = scale_place(&p->y, 0);
        svg_line(out, l->left, zero, l->right, zero, SVG_AXIS);
    }
    buf_str(out, "<path " SVG_AXIS " d=\"");
    for (size_t i = 0; i < l->ticks.n; i++) {
        buf_char(out, 'M');
        pen_number(out, scale_place(&l->x, l->ticks.at[i].value));
        buf_char(out, ' ');
        pen_number(out, p->bottom);
        buf_str(out, "v4");
    }
    buf_str(out, "\"/>\n");
}

static void put_x_axis(struct buf *out, const struct chart_layout *l)
{
    double y = l->panels[l->chart->n_panels - 1].bottom;
    buf_str(out, "<g " SMALL " " SVG_SOFT " text-anchor=\"middle\">\n");
    for (size_t i = 0; i < l->ticks.n; i++)
        svg_text(out, scale_place(&l->x, l->ticks.at[i].value), y + 18, ANCHOR_START, "",
                 l->ticks.at[i].text);
    buf_str(out, "</g>\n");
    put_chart_text(out, &l->x_label, ANCHOR_END, SMALL " " SVG_SOFT);
    put_chart_text(out, &l->note, ANCHOR_START, SMALL " " SVG_SOFT);
}

static void put_chart_legend(struct buf *out, const struct chart_layout *l)
{
    for (size_t i = 0; i < l->n_legend; i++) {
        const struct legend_entry *e = &l->legend[i];
        double x = e->at.x - LEGEND_SWATCH - 6, y = e->at.y - 4;
        if (e->line) {
            buf_str(out, "<path");
            put_stroke(out, e->line->stroke);
            buf_printf(out, " d=\"M%.1f %.1fh%.0f\"/>\n", x, y, LEGEND_SWATCH);
        } else {
            svg_rect(out, x, y - 5, LEGEND_SWATCH, 10,
                     "fill=\"var(--chart-1,#0072b2)\" fill-opacity=\".22\"");
        }
        put_chart_text(out, &e->at, ANCHOR_START, SMALL);
    }
}

/* ---- inside a plot ---------------------------------------------------------------------- */

#define LIMIT "stroke=\"var(--chart-limit,#d1242f)\" stroke-width=\"1\""
#define LEVEL "stroke=\"currentColor\" stroke-width=\"1\" stroke-dasharray=\"2 3\""

static void put_grid_lines(struct buf *out, const struct chart_layout *l,
                           const struct panel_layout *p)
{
    for (size_t i = 0; i < p->panel->n_rules; i++) {
        double at = p->panel->rules[i].y, y = scale_place(&p->y, at);
        if (at < p->y.data.low || at > p->y.data.high)
            continue; /* beyond the axis: its words stand at the edge */
        svg_line(out, l->left, y, l->right, y, p->panel->rules[i].limit ? LIMIT : LEVEL);
    }
}

/* Values for a script: those of this line at the places of the drawing; "-" where it has none. */
static void put_line_values(struct buf *out, const struct chart_sample *sample,
                            const struct chart_line *line)
{
    for (size_t k = 0; k < sample->n_lines; k++) {
        const struct sampled_line *l = &sample->lines[k];
        if (l->line != line)
            continue;
        buf_str(out, " data-p=\"");
        for (size_t i = 0; i < sample->n; i++) {
            buf_str(out, i ? " " : "");
            if (l->points[i] == SAMPLE_NONE)
                buf_char(out, '-');
            else
                buf_printf(out, "%.5g", line->series.y[l->points[i]]);
        }
        buf_char(out, '"');
    }
}

static void put_places(struct buf *out, const struct chart_sample *sample, bool time)
{
    buf_str(out, " data-p=\"");
    for (size_t i = 0; i < sample->n; i++)
        buf_printf(out, "%s%.*g", i ? " " : "", time ? 5 : 15, sample->x[i]);
    buf_char(out, '"');
}

/* As many places as a few kilobytes hold. */
static size_t chart_places(const struct chart *c)
{
    size_t lines = 1;
    for (size_t i = 0; i < c->n_panels; i++)
        lines += c->panels[i].n_lines;
    return lines < 5 ? 120 : lines < 18 ? 540 / lines : 30;
}

/* Two points a bucket, for all curves of a drawing together: a weight that pages can carry. */
#define POINTS_MAX 2400.0

static double chart_bucket(const struct chart_layout *l)
{
    size_t curves = 0;
    for (size_t i = 0; i < l->chart->n_panels; i++)
        for (size_t k = 0; k < l->chart->panels[i].n_lines; k++)
            curves += l->chart->panels[i].lines[k].series.low ? 2 : 1;
    double points = l->narrow ? POINTS_MAX / 2 : POINTS_MAX;
    return fmax(2, (double)curves * 2 * (l->right - l->left) / points);
}

static void put_chart_line(struct buf *out, const struct chart_layout *l,
                           const struct panel_layout *p, const struct chart_line *line,
                           const struct chart_sample *sample)
{
    struct pen_paper paper = {&l->x, &p->y, chart_bucket(l)};
    if (line->series.low && line->series.high) {
        buf_printf(out, "<path fill=\"%s\" fill-opacity=\".22\" d=\"", colour_of(line->stroke));
        pen_band(out, &paper, &line->series);
        buf_str(out, "\"/>\n");
    }
    buf_str(out, "<path class=\"chart-line\"");
    put_stroke(out, line->stroke);
    if (line->series.label)
        svg_attribute(out, "data-name", line->series.label);
    if (sample)
        put_line_values(out, sample, line);
    buf_str(out, " stroke-linejoin=\"round\" stroke-linecap=\"round\" d=\"");
    if (chart_line_is_dense(l, line)) {
        struct pen_paper coarse = {&l->x, &p->y, 5};
        pen_mean(out, &coarse, &line->series);
    } else {
        pen_curve(out, &paper, &line->series, line->keep);
    }
    buf_str(out, "\"/>\n");
    /* A series of one point is a dot that can be seen. */
    const struct chart_series *s = &line->series;
    char more[96];
    size_t index[8];
    if (pen_sample(s, 8, index) != 1)
        return;
    snprintf(more, sizeof more, "fill=\"%s\"", colour_of(line->stroke));
    svg_circle(out, scale_place(&l->x, s->x[index[0]]), scale_place(&p->y, s->y[index[0]]), 3,
               more);
}

static void put_end(struct buf *out, const struct chart_layout *l, const struct end_label *e)
{
    if (e->line) {
        char more[160];
        snprintf(more, sizeof more, "stroke=\"%s\" stroke-width=\"1.4\"",
                 colour_of(e->line->stroke));
        if (e->from_x < l->right - 6) /* it ends early */
            svg_line(out, e->from_x + 5, e->from_y, l->right, e->from_y,
                     SVG_AXIS " stroke-dasharray=\"1 4\"");
        svg_line(out, l->right + 2, e->from_y, e->at.x - 3, e->at.y, more);
        snprintf(more, sizeof more, "fill=\"%s\"", colour_of(e->line->stroke));
        svg_circle(out, e->from_x, e->from_y, 2.6, more);
    } else if (fabs(e->at.y - e->from_y) > 1) {
        svg_line(out, l->right + 2, e->from_y, e->at.x - 3, e->at.y, SVG_AXIS);
    }
    svg_text(out, e->at.x, e->at.y + 4, ANCHOR_START, SMALL, e->at.text);
}

/* The ring of the worst of all is red, those of other lines have their line's colour. */
static void put_marks(struct buf *out, const struct chart_layout *l, const struct panel_layout *p)
{
    for (size_t i = 0; i < p->panel->n_marks; i++) {
        const struct chart_mark *mark = &p->panel->marks[i];
        char more[160];
        snprintf(more, sizeof more,
                 "class=\"chart-mark\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"",
                 mark->text ? "var(--chart-bad,#d1242f)"
                            : colour_of(p->panel->lines[mark->line].stroke));
        svg_circle(out, scale_place(&l->x, mark->x), scale_place(&p->y, mark->y), 4.5, more);
    }
    if (p->mark.text)
        put_chart_text(out, &p->mark, ANCHOR_START, SMALL " " SVG_STRONG " " SVG_HALO);
}

static void put_scale(struct buf *out, const char *name, const struct scale *s)
{
    buf_printf(out, " %s=\"%.9g %.9g %.1f %.1f%s\"", name, s->data.low, s->data.high, s->from,
               s->to, s->log ? " log" : "");
}

/* All points below all means, the reference below all runs, dashes on what is solid. */
static void put_chart_lines(struct buf *out, const struct chart_layout *l,
                            const struct panel_layout *p, const struct chart_sample *sample)
{
    struct pen_paper paper = {&l->x, &p->y, chart_bucket(l)};
    const struct chart_line *lines = p->panel->lines;
    for (size_t i = p->panel->n_lines; i > 0; i--)
        if (chart_line_is_dense(l, &lines[i - 1])) {
            /* All points of a dense line, pale. */
            const struct chart_line *line = &lines[i - 1];
            buf_printf(
                out,
                "<path class=\"chart-points\" fill=\"none\" stroke=\"%s\" stroke-width=\"1\" "
                "stroke-opacity=\".45\" stroke-linejoin=\"round\" d=\"",
                colour_of(line->stroke));
            pen_curve(out, &paper, &line->series, line->keep);
            buf_str(out, "\"/>\n");
        }
    for (int below = 1; below >= 0; below--)
        for (size_t i = 0; i < p->panel->n_lines; i++)
            if ((lines[i].stroke == STROKE_REFERENCE) == below)
                put_chart_line(out, l, p, &lines[i], sample);
}

static void put_panel(struct buf *out, const struct chart_layout *l, const struct panel_layout *p,
                      const struct chart_sample *sample)
{
    buf_str(out, "<g class=\"chart-panel\"");
    put_scale(out, "data-y", &p->y);
    svg_attribute(out, "data-name", p->panel->label ? p->panel->label : "");
    buf_str(out, ">\n");
    put_chart_text(out, &p->label, ANCHOR_START, SMALL " " SVG_SOFT);
    if (l->boundary) {
        svg_rect(out, l->left, p->top, l->boundary - l->left, p->bottom - p->top,
                 "fill-opacity=\".07\"");
        svg_line(out, l->boundary, p->top, l->boundary, p->bottom,
                 "stroke=\"currentColor\" stroke-opacity=\".5\" stroke-dasharray=\"1 3\"");
    }
    buf_str(out, "<path " SVG_GRID " d=\"");
    for (size_t i = 0; i < p->ticks.n; i++) {
        buf_char(out, 'M');
        pen_number(out, l->left);
        buf_char(out, ' ');
        pen_number(out, scale_place(&p->y, p->ticks.at[i].value));
        buf_char(out, 'H');
        pen_number(out, l->right);
    }
    buf_str(out, "\"/>\n<g " SMALL " " SVG_SOFT " text-anchor=\"end\">\n");
    for (size_t i = 0; i < p->ticks.n; i++)
        svg_text(out, l->left - 7, scale_place(&p->y, p->ticks.at[i].value) + 4, ANCHOR_START, "",
                 p->ticks.at[i].text);
    buf_str(out, "</g>\n");
    put_base(out, l, p);
    put_chart_lines(out, l, p, sample);
    put_grid_lines(out, l, p);
    for (size_t i = 0; i < p->n_ends; i++)
        put_end(out, l, &p->ends[i]);
    for (size_t i = 0; i < p->n_rules; i++)
        put_chart_text(out, &p->rules[i], ANCHOR_START, SMALL " " SVG_HALO);
    put_chart_text(out, &p->boundary, ANCHOR_START, SMALL " " SVG_SOFT " " SVG_HALO);
    put_marks(out, l, p);
    buf_str(out, "</g>\n");
}

/* ---- all -------------------------------------------------------------------------------- */

static void write_chart_size(struct buf *out, const struct chart *chart, bool narrow, bool file)
{
    struct arena arena = ARENA_INIT;
    struct chart_layout *l = arena_alloc(&arena, sizeof *l);
    chart_layout(l, chart, narrow, &arena);
    l->head.file = file;
    /* the narrow drawing's script reads the wide one's values */
    const struct chart_sample *sample =
        narrow ? NULL : chart_sample_new(&arena, chart, chart_places(chart));
    svg_begin(out, &l->head);
    if (!chart_is_empty(chart))
        put_scale(out, "data-x", &l->x);
    if (sample)
        put_places(out, sample, chart->is_time);
    svg_attribute(out, "data-name", chart->text.x_label ? chart->text.x_label : "");
    svg_ready(out, &l->head);
    put_chart_legend(out, l);
    if (chart_is_empty(chart)) {
        if (chart->text.empty)
            svg_text(out, l->head.width / 2, l->head.height - 36, ANCHOR_MIDDLE, SVG_SOFT,
                     chart->text.empty);
    } else {
        for (size_t i = 0; i < chart->n_panels; i++)
            put_panel(out, l, &l->panels[i], sample);
        put_x_axis(out, l);
    }
    svg_end(out);
    arena_release(&arena);
}

void chart_write(struct buf *out, const struct chart *chart, enum chart_size size)
{
    if (size != CHART_NARROW)
        write_chart_size(out, chart, false, size == CHART_FILE);
    if (size == CHART_NARROW || size == CHART_BOTH)
        write_chart_size(out, chart, true, false);
}
