#include "renderer/charts/model.h"
#include "renderer/charts/scale.h"

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

void chart_add_rule(struct chart_panel *p, double y, const char *text, bool limit)
{
    if (p->n_rules < CHART_RULES_MAX && value_is_drawable(y))
        p->rules[p->n_rules++] = (struct chart_rule){y, text, limit};
}

/* ---- curves ----------------------------------------------------------------------------- */

bool chart_asks_for_log(const struct chart_panel *p)
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
