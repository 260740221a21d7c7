#include "base/text.h"
#include "renderer/charts/model.h"
#include "renderer/charts/scale.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- the parts of a chart --------------------------------------------------------------- */

struct chart *chart_new(struct arena *arena, const struct chart_text *text)
{
    struct chart *c = arena_alloc(arena, sizeof *c);
    c->text = *text;
    c->x = range_none();
    c->boundary = NAN;
    return c;
}

struct chart_panel *chart_add_panel(struct chart *c, const char *label, double height)
{
    struct chart_panel *p = &c->panels[c->n_panels++];
    p->label = label;
    p->height = height;
    p->y = range_none();
    return p;
}

void chart_add_line(struct chart *c, struct chart_panel *p, const struct chart_series *s,
                    enum chart_stroke stroke)
{
    if (p->n_lines == CHART_LINES_MAX)
        return;
    p->lines[p->n_lines++] = (struct chart_line){*s, stroke, SIZE_MAX};
    for (size_t i = 0; i < s->n; i++) {
        if (!value_is_drawable(s->x[i]) || !value_is_drawable(s->y[i]))
            continue;
        c->x = range_with(c->x, s->x[i]);
        if (p->exact)
            continue;
        p->y = range_with(p->y, s->y[i]);
        if (s->low && s->high)
            p->y = range_with(range_with(p->y, s->low[i]), s->high[i]);
    }
}

static void chart_add_rule(struct chart_panel *p, double y, const char *text, bool limit)
{
    if (p->n_rules < CHART_RULES_MAX && value_is_drawable(y))
        p->rules[p->n_rules++] = (struct chart_rule){y, text, limit};
}

/* ---- curves ----------------------------------------------------------------------------- */

/* Logarithmic if that is what most of the lines ask for: one long curve decides as well. */
static bool chart_asks_for_log(const struct chart_panel *p)
{
    size_t asking = 0;
    for (size_t i = 0; i < p->n_lines; i++)
        asking += values_ask_for_log(p->lines[i].series.y, p->lines[i].series.n);
    return p->n_lines && asking * 2 > p->n_lines && p->y.low > 0;
}

/* ---- throughput ------------------------------------------------------------------------- */

/* What the same steps give together: work by time, which of rates is their harmonic mean. NAN when
 * there are none. */
static double average_of(const struct chart_series *s, double warm_up)
{
    double n = 0, time = 0;
    for (size_t i = 0; i < s->n; i++)
        if (!(s->x[i] <= warm_up) && value_is_drawable(s->x[i]) && s->y[i] > 0 &&
            value_is_drawable(s->y[i])) {
            n++;
            time += 1 / s->y[i];
        }
    return n > 0 ? n / time : NAN;
}

/* A line across, named with its value: "median 12937". */
static void add_level(struct chart_panel *p, const char *word, double value, struct arena *arena)
{
    char number[NUMBER_MAX];
    number_text(number, value, 4);
    chart_add_rule(p, value, arena_printf(arena, "%s%s%s", word, *word ? " " : "", number), false);
}

struct chart *chart_throughput(struct arena *arena, const struct chart_text *text,
                               const struct chart_series *rate, double warm_up)
{
    struct chart *c = chart_new(arena, text);
    struct chart_panel *p = chart_add_panel(c, text->y_label, 200);
    p->broken = true;
    /* Of the steps behind the warm-up; NAN when there are none. */
    double *values = arena_array(arena, rate->n, sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < rate->n; i++)
        if (!(rate->x[i] <= warm_up) && value_is_drawable(rate->x[i]) &&
            value_is_drawable(rate->y[i]))
            values[n++] = rate->y[i];
    values_sort(values, n);
    double median = n == 0  ? NAN
                    : n % 2 ? values[n / 2]
                            : values[n / 2 - 1] / 2 + values[n / 2] / 2;
    chart_add_line(c, p, rate, STROKE_PALETTE);
    p->lines[0].series.label = NULL; /* one line, and its panel says what it is */
    if (!isfinite(median))
        return c;
    /* At least 10 % to each side of the median: noise of a percent should look like that. So zero
     * is left out, and the axis is drawn broken. */
    struct range y = range_none();
    for (size_t i = 0; i < rate->n; i++)
        if (!(rate->x[i] <= warm_up) && value_is_drawable(rate->x[i]))
            y = range_with(y, rate->y[i]);
    p->y = range_with(range_with(y, median * 0.9), median * 1.1);
    add_level(p, text->median ? text->median : "", median, arena);
    if (text->average)
        add_level(p, text->average, average_of(rate, warm_up), arena);
    c->boundary = warm_up;
    c->boundary_text = text->warm_up;
    return c;
}

