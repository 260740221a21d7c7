#include "renderer/chart.h"

#include "base/arena.h"
#include "base/text.h"
#include "renderer/escape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The drawing in pixels; the plot is what the margins leave. */
#define WIDTH 720
#define LEFT 58
#define RIGHT 704
#define TOP 34
#define BELOW 44 /* from the plot's bottom to the drawing's */
#define BUCKETS ((RIGHT - LEFT) / 2)
#define VALUE_MAX 1e15
#define TEXT_MAX 200 /* bytes of any label */

struct axis {
    double low, high; /* in data */
    double from, to;  /* in pixels */
};

struct plot {
    struct buf *out;
    const struct chart_text *text;
    struct axis x, y;
    int bottom;
};

static double to_pixel(const struct axis *a, double value)
{
    double p = a->from + (value - a->low) / (a->high - a->low) * (a->to - a->from);
    double least = fmin(a->from, a->to), most = fmax(a->from, a->to);
    return fmin(fmax(p, least), most);
}

static bool is_drawable(double value)
{
    return isfinite(value) && fabs(value) <= VALUE_MAX;
}

/* ---- ranges ---------------------------------------------------------------------------- */

struct range {
    double low, high; /* low > high: nothing seen yet */
};

static void range_see(struct range *r, double value)
{
    if (!is_drawable(value))
        return;
    r->low = fmin(r->low, value);
    r->high = fmax(r->high, value);
}

static void ranges_see(struct range *x, struct range *y, const struct chart_series *s)
{
    for (size_t i = 0; s && i < s->n; i++)
        if (is_drawable(s->x[i]) && is_drawable(s->y[i])) {
            range_see(x, s->x[i]);
            range_see(y, s->y[i]);
        }
}

/* A range of one value gets some room around it. */
static struct range range_widen(struct range r)
{
    double room = r.low == r.high ? fmax(fabs(r.low) * 0.1, 0.5) : 0;
    return (struct range){r.low - room, r.high + room};
}

/* 1, 2 or 5 times a power of ten, so that about `n` steps make the range. */
static double nice_step(double span, int n)
{
    double raw = span / n, power = pow(10, floor(log10(raw))), unit = raw / power;
    return power * (unit < 1.5 ? 1 : unit < 3 ? 2 : unit < 7 ? 5 : 10);
}

/* ---- parts of the drawing -------------------------------------------------------------- */

static void add_text(struct buf *out, const char *text)
{
    char cut[TEXT_MAX + 1];
    size_t n = (size_t)text_cut(text, TEXT_MAX);
    memcpy(cut, text, n);
    cut[n] = '\0';
    escape_html(out, cut);
}

static void begin(struct plot *p, int height)
{
    struct buf *out = p->out;
    p->bottom = height - BELOW;
    buf_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" ");
    buf_printf(out, "viewBox=\"0 0 %d %d\" font-size=\"12\" ", WIDTH, height);
    buf_str(out, "font-family=\"system-ui,sans-serif\" fill=\"currentColor\" aria-labelledby=\"");
    add_text(out, p->text->id);
    buf_str(out, "-t ");
    add_text(out, p->text->id);
    buf_str(out, "-d\">\n<title id=\"");
    add_text(out, p->text->id);
    buf_str(out, "-t\">");
    add_text(out, p->text->title);
    buf_str(out, "</title>\n<desc id=\"");
    add_text(out, p->text->id);
    buf_str(out, "-d\">");
    add_text(out, p->text->description);
    buf_str(out, "</desc>\n");
}

static void end(struct plot *p)
{
    buf_str(p->out, "</svg>\n");
}

