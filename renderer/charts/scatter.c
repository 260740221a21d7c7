#include "renderer/charts/scatter.h"

#include "base/text.h"
#include "renderer/charts/measure.h"
#include "renderer/charts/scale.h"
#include "renderer/charts/svg.h"

#include <math.h>
#include <stdlib.h>

#define WIDE 720.0
#define NARROW 360.0
#define TITLE_SIZE 15.0
#define PLOT_WIDE 300.0
#define PLOT_NARROW 240.0
#define BELOW 44.0 /* the plot: figures and the label of the axis */
#define LEGEND_STEP 18.0
#define RADIUS 4.0
#define SCATTER_SHAPES 3

/* One drawing in one size. */
struct plot {
    const struct chart_scatter *of;
    struct arena *arena;
    double width, left, right, top, bottom;
    double legend; /* where it begins, from the top */
    struct scale x, y;
    struct ticks x_ticks, y_ticks;
};

static bool is_on_axis(double value, bool log)
{
    return value_is_drawable(value) && (!log || value > 0);
}

static bool is_dot_drawn(const struct chart_scatter *s, const struct chart_dot *d)
{
    return is_on_axis(d->x, s->log_x) && is_on_axis(d->y, s->log_y);
}

static size_t dots_of(const struct chart_scatter *s)
{
    return s->n < SCATTER_DOTS_MAX ? s->n : SCATTER_DOTS_MAX;
}

/* ---- layout -------------------------------------------------------------------------------- */

/* A linear axis leaves room at its ends; one by logarithm has whole steps of 1, 2, 5. */
static struct range axis_of(struct range r, bool log)
{
    if (range_is_empty(r))
        r = (struct range){1, 10};
    if (log)
        return (struct range){r.low / 1.15, r.high * 1.15};
    r = range_widened(r);
    double more = (r.high - r.low) * 0.06;
    return (struct range){r.low - more, r.high + more};
}

static void measure_axes(struct plot *p)
{
    const struct chart_scatter *s = p->of;
    struct range x = range_none(), y = range_none();
    for (size_t i = 0; i < dots_of(s); i++)
        if (is_dot_drawn(s, &s->dots[i])) {
            x = range_with(x, s->dots[i].x);
            y = range_with(y, s->dots[i].y);
        }
    for (size_t i = 0; i < s->n_rules; i++)
        if (is_on_axis(s->rules[i].y, s->log_y))
            y = range_with(y, s->rules[i].y);
    p->x = (struct scale){axis_of(x, s->log_x), 0, 0, s->log_x};
    p->y = (struct scale){axis_of(y, s->log_y), 0, 0, s->log_y};
    ticks_make(&p->x_ticks, p->x.data, s->log_x, p->width > NARROW ? 8 : 5);
    ticks_make(&p->y_ticks, p->y.data, s->log_y, 6);
}

static void lay_out(struct plot *p, size_t titles)
{
    double figures = 0;
    measure_axes(p);
    for (size_t i = 0; i < p->y_ticks.n; i++)
        figures = fmax(figures, text_width(p->y_ticks.at[i].text, SVG_SMALL));
    p->legend = 20 * (double)titles + 8;
    size_t named = p->of->series ? p->of->n_series : 0;
    p->top = p->legend + LEGEND_STEP * (double)named + 26;
    p->left = ceil(figures) + 8;
    p->right = p->width - 10;
    p->bottom = p->top + (p->width > NARROW ? PLOT_WIDE : PLOT_NARROW);
    p->x.from = p->left;
    p->x.to = p->right;
    p->y.from = p->bottom;
    p->y.to = p->top;
}

/* ---- marks --------------------------------------------------------------------------------- */

static void put_mark(struct buf *out, double x, double y, size_t series, bool hollow,
                     const char *name)
{
    const char *colour = svg_palette[series % SVG_PALETTE_N];
    buf_printf(out, "<path fill=\"%s\" stroke=\"%s\" stroke-width=\"1.4\" d=\"",
               hollow ? "none" : colour, colour);
    if (series % SCATTER_SHAPES == 0)
        buf_printf(out, "M%.1f %.1fa%.1f %.1f 0 1 0 %.1f 0a%.1f %.1f 0 1 0 %.1f 0z", x - RADIUS, y,
                   RADIUS, RADIUS, 2 * RADIUS, RADIUS, RADIUS, -2 * RADIUS);
    else if (series % SCATTER_SHAPES == 1)
        buf_printf(out, "M%.1f %.1fh%.1fv%.1fh%.1fz", x - RADIUS, y - RADIUS, 2 * RADIUS,
                   2 * RADIUS, -2 * RADIUS);
    else
        buf_printf(out, "M%.1f %.1fl%.1f %.1fh%.1fz", x, y - RADIUS - 1, RADIUS + 1, 2 * RADIUS,
                   -2 * RADIUS - 2);
    buf_str(out, "\">");
    if (name) {
        buf_str(out, "<title>");
        svg_words(out, name);
        buf_str(out, "</title>");
    }
    buf_str(out, "</path>\n");
}