/* How far runs are from a reference, or from each other (chart.h). */

/* What runs are compared with: the points of one curve. */
struct yardstick {
    const struct chart_series *reference;
    double limit;     /* a fraction; NAN: none */
    double from_step; /* what lies before is not compared */
};

static const char *with_percent(struct arena *arena, const char *word, double fraction)
{
    char percent[NUMBER_MAX];
    percent_text(percent, fraction, 4);
    return arena_printf(arena, "%s%s%s", text_or_empty(word), word && *word ? " " : "", percent);
}

/* ---- deviations ------------------------------------------------------------------------- */

/* The deviations at the steps that both have, in percent; NAN where one of them is no number. */
static struct chart_series deviation_series(struct arena *arena, const struct chart_series *run,
                                            const struct chart_series *reference)
{
    double *x = arena_array(arena, run->n, sizeof *x), *y = arena_array(arena, run->n, sizeof *y);
    size_t n = 0, r = 0;
    for (size_t i = 0; i < run->n; i++) {
        while (r < reference->n && reference->x[r] < run->x[i])
            r++;
        if (r == reference->n || !(reference->x[r] == run->x[i]))
            continue;
        double ref = reference->y[r];
        x[n] = run->x[i];
        y[n++] = value_is_drawable(run->y[i]) && value_is_drawable(ref) && ref != 0
                     ? (run->y[i] - ref) / fabs(ref) * 100
                     : NAN;
    }
    return (struct chart_series){.x = x, .y = y, .n = n, .label = run->label};
}

/* Index of the worst compared step; SIZE_MAX: none can be compared. */
static size_t worst_of(const struct chart_series *d, double from_step)
{
    size_t worst = SIZE_MAX;
    for (size_t i = 0; i < d->n; i++)
        if (d->x[i] >= from_step && value_is_drawable(d->y[i]) &&
            (worst == SIZE_MAX || fabs(d->y[i]) > fabs(d->y[worst])))
            worst = i;
    return worst;
}

/* ---- the second panel ------------------------------------------------------------------- */

/* "worst −1.3 % · step 57" */
static const char *words_of_worst(struct chart *c, const struct chart_mark *mark,
                                  struct arena *arena)
{
    char step[NUMBER_MAX];
    number_text(step, mark->x, 12);
    return arena_printf(arena, "%s · %s %s", with_percent(arena, c->text.worst, mark->y / 100),
                        text_or_empty(c->text.x_label), step);
}

/* A ring at the worst step of each line; it has words at the worst of all. */
static void mark_worst(struct chart *c, struct chart_panel *p, double from_step,
                       struct arena *arena)
{
    struct chart_mark *worst = NULL;
    for (size_t i = 0; i < p->n_lines; i++) {
        const struct chart_series *d = &p->lines[i].series;
        size_t at = p->lines[i].keep = worst_of(d, from_step);
        if (at == SIZE_MAX)
            continue;
        struct chart_mark *mark = &p->marks[p->n_marks++];
        *mark = (struct chart_mark){.x = d->x[at], .y = d->y[at], .line = i};
        if (!worst || fabs(mark->y) > fabs(worst->y))
            worst = mark;
    }
    if (worst)
        worst->text = words_of_worst(c, worst, arena);
}

static double worst_mark(const struct chart_panel *p)
{
    double worst = 0;
    for (size_t i = 0; i < p->n_marks; i++)
        worst = fmax(worst, fabs(p->marks[i].y));
    return worst;
}

static void add_limits(struct chart *c, struct chart_panel *p, double limit, struct arena *arena)
{
    for (int sign = 1; sign >= -1 && value_is_drawable(limit); sign -= 2)
        chart_add_rule(p, sign * limit * 100, with_percent(arena, c->text.limit, sign * limit),
                       true);
}