/* Text at a place; anchor is start, middle or end. */
static void put_text(struct plot *p, double x, double y, const char *anchor, const char *text)
{
    buf_printf(p->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    add_text(p->out, text);
    buf_str(p->out, "</text>\n");
}

static void put_line(struct plot *p, double x1, double y1, double x2, double y2, const char *more)
{
    buf_printf(p->out, "<path d=\"M%.1f %.1fL%.1f %.1f\" %s/>\n", x1, y1, x2, y2, more);
}

static void put_number(struct plot *p, double x, double y, const char *anchor, double value,
                       int digits)
{
    char text[64];
    snprintf(text, sizeof text, "%.*f", digits, value == 0 ? 0.0 : value);
    put_text(p, x, y, anchor, text);
}

#define GRID "stroke=\"currentColor\" stroke-opacity=\"0.15\""

static void put_ticks(struct plot *p, const struct axis *a, bool horizontal)
{
    double step = nice_step(a->high - a->low, horizontal ? 7 : 5);
    int digits = (int)fmin(fmax(0, -floor(log10(step) + 1e-9)), 15);
    double first = ceil(a->low / step - 1e-9);
    for (int i = 0; i < 20 && (first + i) * step <= a->high + step * 1e-9; i++) {
        double value = (first + i) * step, at = to_pixel(a, value);
        if (horizontal) {
            put_line(p, at, TOP, at, p->bottom, GRID);
            put_number(p, at, p->bottom + 16, "middle", value, digits);
        } else {
            put_line(p, LEFT, at, RIGHT, at, GRID);
            put_number(p, LEFT - 6, at + 4, "end", value, digits);
        }
    }
}

static void put_axes(struct plot *p)
{
    put_ticks(p, &p->x, true);
    put_ticks(p, &p->y, false);
    put_line(p, LEFT, p->bottom, RIGHT, p->bottom, "stroke=\"currentColor\"");
    put_text(p, (LEFT + RIGHT) / 2.0, p->bottom + 36, "middle", p->text->x_label);
    put_text(p, 4, 14, "start", p->text->y_label);
}

/* ---- curves ---------------------------------------------------------------------------- */

/* How a curve is drawn: the second one also differs without colour. */
static const char *const strokes[] = {
    "stroke=\"var(--chart-run,#1f78d1)\" stroke-width=\"3\"",
    "stroke=\"var(--chart-reference,#b5651d)\" stroke-width=\"1.25\" stroke-dasharray=\"5 5\"",
};

/* A path that is being written. */
struct pen {
    struct plot *plot;
    size_t drawn; /* points since the pen was put down */
    double last_x;
};

static void pen_up(struct pen *pen)
{
    if (pen->drawn == 1) /* a single point: a dot by its round cap */
        buf_str(pen->plot->out, "h0");
    pen->drawn = 0;
}

static void pen_to(struct pen *pen, double x, double y)
{
    buf_printf(pen->plot->out, "%c%.1f %.1f", pen->drawn ? 'L' : 'M', to_pixel(&pen->plot->x, x),
               to_pixel(&pen->plot->y, y));
    pen->drawn++;
}

/* What one bucket of pixels keeps. */
struct bucket {
    int number;
    size_t low, high; /* indices of the smallest and the largest value */
    bool filled;
};

static void bucket_draw(struct bucket *b, struct pen *pen, const struct chart_series *s)
{
    if (!b->filled)
        return;
    size_t first = b->low < b->high ? b->low : b->high, second = b->low + b->high - first;
    pen_to(pen, s->x[first], s->y[first]);
    if (second != first)
        pen_to(pen, s->x[second], s->y[second]);
    b->filled = false;
}

static int bucket_number(const struct pen *pen, double x)
{
    return (int)((to_pixel(&pen->plot->x, x) - LEFT) * BUCKETS / (RIGHT - LEFT));
}

static void bucket_see(struct bucket *b, struct pen *pen, const struct chart_series *s, size_t i)
{
    int number = bucket_number(pen, s->x[i]);
    if (b->filled && number != b->number)
        bucket_draw(b, pen, s);
    if (!b->filled)
        *b = (struct bucket){number, i, i, true};
    b->low = s->y[i] < s->y[b->low] ? i : b->low;
    b->high = s->y[i] > s->y[b->high] ? i : b->high;
}

/* A gap is drawn only where it separates buckets that the eye can tell apart; within one, many
 * gaps would cost a path command each and show nothing. */
static void put_curve(struct plot *p, const struct chart_series *s, const char *stroke)
{
    struct pen pen = {.plot = p, .last_x = -INFINITY};
    struct bucket bucket = {0};
    bool gap = false;
    buf_str(p->out, "<path fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\" ");
    buf_printf(p->out, "%s d=\"", stroke);
    for (size_t i = 0; i < s->n; i++) {
        if (!is_drawable(s->x[i]) || s->x[i] < pen.last_x)
            continue;
        pen.last_x = s->x[i];
        if (!is_drawable(s->y[i])) {
            gap = true;
            continue;
        }
        if (gap && bucket.filled && bucket_number(&pen, s->x[i]) != bucket.number) {
            bucket_draw(&bucket, &pen, s);
            pen_up(&pen);
        }
        gap = false;
        bucket_see(&bucket, &pen, s, i);
    }
    bucket_draw(&bucket, &pen, s);
    pen_up(&pen);
    buf_str(p->out, "\"/>\n");
}

static void put_legend(struct plot *p, const struct chart_series *const *series, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double x = LEFT + 90 + 290.0 * (double)i;
        put_line(p, x, 10, x + 28, 10, strokes[i]);
        put_text(p, x + 34, 14, "start", series[i]->label);
    }
}

