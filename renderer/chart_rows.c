/* A chart told as a table (chart.h). */
#include "renderer/chart_model.h"
#include "renderer/chart_pen.h"

#include <math.h>

#define ROWS_MIN 8

/* Where a cell comes from. */
struct column {
    const struct chart_panel *panel;
    const struct chart_series *series;
    size_t at; /* the first point that may belong to the next row */
};

/* The panel that decides which rows there are: the last, where a deviation is, and of its lines
 * the one with the fewest points, which others are likely to have as well. */
static const struct chart_series *leading_series(const struct chart *c)
{
    const struct chart_panel *p = &c->panels[c->n_panels - 1];
    const struct chart_series *least = NULL;
    for (size_t i = 0; i < p->n_lines; i++) {
        const struct chart_series *s = &p->lines[i].series;
        if (s->n && (!least || s->n < least->n))
            least = s;
    }
    return least;
}

static size_t add_columns(const struct chart *c, struct column *columns)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n_panels; i++)
        for (size_t k = 0; k < c->panels[i].n_lines; k++)
            columns[n++] = (struct column){&c->panels[i], &c->panels[i].lines[k].series, 0};
    return n;
}

static const char *head_of(const struct column *col, struct arena *arena)
{
    const char *panel = col->panel->label ? col->panel->label : "", *label = col->series->label;
    if (!label || !*label)
        return panel;
    return *panel ? arena_printf(arena, "%.200s: %.200s", panel, label) : label;
}

/* The point at x, or within `near` of it; n: none. Rows come in the order of x. */
static size_t point_at(struct column *col, double x, double near)
{
    const struct chart_series *s = col->series;
    while (col->at < s->n && !(s->x[col->at] >= x - near))
        col->at++;
    size_t best = s->n;
    for (size_t i = col->at; i < s->n && s->x[i] <= x + near; i++)
        if (value_is_drawable(s->y[i]) &&
            (best == s->n || fabs(s->x[i] - x) < fabs(s->x[best] - x)))
            best = i;
    return best;
}

static const char *cell_of(const struct chart *c, struct column *col, double x, double near,
                           struct arena *arena)
{
    char y[NUMBER_MAX], low[NUMBER_MAX], high[NUMBER_MAX];
    const struct chart_series *s = col->series;
    size_t i = point_at(col, x, near);
    if (i == s->n)
        return c->text.none ? c->text.none : "";
    number_text(y, s->y[i], 6);
    if (!s->low || !s->high)
        return arena_strdup(arena, y);
    number_text(low, s->low[i], 6);
    number_text(high, s->high[i], 6);
    return arena_printf(arena, "%s (%s – %s)", y, low, high);
}

static const char **row_of(const struct chart *c, struct column *columns, size_t n, double x,
                           double near, struct arena *arena)
{
    char number[NUMBER_MAX];
    const char **row = arena_array(arena, n + 1, sizeof *row);
    number_text(number, x, c->is_time ? 5 : 12);
    row[0] = arena_strdup(arena, number);
    for (size_t i = 0; i < n; i++)
        row[i + 1] = cell_of(c, &columns[i], x, near, arena);
    return row;
}

const struct chart_rows *chart_rows(struct arena *arena, const struct chart *chart, size_t max)
{
    struct chart_rows *rows = arena_alloc(arena, sizeof *rows);
    struct column columns[CHART_PANELS_MAX * CHART_LINES_MAX];
    const struct chart_series *lead = chart->n_panels ? leading_series(chart) : NULL;
    max = max < ROWS_MIN ? ROWS_MIN : max;
    if (!lead || range_is_empty(chart->x))
        return rows;
    size_t n = add_columns(chart, columns), *index = arena_array(arena, max, sizeof *index);
    double near = chart->is_time ? (chart->x.high - chart->x.low) / (double)max / 2 : 0;
    rows->of = lead->n;
    rows->n_columns = n + 1;
    rows->heads = arena_array(arena, n + 1, sizeof *rows->heads);
    rows->heads[0] = chart->text.x_label ? chart->text.x_label : "";
    for (size_t i = 0; i < n; i++)
        rows->heads[i + 1] = head_of(&columns[i], arena);
    rows->n = pen_sample(lead, max, index);
    rows->cells = arena_array(arena, rows->n, sizeof *rows->cells);
    for (size_t i = 0; i < rows->n; i++)
        rows->cells[i] = row_of(chart, columns, n, lead->x[index[i]], near, arena);
    return rows;
}
