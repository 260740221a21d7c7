#include "renderer/pages/view.h"

#include "base/text.h"
#include "renderer/words/english.h"

#include <string.h>

/* How the cells of a table are shown; NULL: as published. */
typedef const char *translate(struct arena *arena, const char *text, size_t column);

static const char *row_text(struct arena *arena, const struct cell *cells, size_t n,
                            translate *english)
{
    struct buf b = BUF_INIT(BUF_DEFAULT_MAX);
    buf_char(&b, '|');
    for (size_t i = 0; i < n; i++) {
        const char *text = english ? english(arena, cells[i].text, i) : cells[i].text;
        buf_char(&b, ' ');
        buf_str(&b, page_cell(arena, text));
        buf_str(&b, " |");
    }
    return buf_text(&b, arena);
}

static void set_table(struct view *at, const struct table *t, translate *header, translate *cell)
{
    struct arena *a = at->arena;
    struct view *v = view_set_object(at, "table");
    view_set_raw(v, "caption", t->caption ? page_line(a, t->caption) : "");
    /* One cell per column, so that the header is a row like the others. */
    struct cell *cells = arena_array(a, t->n_columns, sizeof *cells);
    for (size_t i = 0; i < t->n_columns; i++)
        cells[i].text = header ? header(a, t->columns[i], i) : t->columns[i];
    view_set_raw(v, "header", row_text(a, cells, t->n_columns, NULL));
    struct buf b = BUF_INIT(BUF_DEFAULT_MAX);
    buf_char(&b, '|');
    for (size_t i = 0; i < t->n_columns; i++)
        buf_str(&b, " --- |");
    view_set_raw(v, "rule", buf_text(&b, a));
    struct view *rows = view_set_list(v, "rows");
    for (size_t i = 0; i < t->n_rows; i++)
        view_set_raw(view_push_object(rows), "row",
                     row_text(a, t->rows[i].cells, t->rows[i].n_cells, cell));
}

void page_set_general(struct view *at, enum page_lang lang, const struct table *t)
{
    bool english = lang == PAGE_EN;
    struct view *v = view_set_list(at, "general");
    if (t)
        set_table(view_push_object(v), t, english ? english_general_header : NULL,
                  english ? english_general : NULL);
}

void page_set_performance(struct view *at, enum page_lang lang, const struct result *r)
{
    struct view *blocks = view_set_list(at, "performance");
    for (size_t i = 0; i < r->n_performance; i++) {
        const struct block *b = &r->performance[i];
        struct view *v = view_push_object(blocks);
        const char *text = b->table ? NULL : page_words(lang, &b->text);
        view_set_raw(v, "text", text ? page_block(at->arena, text) : "");
        if (b->table)
            set_table(v, b->table, lang == PAGE_EN ? english_header : NULL, NULL);
        else
            view_set_flag(v, "table", false);
    }
}
