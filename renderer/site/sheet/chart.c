#include "renderer/site/sheet/chart.h"

#include <stddef.h>
#include <string.h>

/* Rows of the table behind a drawing: what a reader still reads. */
#define TABLE_ROWS 24

void sheet_put_words(struct sheet *s, void *to, const struct sheet_word *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *text = sheet_t(s, words[i].key);
        memcpy((char *)to + words[i].at, &text, sizeof text);
    }
}

static const struct sheet_word chart_words[] = {
    {offsetof(struct chart_text, x_label), "chart.step"},
    {offsetof(struct chart_text, y_label), "chart.loss"},
    {offsetof(struct chart_text, deviation), "chart.deviation"},
    {offsetof(struct chart_text, enlarged), "chart.enlarged"},
    {offsetof(struct chart_text, limit), "chart.limit"},
    {offsetof(struct chart_text, worst), "chart.worst"},
    {offsetof(struct chart_text, from), "chart.from"},
    {offsetof(struct chart_text, warm_up), "chart.warmup"},
    {offsetof(struct chart_text, median), "chart.median"},
    {offsetof(struct chart_text, average), "chart.average"},
    {offsetof(struct chart_text, broken), "chart.broken"},
    {offsetof(struct chart_text, mean), "chart.mean"},
    {offsetof(struct chart_text, empty), "chart.empty"},
    {offsetof(struct chart_text, none), "chart.none"},
};

struct chart_text sheet_chart_words(struct sheet *s, const char *name, size_t i, const char *title,
                                    const char *description)
{
    struct chart_text words = {.id = arena_printf(s->arena, "%s-%zu", name, i),
                               .title = title,
                               .description = sheet_t(s, description)};
    sheet_put_words(s, &words, chart_words, sizeof chart_words / sizeof *chart_words);
    return words;
}

void sheet_push_chart(struct sheet *s, struct view *list, const struct chart *chart,
                      const char *title)
{
    struct view *v = view_push_object(list);
    const struct chart_rows *table = chart_rows(s->arena, chart, TABLE_ROWS);
    struct buf svg = BUF_INIT(BUF_DEFAULT_MAX);
    chart_write(&svg, chart, CHART_BOTH);
    view_set_raw(v, "svg", svg.data);
    buf_release(&svg);
    view_set_text(v, "title", title);
    view_set_text(v, "summary",
                  sheet_fill(s, "chart.table", {"title", title}, {"n", sheet_number(s, table->n)},
                             {"of", sheet_number(s, table->of)}));
    struct view *heads = view_set_list(v, "heads");
    for (size_t c = 0; c < table->n_columns; c++)
        view_set_text(view_push_object(heads), "head", table->heads[c]);
    struct view *rows = view_set_list(v, "rows");
    for (size_t r = 0; r < table->n; r++) {
        struct view *cells = view_set_list(view_push_object(rows), "cells");
        for (size_t c = 0; c < table->n_columns; c++)
            view_set_text(view_push_object(cells), "cell", table->cells[r][c]);
    }
}
