#include "renderer/chart_model.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

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

static void see_series(struct chart *c, struct chart_panel *p, const struct chart_series *s)
{
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

void chart_add_line(struct chart *c, struct chart_panel *p, const struct chart_series *s,
                    enum chart_stroke stroke)
{
    if (p->n_lines == CHART_LINES_MAX)
        return;
    p->lines[p->n_lines++] = (struct chart_line){*s, stroke, SIZE_MAX};
    see_series(c, p, s);
}

static void add_rule(struct chart_panel *p, double y, const char *text, bool limit)
{
    if (p->n_rules < CHART_RULES_MAX && value_is_drawable(y))
        p->rules[p->n_rules++] = (struct chart_rule){y, text, limit};
}

/* ---- curves ----------------------------------------------------------------------------- */

/* Logarithmic if that is what most of the lines ask for: one long curve decides as well. */
static bool asks_for_log(const struct chart_panel *p)
{
    size_t asking = 0;
    for (size_t i = 0; i < p->n_lines; i++)
        asking += values_ask_for_log(p->lines[i].series.y, p->lines[i].series.n);
    return p->n_lines && asking * 2 > p->n_lines && p->y.low > 0;
}

struct chart *chart_curves(struct arena *arena, const struct chart_text *text,
                           const struct chart_series *series, size_t n)
{
    struct chart *c = chart_new(arena, text);
    struct chart_panel *p = chart_add_panel(c, text->y_label, 280);
    for (size_t i = 0; i < n && i < CHART_LINES_MAX; i++)
        chart_add_line(c, p, &series[i], (enum chart_stroke)(STROKE_PALETTE + i));
    p->log = asks_for_log(p);
    return c;
}

static void add_loss(struct chart *c, const struct chart_series *run,
                     const struct chart_series *reference, double height)
{
    struct chart_panel *p = chart_add_panel(c, c->text.y_label, height);
    chart_add_line(c, p, run, STROKE_PALETTE);
    if (reference)
        chart_add_line(c, p, reference, STROKE_REFERENCE);
    p->log = asks_for_log(p);
}

/* ---- deviation -------------------------------------------------------------------------- */

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
        y[n++] = value_is_drawable(run->y[i]) && value_is_drawable(ref) && ref != 0
                     ? (run->y[i] - ref) / fabs(ref) * 100
                     : NAN;
    }
    return n;
}

static struct chart_series deviation_series(struct arena *arena, const struct chart_series *run,
                                            const struct chart_series *reference)
{
    double *x = arena_array(arena, run->n, sizeof *x), *y = arena_array(arena, run->n, sizeof *y);
    return (struct chart_series){.x = x, .y = y, .n = deviations(run, reference, x, y)};
}

/* Index of the worst compared step; d->n: none can be compared. */
static size_t worst_of(const struct chart_series *d, double from_step)
{
    size_t worst = d->n;
    for (size_t i = 0; i < d->n; i++)
        if (d->x[i] >= from_step && value_is_drawable(d->y[i]) &&
            (worst == d->n || fabs(d->y[i]) > fabs(d->y[worst])))
            worst = i;
    return worst;
}

static const char *or_nothing(const char *text)
{
    return text ? text : "";
}

static const char *with_percent(struct arena *arena, const char *word, double fraction, int digits)
{
    char percent[NUMBER_MAX];
    percent_text(percent, fraction, digits);
    return arena_printf(arena, "%s%s%s", or_nothing(word), word && *word ? " " : "", percent);
}

static void mark_worst(struct chart *c, struct chart_panel *p, size_t i, struct arena *arena)
{
    const struct chart_series *d = &p->lines[0].series;
    char step[NUMBER_MAX];
    p->lines[0].keep = i;
    p->mark.x = d->x[i];
    p->mark.y = d->y[i];
    number_text(step, d->x[i], 12);
    p->mark.text =
        arena_printf(arena, "%s · %s %s", with_percent(arena, c->text.worst, d->y[i] / 100, 4),
                     or_nothing(c->text.x_label), step);
}

/* The axis shows 1.5 times the limit and grows only if a compared step leaves it. */
static void add_deviation(struct chart *c, const struct chart_series *d, const char *label,
                          double limit, double from_step, struct arena *arena)
{
    struct chart_panel *p = chart_add_panel(c, label, 130);
    size_t worst = worst_of(d, from_step);
    bool limited = value_is_drawable(limit);
    double high = limited ? limit * 150 : 0;
    if (worst < d->n)
        high = fmax(high, fabs(d->y[worst]) * 1.1);
    p->exact = true;
    p->y = range_widened((struct range){-high, high});
    chart_add_line(c, p, d, STROKE_PALETTE);
    for (int sign = 1; sign >= -1 && limited; sign -= 2)
        add_rule(p, sign * limit * 100, with_percent(arena, c->text.limit, sign * limit, 4), true);
    if (worst < d->n)
        mark_worst(c, p, worst, arena);
    c->boundary = from_step;
    c->boundary_text = c->text.from;
}

struct chart *chart_convergence(struct arena *arena, const struct chart_text *text,
                                const struct chart_series *run,
                                const struct chart_series *reference, double limit,
                                double from_step)
{
    struct chart *c = chart_new(arena, text);
    add_loss(c, run, reference, reference ? 210 : 250);
    if (!reference)
        return c;
    struct chart_series d = deviation_series(arena, run, reference);
    if (d.n)
        add_deviation(c, &d, text->deviation, limit, from_step, arena);
    return c;
}

/* ---- throughput ------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of the steps behind the warm-up; NAN when there are none. */
static double median_of(const struct chart_series *s, double warm_up, struct arena *arena)
{
    double *values = arena_array(arena, s->n, sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        if (!(s->x[i] <= warm_up) && value_is_drawable(s->x[i]) && value_is_drawable(s->y[i]))
            values[n++] = s->y[i];
    qsort(values, n, sizeof *values, by_value);
    return n == 0 ? NAN : n % 2 ? values[n / 2] : values[n / 2 - 1] / 2 + values[n / 2] / 2;
}

/* At least 10 % to each side of the median: noise of a percent should look like that. */
static struct range rate_range(const struct chart_series *s, double warm_up, double median)
{
    struct range y = range_none();
    for (size_t i = 0; i < s->n; i++)
        if (!(s->x[i] <= warm_up) && value_is_drawable(s->x[i]))
            y = range_with(y, s->y[i]);
    return range_with(range_with(y, median * 0.9), median * 1.1);
}

struct chart *chart_throughput(struct arena *arena, const struct chart_text *text,
                               const struct chart_series *rate, double warm_up)
{
    struct chart *c = chart_new(arena, text);
    struct chart_panel *p = chart_add_panel(c, text->y_label, 200);
    double median = median_of(rate, warm_up, arena);
    char number[NUMBER_MAX];
    chart_add_line(c, p, rate, STROKE_PALETTE);
    p->lines[0].series.label = NULL; /* one line, and its panel says what it is */
    if (!isfinite(median))
        return c;
    p->y = rate_range(rate, warm_up, median);
    number_text(number, median, 4);
    add_rule(
        p, median,
        arena_printf(arena, "%s%s%s", or_nothing(text->median), text->median ? " " : "", number),
        false);
    c->boundary = warm_up;
    c->boundary_text = text->warm_up;
    return c;
}
