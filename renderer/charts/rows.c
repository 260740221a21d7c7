/* A chart told as a table (chart.h). */
#include "renderer/charts/sample.h"

static const char *chart_table_head(const struct sampled_line *l, struct arena *arena)
{
    const char *panel = l->panel->label ? l->panel->label : "", *label = l->line->series.label;
    if (!label || !*label)
        return panel;
    return *panel ? arena_printf(arena, "%.200s · %.200s", panel, label) : label;
}

static const char *chart_table_cell(const struct chart *c, const struct chart_series *s,
                                    size_t point, struct arena *arena)
{
    char y[NUMBER_MAX], low[NUMBER_MAX], high[NUMBER_MAX];
    if (point == SAMPLE_NONE)
        return c->text.none ? c->text.none : "";
    number_text(y, s->y[point], 6);
    if (!s->low || !s->high)
        return arena_strdup(arena, y);
    number_text(low, s->low[point], 6);
    number_text(high, s->high[point], 6);
    return arena_printf(arena, "%s (%s – %s)", y, low, high);
}

static const char **chart_table_row(const struct chart *c, const struct chart_sample *sample,
                                    size_t i, struct arena *arena)
{
    char number[NUMBER_MAX];
    const char **row = arena_array(arena, sample->n_lines + 1, sizeof *row);
    number_text(number, sample->x[i], c->is_time ? 5 : 12);
    row[0] = arena_strdup(arena, number);
    for (size_t k = 0; k < sample->n_lines; k++)
        row[k + 1] =
            chart_table_cell(c, &sample->lines[k].line->series, sample->lines[k].points[i], arena);
    return row;
}

const struct chart_rows *chart_rows(struct arena *arena, const struct chart *chart, size_t max)
{
    struct chart_rows *rows = arena_alloc(arena, sizeof *rows);
    const struct chart_sample *sample = chart_sample_new(arena, chart, max);
    if (!sample->n)
        return rows;
    rows->of = sample->of;
    rows->n = sample->n;
    rows->n_columns = sample->n_lines + 1;
    rows->heads = arena_array(arena, rows->n_columns, sizeof *rows->heads);
    rows->heads[0] = chart->text.x_label ? chart->text.x_label : "";
    for (size_t k = 0; k < sample->n_lines; k++)
        rows->heads[k + 1] = chart_table_head(&sample->lines[k], arena);
    rows->cells = arena_array(arena, rows->n, sizeof *rows->cells);
    for (size_t i = 0; i < rows->n; i++)
        rows->cells[i] = chart_table_row(chart, sample, i, arena);
    return rows;
}
