#include "renderer/charts/sample.h"

#include "renderer/charts/pen.h"
#include "renderer/charts/scale.h"

#include <math.h>
#include <stdlib.h>

static const struct chart_series *leading_series(const struct chart *c)
{
    const struct chart_panel *p = &c->panels[c->n_panels - 1];
    const struct chart_series *least = NULL;
    while (p->again)
        p--;
    for (size_t i = 0; i < p->n_lines; i++) {
        const struct chart_series *s = &p->lines[i].series;
        if (s->n && (!least || s->n < least->n))
            least = s;
    }
    return least;
}

/* The point at x, or the nearest within `near`, from *first on: places come ascending. */
static size_t point_at(const struct chart_series *s, size_t *first, double x, double near)
{
    size_t best = SAMPLE_NONE;
    while (*first < s->n && !(s->x[*first] >= x - near))
        ++*first;
    for (size_t i = *first; i < s->n && s->x[i] <= x + near; i++)
        if (value_is_drawable(s->y[i]) &&
            (best == SAMPLE_NONE || fabs(s->x[i] - x) < fabs(s->x[best] - x)))
            best = i;
    return best;
}

static void sample_line(const struct chart_sample *sample, struct sampled_line *l, double near,
                        struct arena *arena)
{
    size_t first = 0;
    l->points = arena_array(arena, sample->n, sizeof *l->points);
    for (size_t i = 0; i < sample->n; i++)
        l->points[i] = point_at(&l->line->series, &first, sample->x[i], near);
}

/* Where a panel is lowest and highest. */
static size_t panel_extremes(const struct chart_panel *p, double x[2])
{
    const double *low = NULL, *high = NULL;
    for (size_t k = 0; k < p->n_lines; k++) {
        const struct chart_series *s = &p->lines[k].series;
        for (size_t i = 0; i < s->n; i++) {
            if (!value_is_drawable(s->x[i]) || !value_is_drawable(s->y[i]))
                continue;
            if (!low || s->y[i] < *low) {
                low = &s->y[i];
                x[0] = s->x[i];
            }
            if (!high || s->y[i] > *high) {
                high = &s->y[i];
                x[1] = s->x[i];
            }
        }
    }
    return low ? 2 : 0;
}

struct chart_sample *chart_sample_new(struct arena *arena, const struct chart *c, size_t max)
{
    struct chart_sample *sample = arena_alloc(arena, sizeof *sample);
    const struct chart_series *lead = c->n_panels ? leading_series(c) : NULL;
    if (!lead || range_is_empty(c->x))
        return sample;
    max = max < SAMPLE_MIN ? SAMPLE_MIN : max;
    sample->of = lead->n;
    size_t *index = arena_array(arena, max, sizeof *index), n = 0;
    double *x = arena_array(arena, max, sizeof *x);
    size_t led = pen_sample(lead, max - 2 * c->n_panels, index);
    for (size_t i = 0; i < led; i++)
        x[n++] = lead->x[index[i]];
    for (size_t i = 0; i < c->n_panels; i++)
        n += panel_extremes(&c->panels[i], x + n);
    values_sort(x, n);
    sample->x = x;
    for (size_t i = 0; i < n; i++)
        if (!sample->n || x[i] != x[sample->n - 1])
            x[sample->n++] = x[i];
    double near = c->is_time ? (c->x.high - c->x.low) / (double)max / 2 : 0;
    for (size_t i = 0; i < c->n_panels; i++)
        for (size_t k = 0; k < c->panels[i].n_lines && !c->panels[i].again; k++) {
            struct sampled_line *l = ARENA_PUSH(arena, sample->lines, sample->n_lines);
            l->panel = &c->panels[i];
            l->line = &c->panels[i].lines[k];
            sample_line(sample, l, near, arena);
        }
    return sample;
}