/* Where the limits are further away than this many times the worst step, the lines are flat. */
#define FAR_LIMIT 8
#define HEIGHT 130.0
#define HEIGHT_LIMITS 64.0 /* beside the enlarged one */

/* The same lines once more below, with room beyond the worst step for its words. */
static void enlarge(struct chart *c, struct chart_panel *p)
{
    struct chart_panel *large = chart_add_panel(c, c->text.enlarged, HEIGHT - 20);
    double worst = worst_mark(p);
    memcpy(large->lines, p->lines, sizeof p->lines);
    memcpy(large->marks, p->marks, sizeof p->marks);
    large->n_lines = p->n_lines;
    large->n_marks = p->n_marks;
    large->exact = large->again = true;
    large->y = range_widened((struct range){-2 * worst, 2 * worst});
    p->height = HEIGHT_LIMITS;
    for (size_t i = 0; i < p->n_marks; i++)
        p->marks[i].text = NULL;
}

/* Of the runs from `first` on; their strokes are those of the panel above. */
static void add_deviations(struct chart *c, const struct chart_series *runs, size_t n, size_t first,
                           const struct yardstick *by, struct arena *arena)
{
    struct chart_panel *p = chart_add_panel(c, c->text.deviation, HEIGHT);
    p->exact = true; /* lines do not widen the axis: marks do */
    for (size_t i = first; i < n; i++) {
        const struct chart_series d = deviation_series(arena, &runs[i], by->reference);
        if (d.n)
            chart_add_line(c, p, &d, (enum chart_stroke)(STROKE_PALETTE + i));
    }
    if (!p->n_lines) {
        c->n_panels--;
        return;
    }
    mark_worst(c, p, by->from_step, arena);
    /* The axis shows 1.5 times the limit and grows if a compared step leaves it. */
    double high = fmax(value_is_drawable(by->limit) ? by->limit * 150 : 0, worst_mark(p) * 1.1);
    p->y = range_widened((struct range){-high, high});
    add_limits(c, p, by->limit, arena);
    if (worst_mark(p) > 0 && by->limit * 100 > FAR_LIMIT * worst_mark(p))
        enlarge(c, p);
    c->boundary = by->from_step;
    c->boundary_text = c->text.from;
}

/* ---- charts ----------------------------------------------------------------------------- */

static void add_losses(struct chart *c, const struct chart_series *runs, size_t n,
                       const struct chart_series *reference, double height)
{
    struct chart_panel *p = chart_add_panel(c, c->text.y_label, height);
    for (size_t i = 0; i < n; i++)
        chart_add_line(c, p, &runs[i], (enum chart_stroke)(STROKE_PALETTE + i));
    if (reference)
        chart_add_line(c, p, reference, STROKE_REFERENCE);
    p->log = chart_asks_for_log(p);
}

struct chart *chart_convergence(struct arena *arena, const struct chart_text *text,
                                const struct chart_series *run,
                                const struct chart_series *reference, double limit,
                                double from_step)
{
    struct chart *c = chart_new(arena, text);
    const struct yardstick by = {reference, limit, from_step};
    add_losses(c, run, 1, reference, reference ? 210 : 250);
    if (reference)
        add_deviations(c, run, 1, 0, &by, arena);
    for (size_t p = 1; p < c->n_panels; p++)
        for (size_t i = 0; i < c->panels[p].n_lines; i++)
            c->panels[p].lines[i].series.label = NULL; /* one line: its panel says what it is */
    return c;
}

struct chart *chart_overlay(struct arena *arena, const struct chart_text *text,
                            const struct chart_series *runs, size_t n,
                            const struct chart_series *reference, double limit, double from_step)
{
    struct chart *c = chart_new(arena, text);
    const struct yardstick by = {reference ? reference : runs, limit, from_step};
    n = n < CHART_OVERLAID_MAX ? n : CHART_OVERLAID_MAX;
    c->legend = true;
    add_losses(c, runs, n, reference, 230);
    add_deviations(c, runs, n, reference ? 0 : 1, &by, arena);
    return c;
}
