/* Small multiples of what monitors saw (chart.h). */
#include "renderer/charts/model.h"

#include <math.h>
#include <stdlib.h>

#define SINGLE_MAX 4 /* cards that get a line each */
#define SLICES 240   /* of the time, in which a band is taken */

static struct range times_of(const struct chart_monitor *m)
{
    struct range r = range_none();
    for (size_t c = 0; c < m->n; c++)
        for (size_t i = 0; i < m->cards[c].n; i++)
            if (value_is_drawable(m->cards[c].y[i]))
                r = range_with(r, m->cards[c].x[i]);
    return r;
}

struct sample {
    double at, value;
};

static int by_time_and_value(const void *a, const void *b)
{
    const struct sample *s = a, *t = b;
    int order = (s->at > t->at) - (s->at < t->at);
    return order ? order : (s->value > t->value) - (s->value < t->value);
}

/* All samples of all cards; the time is that of the middle of their slice. */
static size_t slice_samples(const struct chart_monitor *m, struct range times, struct sample *all)
{
    size_t n = 0;
    double width = (times.high - times.low) / SLICES;
    for (size_t c = 0; c < m->n; c++)
        for (size_t i = 0; i < m->cards[c].n; i++) {
            double x = m->cards[c].x[i], y = m->cards[c].y[i];
            if (!value_is_drawable(x) || !value_is_drawable(y))
                continue;
            double slice = width > 0 ? fmin(floor((x - times.low) / width), SLICES - 1) : 0;
            all[n++] = (struct sample){times.low + (slice + 0.5) * width, y};
        }
    qsort(all, n, sizeof *all, by_time_and_value);
    return n;
}

/* Median and extremes of the cards in every slice of the time. */
static struct chart_series band_of(const struct chart_monitor *m, const char *label,
                                   struct arena *arena)
{
    size_t most = 0, n = 0;
    for (size_t c = 0; c < m->n; c++)
        most += m->cards[c].n;
    struct sample *all = arena_array(arena, most, sizeof *all);
    size_t samples = slice_samples(m, range_widened(times_of(m)), all);
    double *x = arena_array(arena, SLICES, sizeof *x), *y = arena_array(arena, SLICES, sizeof *y);
    double *low = arena_array(arena, SLICES, sizeof *low);
    double *high = arena_array(arena, SLICES, sizeof *high);
    for (size_t i = 0, end; i < samples && n < SLICES; i = end, n++) {
        for (end = i; end < samples && all[end].at == all[i].at; end++)
            ;
        x[n] = all[i].at;
        low[n] = all[i].value;
        high[n] = all[end - 1].value;
        y[n] = all[i + (end - i) / 2].value;
    }
    return (struct chart_series){.x = x, .y = y, .n = n, .label = label, .low = low, .high = high};
}

static void add_monitor_panel(struct chart *c, const struct chart_monitor *m, struct arena *arena)
{
    struct chart_panel *p = chart_add_panel(c, m->label, 84);
    if (m->n > SINGLE_MAX) {
        struct chart_series band = band_of(m, c->text.median, arena);
        chart_add_line(c, p, &band, STROKE_PALETTE);
    } else {
        for (size_t i = 0; i < m->n; i++)
            chart_add_line(c, p, &m->cards[i], (enum chart_stroke)(STROKE_PALETTE + i));
    }
    if (m->from_zero)
        p->y = range_with(p->y, 0);
}

struct chart *chart_monitors(struct arena *arena, const struct chart_text *text,
                             const struct chart_monitor *monitors, size_t n)
{
    struct chart *c = chart_new(arena, text);
    c->legend = true;
    c->is_time = true;
    for (size_t i = 0; i < n && c->n_panels < CHART_PANELS_MAX; i++)
        if (!range_is_empty(times_of(&monitors[i])))
            add_monitor_panel(c, &monitors[i], arena);
    return c;
}