static void put_empty(struct plot *p)
{
    put_text(p, WIDTH / 2.0, (TOP + p->bottom) / 2.0, "middle", p->text->empty);
}

static void set_axes(struct plot *p, struct range x, struct range y)
{
    x = range_widen(x);
    y = range_widen(y);
    double room = (y.high - y.low) * 0.03;
    y = (struct range){y.low - room, y.high + room};
    p->x = (struct axis){x.low, x.high, LEFT, RIGHT};
    p->y = (struct axis){y.low, y.high, p->bottom, TOP};
}

void chart_loss(struct buf *out, const struct chart_text *text, const struct chart_series *run,
                const struct chart_series *reference)
{
    struct plot p = {.out = out, .text = text};
    const struct chart_series *series[] = {run, reference};
    struct range x = {INFINITY, -INFINITY}, y = {INFINITY, -INFINITY};
    size_t n = reference ? 2 : 1;
    begin(&p, 300);
    ranges_see(&x, &y, run);
    ranges_see(&x, &y, reference);
    if (x.low > x.high) {
        put_empty(&p);
    } else {
        set_axes(&p, x, y);
        put_axes(&p);
        for (size_t i = 0; i < n; i++) /* dashes on top: both can be seen where they agree */
            put_curve(&p, series[i], strokes[i]);
        put_legend(&p, series, n);
    }
    end(&p);
}

/* ---- deviation ------------------------------------------------------------------------- */

/* The deviations at the steps that both have, in percent; NAN where one of them is no number.
 * *x and *y have room for run->n values. */
static size_t deviations(const struct chart_series *run, const struct chart_series *reference,
                         double *x, double *y)
{
    size_t n = 0, r = 0;
    for (size_t i = 0; i < run->n; i++) {
        while (r < reference->n && reference->x[r] < run->x[i])
            r++;
        if (r == reference->n || !(reference->x[r] == run->x[i]))
            continue;
        double ref = reference->y[r];
        x[n] = run->x[i];
        y[n++] = is_drawable(run->y[i]) && is_drawable(ref) && ref != 0
                     ? (run->y[i] - ref) / fabs(ref) * 100
                     : NAN;
    }
    return n;
}

static struct chart_worst worst_of(const struct chart_series *deviation, double from_step)
{
    struct chart_worst worst = {0};
    for (size_t i = 0; i < deviation->n; i++) {
        double d = deviation->y[i] / 100;
        if (deviation->x[i] < from_step || !is_drawable(d))
            continue;
        if (!worst.exists || fabs(d) > fabs(worst.deviation))
            worst = (struct chart_worst){true, deviation->x[i], d};
    }
    return worst;
}

