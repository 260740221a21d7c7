/* Tables of the site: published cells, each figure with where it comes from. */
#include "renderer/site/sheet/sheet.h"

#include "base/figures/figure.h"
#include "base/figures/labels.h"
#include "base/markdown/markdown.h"
#include "renderer/words/english.h"

#include <string.h>

/* What of a row may be left out: how it was run, as far as it differs from its page. */
static const bool optional_kinds[] = {[COLUMN_CONFIG_NAME] = true,
                                      [COLUMN_PARALLEL] = true,
                                      [COLUMN_STRATEGY] = true,
                                      [COLUMN_HYPERPARAMETERS] = true,
                                      [COLUMN_FLAG] = false};

/* The word for an empty cell. A remark, and what is optional, lacks nothing. */
static const char *blank_word(struct sheet *s, const struct table *t, size_t c,
                              const struct metrics_column *column)
{
    const struct label *label = c < t->n_columns ? label_find(LABEL_COLUMN, t->columns[c]) : NULL;
    bool remark = label && strcmp(label->key, "remark") == 0;
    bool optional = column && optional_kinds[column->kind];
    return sheet_t(s, remark ? "figure.nothing" : optional ? "figure.none" : "figure.missing");
}

static void fill_cell(struct sheet *s, struct view *cell, const struct row *row, size_t c,
                      const struct metrics_column *column, const struct metric *m, bool figures)
{
    const char *text = row->cells[c].text;
    const struct figure *says = row->figures ? &row->figures[c] : &figure_missing;
    /* What the verdict counts as a claim is a figure in any column, and so is what reads like one
     * where it does not belong. */
    bool numeric =
        (column && metrics_is_numeric(column->kind)) || m || (figures && figure_has_value(says));
    const struct metric stated = {.stated = text, .says = says, .outcome = OUTCOME_CANNOT};
    const char *english = s->lang != PAGE_EN ? text
                          : !figures         ? english_general(s->arena, text, c)
                          : column && column->kind == COLUMN_CONFIGURATION
                              ? english_configuration(s->arena, text)
                              : english_settings(s->arena, text);
    view_set_text(cell, "mark", "");
    view_set_flag(cell, "figure", false);
    view_set_flag(cell, "blank", !text[strspn(text, " \t")]);
    sheet_set_label(s, cell, "words", text, english);
    /* The dashes of a line that heads others say of no figure that it is withheld. */
    bool dashes = figures && !m && *text && !text[strspn(text, " -")];
    if (!numeric || dashes)
        return;
    struct view *v = sheet_set_figure(s, cell, "figure", m && m->stated ? m : &stated);
    const char *published = sheet_short(s, markdown_plain(s->arena, text));
    bool absent = figure_is_absent(says);
    if (absent)
        view_set_text(v, "published_lang", sheet_foreign(s, published));
    view_set_text(v, absent ? "published" : "text", published);
}

static const char *english_column(struct sheet *s, const struct table *t, bool figures, size_t c)
{
    return s->lang != PAGE_EN ? t->columns[c]
           : figures          ? english_header(s->arena, t->columns[c], c)
                              : english_general_header(s->arena, t->columns[c], c);
}

/* What a cell stands under, beside it on a telephone, where a wide table has no columns. */
#define WIDE 4
static const char *name_beside(struct sheet *s, const struct table *t, bool figures, size_t c)
{
    if (t->n_columns < WIDE || c >= t->n_columns)
        return "";
    return sheet_short(s, markdown_plain(s->arena, english_column(s, t, figures, c)));
}

static void set_table_columns(struct sheet *s, struct view *view, const struct table *t,
                              bool figures)
{
    struct view *columns = view_set_list(view, "columns");
    for (size_t c = 0; c < t->n_columns; c++) {
        const struct metrics_column *known = metrics_column(t->columns[c]);
        struct view *column = view_push_object(columns);
        sheet_set_label(s, column, "label", t->columns[c], english_column(s, t, figures, c));
        bool said = known && known->unit && strstr(t->columns[c], known->unit);
        const char *words = known ? sheet_words(s, known->label) : "";
        const char *unit = known ? sheet_unit(s, known->unit) : "";
        view_set_text(column, "unit", said ? "" : unit);
        /* "Throughput (tokens/s per card)", of a column that is headed "token/p/s". */
        view_set_text(column, "meaning",
                      *unit ? arena_printf(s->arena, "%s (%s)", words, unit) : words);
        view_set_flag(column, "numeric", figures && known && metrics_is_numeric(known->kind));
    }
}

struct view *sheet_table(struct sheet *s, const struct table *t, const struct site_places *verdict,
                         int table)
{
    struct view *view = view_object(s->arena);
    const char *caption = t->caption ? markdown_plain(s->arena, t->caption) : "";
    view_set_text(view, "caption", caption);
    view_set_text(view, "caption_lang", sheet_foreign(s, caption));
    view_set_flag(view, "wide", t->n_columns >= WIDE);
    set_table_columns(s, view, t, verdict != NULL);
    struct view *rows = view_set_list(view, "rows");
    for (size_t r = 0; r < t->n_rows; r++) {
        struct view *row = view_push_object(rows);
        struct view *cells = view_set_list(row, "cells");
        const struct site_place *place = site_place_find(verdict, table, (int)r + 1);
        /* It is marked as a whole: the check may be about several cells. */
        bool failed = place && place->contradicted;
        view_set_flag(row, "contradicted", failed);
        /* Only figures are pointed at, and other tables have no number of their own. */
        view_set_text(row, "anchor",
                      verdict ? arena_printf(s->arena, "t%d-r%zu", table, r + 1) : "");
        for (size_t c = 0; c < t->rows[r].n_cells; c++) {
            const struct metrics_column *column =
                verdict && c < t->n_columns ? metrics_column(t->columns[c]) : NULL;
            const char *name = column ? column->key : c < t->n_columns ? t->columns[c] : "";
            const struct metric *m = site_place_metric(place, name);
            struct view *cell = view_push_object(cells);
            fill_cell(s, cell, &t->rows[r], c, column, m, verdict != NULL);
            view_set_text(cell, "blank_word", blank_word(s, t, c, column));
            view_set_flag(cell, "warn", failed && c == 0);
            view_set_text(cell, "place",
                          verdict && c == 0 ? sheet_place(s, table, (int)r + 1) : "");
            view_set_text(cell, "beside", name_beside(s, t, verdict != NULL, c));
        }
    }
    return view;
}
