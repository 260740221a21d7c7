#include "renderer/charts/scatter.h"

#include "base/text.h"
#include "renderer/charts/scale.h"
#include "renderer/charts/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VALUES_MARKED_MAX 1000 /* of an axis by logarithm with hardly a tick */
#define WIDE 720.0
#define NARROW 360.0
#define TITLE_SIZE 15.0
#define PLOT_WIDE 300.0
#define PLOT_NARROW 240.0
#define BELOW 44.0 /* the plot: figures and the label of the axis */
#define LEGEND_STEP 18.0
#define RADIUS 4.0
#define SCATTER_SHAPES 3
#define STATES_N (STATE_WITHDRAWN + 1)

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

static bool is_guide_drawn(const struct chart_scatter *s, const struct chart_guide *g)
{
    return is_on_axis(g->x1, s->log_x) && is_on_axis(g->x2, s->log_x) &&
           is_on_axis(g->y1, s->log_y) && is_on_axis(g->y2, s->log_y);
}

static size_t dots_of(const struct chart_scatter *s)
{
    return s->n < SCATTER_DOTS_MAX ? s->n : SCATTER_DOTS_MAX;
}

/* How many states the points that are drawn have, `has` of each; in a frame, those that a script
 * may draw. */
static size_t states_drawn(const struct chart_scatter *s, bool has[STATES_N])
{
    size_t n = 0;
    memset(has, 0, STATES_N * sizeof *has);
    for (int i = 0; s->frame && i < STATE_WITHDRAWN; i++) {
        has[i] = true;
        n++;
    }
    for (size_t i = 0; s->states && i < dots_of(s); i++)
        if (is_dot_drawn(s, &s->dots[i]) && !has[s->states[i]]) {
            has[s->states[i]] = true;
            n++;
        }
    return n;
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

/* Counts of cards from 6 to 8 hold none of 1, 2 and 5 times a power of ten: they are marked. */
static void mark_values(const struct chart_scatter *s, bool of_x, struct ticks *t)
{
    double values[VALUES_MARKED_MAX];
    size_t n = 0;
    for (size_t i = 0; i < dots_of(s) && n < VALUES_MARKED_MAX; i++)
        if (is_dot_drawn(s, &s->dots[i]))
            values[n++] = of_x ? s->dots[i].x : s->dots[i].y;
    values_sort(values, n);
    ticks_make_at(t, values, n);
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
    for (size_t i = 0; i < s->n_guides; i++)
        if (is_guide_drawn(s, &s->guides[i])) {
            x = range_with(range_with(x, s->guides[i].x1), s->guides[i].x2);
            y = range_with(range_with(y, s->guides[i].y1), s->guides[i].y2);
        }
    x = axis_of(x, s->log_x);
    y = axis_of(y, s->log_y);
    if (s->frame) {
        x = (struct range){s->frame->x_low, s->frame->x_high};
        y = (struct range){s->frame->y_low, s->frame->y_high};
    }
    p->x = (struct scale){x, 0, 0, s->log_x};
    p->y = (struct scale){y, 0, 0, s->log_y};
    ticks_make(&p->x_ticks, p->x.data, s->log_x, p->width > NARROW ? 8 : 5);
    ticks_make(&p->y_ticks, p->y.data, s->log_y, 6);
    if (s->log_x && p->x_ticks.n < 2)
        mark_values(s, true, &p->x_ticks);
    if (s->log_y && p->y_ticks.n < 2)
        mark_values(s, false, &p->y_ticks);
}

static void lay_out(struct plot *p, size_t titles)
{
    double figures = 0;
    measure_axes(p);
    for (size_t i = 0; i < p->y_ticks.n; i++)
        figures = fmax(figures, text_width(p->y_ticks.at[i].text, SVG_SMALL));
    p->legend = 20 * (double)titles + 8;
    bool has[STATES_N];
    size_t named = (p->of->series ? p->of->n_series : 0) + (states_drawn(p->of, has) > 0);
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

static void put_dot(struct buf *out, const struct plot *p, const struct chart_dot *d)
{
    double x = scale_place(&p->x, d->x), y = scale_place(&p->y, d->y);
    if (p->of->frame) {
        x = fmin(fmax(x, p->left), p->right);
        y = fmin(fmax(y, p->top), p->bottom);
    }
    if (p->of->states) {
        /* The sign of its state, in the colour of its series where series have names. */
        enum state state = p->of->states[d - p->of->dots];
        struct icon_ink ink = icon_ink_of(state);
        ink.colour = p->of->series ? svg_palette[d->series % SVG_PALETTE_N] : ink.colour;
        buf_str(out, "<g");
        if (p->of->marks) {
            buf_str(out, " data-mark=\"");
            svg_words(out, p->of->marks[d - p->of->dots]);
            buf_char(out, '"');
        }
        buf_str(out, ">\n");
        if (d->name)
            svg_title(out, d->name);
        icon_write(out, state, x, y, ink);
        buf_str(out, "</g>\n");
    } else
        put_mark(out, x, y, d->series, d->hollow, d->name);
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

/* Its name stands at its upper end. */
static void put_guides(struct buf *out, const struct plot *p)
{
    for (size_t i = 0; i < p->of->n_guides; i++) {
        const struct chart_guide *g = &p->of->guides[i];
        if (!is_guide_drawn(p->of, g))
            continue;
        double x = scale_place(&p->x, g->x2), y = scale_place(&p->y, g->y2);
        svg_line(out, scale_place(&p->x, g->x1), scale_place(&p->y, g->y1), x, y,
                 "stroke=\"var(--chart-reference,#9a3a86)\" stroke-dasharray=\"6 4\"");
        svg_text(out, x - 12, y + 4, ANCHOR_END, "font-size=\"12\" " SVG_HALO,
                 text_fitted(p->arena, text_or_empty(g->name), SVG_SMALL, p->right - p->left));
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
        put_dot(out, p, drawn[i]);
    if (!n)
        svg_text(out, (p->left + p->right) / 2, (p->top + p->bottom) / 2, ANCHOR_MIDDLE, SVG_SOFT,
                 text_or_empty(s->empty));
}

static void put_legend(struct buf *out, const struct plot *p)
{
    double y = p->legend + 8;
    for (size_t i = 0; p->of->series && i < p->of->n_series; i++, y += LEGEND_STEP) {
        if (p->of->states)
            svg_rect(out, 1, y - 5, 10, 10,
                     arena_printf(p->arena, "fill=\"%s\"", svg_palette[i % SVG_PALETTE_N]));
        else
            put_mark(out, 6, y, i, false, NULL);
        svg_text(out, 16, y + 4, ANCHOR_START, "font-size=\"12\"",
                 text_fitted(p->arena, text_or_empty(p->of->series[i]), SVG_SMALL, p->width - 20));
    }
    /* The signs of the states that there are, in one line. */
    bool has[STATES_N];
    double x = 6;
    states_drawn(p->of, has);
    for (int i = 0; i < STATES_N && p->of->states; i++) {
        if (!has[i])
            continue;
        const char *word = text_or_empty(p->of->state_words[i]);
        buf_printf(out, "<g data-sign=\"%d\" data-at=\"%.1f %.1f\">\n", i, x, y);
        icon_write(out, (enum state)i, x, y, icon_ink_of((enum state)i));
        buf_str(out, "</g>\n");
        svg_text(out, x + 10, y + 4, ANCHOR_START, "font-size=\"12\"", word);
        x += text_width(word, SVG_SMALL) + 30;
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
    if (s->frame)
        buf_printf(out, " data-frame=\"%.1f %.1f %.1f %.1f %g %g %g %g\"", p.left, p.right,
                   p.bottom, p.top, s->frame->x_low, s->frame->x_high, s->frame->y_low,
                   s->frame->y_high);
    svg_ready(out, &head);
    for (size_t i = 0; i < titles; i++)
        svg_text(out, 0, 16 + 20 * (double)i, ANCHOR_START,
                 i ? "class=\"wrapped\" " SVG_STRONG " font-size=\"15\""
                   : SVG_STRONG " font-size=\"15\"",
                 lines[i]);
    put_legend(out, &p);
    put_grid(out, &p);
    put_scatter_rules(out, &p);
    put_guides(out, &p);
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