struct chart_worst chart_find_worst(const struct chart_series *run,
                                    const struct chart_series *reference, double from_step)
{
    struct arena arena = ARENA_INIT;
    double *x = arena_array(&arena, run->n, sizeof *x), *y = arena_array(&arena, run->n, sizeof *y);
    struct chart_series deviation = {x, y, deviations(run, reference, x, y), ""};
    struct chart_worst worst = worst_of(&deviation, from_step);
    arena_release(&arena);
    return worst;
}

static void put_limits(struct plot *p, double percent, double from_step)
{
    static const char limit[] =
        "stroke=\"var(--chart-limit,#d1242f)\" stroke-width=\"1.2\" stroke-dasharray=\"2 3\"";
    char text[64];
    for (int sign = -1; sign <= 1; sign += 2) {
        double y = to_pixel(&p->y, sign * percent);
        put_line(p, LEFT, y, RIGHT, y, limit);
        snprintf(text, sizeof text, "%+.4g %%", sign * percent);
        put_text(p, RIGHT - 2, sign > 0 ? y - 4 : y + 14, "end", text);
    }
    put_line(p, LEFT, to_pixel(&p->y, 0), RIGHT, to_pixel(&p->y, 0),
             "stroke=\"currentColor\" stroke-opacity=\"0.6\"");
    if (from_step <= p->x.low || from_step > p->x.high)
        return;
    double x = to_pixel(&p->x, from_step);
    put_line(p, x, TOP, x, p->bottom, "stroke=\"currentColor\" stroke-dasharray=\"1 3\"");
    bool left = x < (LEFT + RIGHT) / 2.0;
    put_text(p, left ? x : x + 4, TOP - 5, left ? "start" : "end", p->text->from);
}

/* A ring around the point, and the same ring with the figures in the legend. */
static void put_worst(struct plot *p, struct chart_worst worst)
{
    char text[TEXT_MAX];
    double x[] = {LEFT + 104, to_pixel(&p->x, worst.step)};
    double y[] = {10, to_pixel(&p->y, worst.deviation * 100)};
    for (int i = 0; i < 2; i++)
        buf_printf(p->out,
                   "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"none\" "
                   "stroke=\"var(--chart-bad,#d1242f)\" stroke-width=\"2\"/>\n",
                   x[i], y[i]);
    snprintf(text, sizeof text, "%.80s %+.3f %% @ %.0f", p->text->worst, worst.deviation * 100,
             worst.step);
    put_text(p, x[0] + 10, 14, "start", text);
}

void chart_deviation(struct buf *out, const struct chart_text *text, const struct chart_series *run,
                     const struct chart_series *reference, double limit, double from_step)
{
    struct arena arena = ARENA_INIT;
    struct plot p = {.out = out, .text = text};
    double *x = arena_array(&arena, run->n, sizeof *x), *y = arena_array(&arena, run->n, sizeof *y);
    struct chart_series deviation = {x, y, deviations(run, reference, x, y), run->label};
    struct chart_worst worst = worst_of(&deviation, from_step);
    struct range steps = {INFINITY, -INFINITY}, unused = steps;
    double high = fmax(limit * 150, fabs(worst.deviation) * 100 * 1.05);
    begin(&p, 240);
    ranges_see(&steps, &unused, run); /* the x axis of the curves, not of the common steps */
    ranges_see(&steps, &unused, reference);
    if (unused.low > unused.high || deviation.n == 0) {
        put_empty(&p);
    } else {
        set_axes(&p, steps, (struct range){-high, high});
        put_axes(&p);
        put_limits(&p, limit * 100, from_step);
        put_curve(&p, &deviation, strokes[0]);
        if (worst.exists)
            put_worst(&p, worst);
    }
    end(&p);
    arena_release(&arena);
}
