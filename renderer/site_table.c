/* Tables of the site: published cells, each figure with where it comes from. */
#include "renderer/site_parts.h"

#include "base/figure.h"
#include "base/markdown.h"
#include "base/metrics.h"

#include <string.h>

/* Cells without a figure say so in words: a blank or a slash could be taken for anything. */
static const char *absent_words(enum figure_kind kind)
{
    static const char *const words[] = {
        [FIGURE_MISSING] = "missing",
        [FIGURE_WITHHELD] = "withheld",
        [FIGURE_OOM] = "out of memory",
        [FIGURE_PENDING] = "pending",
    };
    return kind <= FIGURE_PENDING ? words[kind] : NULL;
}

static const struct metric *metric_at(const struct verdict *v, int table, int row, const char *name)
{
    for (size_t i = 0; v && i < v->n_metrics; i++) {
        const struct metric *m = &v->metrics[i];
        if (m->table == table && m->row == row && strcmp(m->name, name) == 0)
            return m;
    }
    return NULL;
}

/* How the number beside it came about, in one word and one class for the style sheet. */
static void set_provenance(struct view *cell, const struct metric *m)
{
    const char *mark = "stated";
    if (m && m->outcome == OUTCOME_FAIL)
        mark = "contradicted";
    else if (m && m->outcome == OUTCOME_PASS)
        mark = m->source && strcmp(m->source, "evidence") == 0 ? "measured" : "recomputed";
    view_set_text(cell, "mark", mark);
    view_set_text(cell, "class", mark);
}

static void fill_cell(struct view *cell, const char *text, const struct metrics_column *column,
                      const struct metric *m, struct arena *arena)
{
    struct figure f;
    struct buf html;
    figure_parse(text, arena, &f);
    /* In a column that nobody knows, what the verdict counts as a claim is a figure. */
    bool numeric = column ? metrics_is_numeric(column->kind) : m != NULL;
    const char *absent = absent_words(f.kind);
    buf_init(&html, BUF_DEFAULT_MAX);
    if (numeric && absent)
        buf_str(&html, absent);
    else
        markdown_inline_html(&html, text);
    view_set_raw(cell, "html", html.data);
    view_set_text(cell, "mark", "");
    view_set_text(cell, "class", numeric && absent ? "absent" : "");
    if (numeric && !absent)
        set_provenance(cell, m);
    view_set_flag(cell, "number", numeric && !absent);
    buf_release(&html);
}

/* A row that a check contradicts is marked as a whole: the check may be about several cells. */
static bool row_failed(const struct verdict *v, int table, int row)
{
    for (size_t i = 0; v && i < v->n_checks; i++) {
        const struct check_result *c = &v->checks[i];
        if (c->table == table && c->row == row && c->outcome == OUTCOME_FAIL &&
            c->severity == SEVERITY_ERROR)
            return true;
    }
    return false;
}

static void set_columns(struct view *view, const struct table *t, struct arena *arena)
{
    struct view *columns = view_set_list(view, "columns");
    for (size_t c = 0; c < t->n_columns; c++) {
        const struct metrics_column *known = metrics_column(t->columns[c]);
        struct view *column = view_push_object(columns);
        view_set_text(column, "label", markdown_plain(arena, t->columns[c]));
        bool said = known && known->unit && strstr(t->columns[c], known->unit);
        view_set_text(column, "unit", known && known->unit && !said ? known->unit : "");
        view_set_text(column, "meaning", known ? site_words(known->label) : "");
    }
}

struct view *site_table(const struct table *t, const struct verdict *verdict, int table,
                        struct arena *arena)
{
    struct view *view = view_object(arena);
    view_set_text(view, "caption", t->caption ? markdown_plain(arena, t->caption) : "");
    set_columns(view, t, arena);
    struct view *rows = view_set_list(view, "rows");
    for (size_t r = 0; r < t->n_rows; r++) {
        struct view *row = view_push_object(rows);
        struct view *cells = view_set_list(row, "cells");
        bool failed = row_failed(verdict, table, (int)r + 1);
        view_set_flag(row, "contradicted", failed);
        /* Only figures are pointed at, and other tables have no number of their own. */
        view_set_text(row, "anchor", verdict ? arena_printf(arena, "t%d-r%zu", table, r + 1) : "");
        for (size_t c = 0; c < t->rows[r].n_cells; c++) {
            const struct metrics_column *column =
                verdict && c < t->n_columns ? metrics_column(t->columns[c]) : NULL;
            const char *name = column ? column->key : c < t->n_columns ? t->columns[c] : "";
            const struct metric *m = metric_at(verdict, table, (int)r + 1, name);
            struct view *cell = view_push_object(cells);
            fill_cell(cell, t->rows[r].cells[c].text, column, m, arena);
            view_set_flag(cell, "warn", failed && c == 0);
        }
    }
    return view;
}