static void put_grid(struct buf *out, const struct plot *p)
{
    for (size_t i = 0; i < p->y_ticks.n; i++) {
        double y = scale_place(&p->y, p->y_ticks.at[i].value);
        svg_line(out, p->left, y, p->right, y, SVG_GRID);
        svg_text(out, p->left - 6, y + 4, ANCHOR_END, "font-size=\"12\" " SVG_SOFT,
                 p->y_ticks.at[i].text);
    }
    for (size_t i = 0; i < p->x_ticks.n; i++) {
        double x = scale_place(&p->x, p->x_ticks.at[i].value);
        svg_line(out, x, p->top, x, p->bottom, SVG_GRID);
        svg_text(out, x, p->bottom + 16, ANCHOR_MIDDLE, "font-size=\"12\" " SVG_SOFT,
                 p->x_ticks.at[i].text);
    }
    svg_line(out, p->left, p->bottom, p->right, p->bottom, SVG_AXIS);
    svg_text(out, 0, p->top - 10, ANCHOR_START, "font-size=\"12\" " SVG_SOFT,
             text_fitted(p->arena, text_or_empty(p->of->y_label), SVG_SMALL, p->width));
    svg_text(out, p->right, p->bottom + 36, ANCHOR_END, "font-size=\"12\" " SVG_SOFT,
             text_fitted(p->arena, text_or_empty(p->of->x_label), SVG_SMALL, p->width));
}

static void put_scatter_rules(struct buf *out, const struct plot *p)
{
    for (size_t i = 0; i < p->of->n_rules; i++) {
        const struct chart_rule *rule = &p->of->rules[i];
        if (!is_on_axis(rule->y, p->of->log_y))
            continue;
        double y = scale_place(&p->y, rule->y);
        svg_line(out, p->left, y, p->right, y,
                 "stroke=\"var(--chart-limit,#b42318)\" stroke-dasharray=\"6 4\"");
        svg_text(out, p->right - 4, y - 5, ANCHOR_END, "font-size=\"12\" " SVG_HALO,
                 text_fitted(p->arena, text_or_empty(rule->name), SVG_SMALL, p->right - p->left));
    }
}

static int by_series_and_x(const void *a, const void *b)
{
    const struct chart_dot *x = *(const struct chart_dot *const *)a,
                           *y = *(const struct chart_dot *const *)b;
    if (x->series != y->series)
        return x->series < y->series ? -1 : 1;
    if (x->x < y->x || x->x > y->x)
        return x->x < y->x ? -1 : 1;
    return (x > y) - (x < y);
}

static void put_dots(struct buf *out, const struct plot *p)
{
    const struct chart_scatter *s = p->of;
    const struct chart_dot **drawn = arena_array(p->arena, dots_of(s), sizeof *drawn);
    size_t n = 0;
    for (size_t i = 0; i < dots_of(s); i++)
        if (is_dot_drawn(s, &s->dots[i]))
            drawn[n++] = &s->dots[i];
    if (n > 1)
        qsort(drawn, n, sizeof *drawn, by_series_and_x);
    for (size_t i = 1; i < n && s->joined; i++)
        if (drawn[i]->series == drawn[i - 1]->series) {
            const char *stroke = arena_printf(p->arena, "stroke=\"%s\" stroke-opacity=\".6\"",
                                              svg_palette[drawn[i]->series % SVG_PALETTE_N]);
            svg_line(out, scale_place(&p->x, drawn[i - 1]->x), scale_place(&p->y, drawn[i - 1]->y),
                     scale_place(&p->x, drawn[i]->x), scale_place(&p->y, drawn[i]->y), stroke);
        }
    for (size_t i = 0; i < n; i++)
        put_mark(out, scale_place(&p->x, drawn[i]->x), scale_place(&p->y, drawn[i]->y),
                 drawn[i]->series, drawn[i]->hollow, drawn[i]->name);
    if (!n)
        svg_text(out, (p->left + p->right) / 2, (p->top + p->bottom) / 2, ANCHOR_MIDDLE, SVG_SOFT,
                 text_or_empty(s->empty));
}

static void put_legend(struct buf *out, const struct plot *p)
{
    for (size_t i = 0; p->of->series && i < p->of->n_series; i++) {
        double y = p->legend + LEGEND_STEP * (double)i + 8;
        put_mark(out, 6, y, i, false, NULL);
        svg_text(out, 16, y + 4, ANCHOR_START, "font-size=\"12\"",
                 text_fitted(p->arena, text_or_empty(p->of->series[i]), SVG_SMALL, p->width - 20));
    }
}

static void write_scatter_size(struct buf *out, const struct chart_scatter *s, bool narrow,
                               bool file)
{
    struct arena arena = ARENA_INIT;
    const char *lines[3];
    struct plot p = {.of = s, .arena = &arena, .width = narrow ? NARROW : WIDE};
    size_t titles =
        text_wrapped(&arena, text_or_empty(s->title), TITLE_SIZE * SVG_BOLD, p.width, lines, 3);
    lay_out(&p, titles);
    struct svg_head head = {.id = arena_printf(&arena, "%.80s%s", s->id, narrow ? "-n" : ""),
                            .title = s->title,
                            .description = s->description,
                            .class = narrow ? "chart-narrow" : "chart-wide",
                            .width = p.width,
                            .height = ceil(p.bottom + BELOW),
                            .file = file};
    svg_begin(out, &head);
    svg_ready(out, &head);
    for (size_t i = 0; i < titles; i++)
        svg_text(out, 0, 16 + 20 * (double)i, ANCHOR_START,
                 i ? "class=\"wrapped\" " SVG_STRONG " font-size=\"15\""
                   : SVG_STRONG " font-size=\"15\"",
                 lines[i]);
    put_legend(out, &p);
    put_grid(out, &p);
    put_scatter_rules(out, &p);
    put_dots(out, &p);
    svg_end(out);
    arena_release(&arena);
}

void chart_scatter_write(struct buf *out, const struct chart_scatter *s, enum chart_size size)
{
    if (size != CHART_NARROW)
        write_scatter_size(out, s, false, size == CHART_FILE);
    if (size == CHART_NARROW || size == CHART_BOTH)
        write_scatter_size(out, s, true, false);
}
