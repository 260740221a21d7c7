/* The first page: a matrix of models and vendors, the best founded rows, at most SHEET_FEW_ROWS,
 * and as many of the latest events.
 */
#include "renderer/site/history/history.h"
#include "renderer/site/sheet/cited.h"
#include "renderer/site/sheet/kind.h"
#include "renderer/site/sheet/points.h"

#include <stdlib.h>
#include <string.h>

/* What a screen holds: models and vendors beyond it are on their own pages. */
#define MATRIX_MODELS 60
#define MATRIX_VENDORS 12

/* ---- the matrix: for each model and vendor the row that speaks for it --------------------------
 */

/* The figures that a cell may show, the first that there is. Those of all cards together say so in
 * their unit. */
static const char *const matrix_figures[] = {
    "token_per_s_per_card", "throughput", "mfu", "p_core", "p_train", "p_whole"};
#define MATRIX_FIGURES (sizeof matrix_figures / sizeof *matrix_figures)

/* A model or a vendor, and how many of the other it has: the order of the matrix. */
struct matrix_line {
    const struct site_list *list;
    size_t given, met;
};

static int compare_lines(const void *a, const void *b)
{
    const struct matrix_line *x = a, *y = b;
    if (x->met != y->met)
        return x->met > y->met ? -1 : 1;
    return x->given < y->given ? -1 : x->given > y->given;
}

/* Is it the first of the rows of the model that this vendor has? Rows of a result stand together,
 * those of one vendor need not. */
static bool is_first_of_vendor(const struct site_list *model, size_t r)
{
    const char *vendor = model->rows[r]->entry->result->vendor;
    for (size_t i = 0; i < r; i++)
        if (strcmp(model->rows[i]->entry->result->vendor, vendor) == 0)
            return false;
    return true;
}

static struct matrix_line *matrix_lines(struct sheet *s, const struct site_list *lists, size_t n)
{
    struct matrix_line *lines = arena_array(s->arena, n, sizeof *lines);
    for (size_t i = 0; i < n; i++)
        lines[i] = (struct matrix_line){.list = &lists[i], .given = i};
    return lines;
}

static void count_meetings(const struct site_index *x, struct matrix_line *models,
                           struct matrix_line *vendors)
{
    for (size_t m = 0; m < x->n_models; m++)
        for (size_t r = 0; r < x->models[m].n; r++) {
            const struct site_row *row = x->models[m].rows[r];
            if (!is_first_of_vendor(&x->models[m], r))
                continue;
            models[m].met++;
            vendors[site_list_find(x->vendors, x->n_vendors, row->entry->result->vendor) -
                    x->vendors]
                .met++;
        }
}

/* {"some", "vendor_name", "path", "anchor", state…, "told", "unit"}; told is "" where nothing is
 * published. */
static void push_cell(struct sheet *s, struct view *cells, const struct site_list *model,
                      const struct site_list *vendor, const struct site_row **rows)
{
    struct view *v = view_push_object(cells);
    size_t n = 0;
    for (size_t r = 0; r < model->n; r++)
        if (strcmp(model->rows[r]->entry->result->vendor, vendor->id) == 0)
            rows[n++] = model->rows[r];
    const struct site_best best = site_best_of(rows, n, matrix_figures, MATRIX_FIGURES, s->arena);
    view_set_flag(v, "some", n > 0);
    view_set_text(v, "vendor_name", sheet_short(s, sheet_list_vendor(s, vendor)));
    if (n == 0)
        return;
    const struct site_row *row = best.row ? best.row : rows[0];
    view_set_text(v, "path", row->entry->path);
    view_set_text(v, "anchor",
                  row->row ? arena_printf(s->arena, "f%d-%d", row->table, row->row) : "figures");
    sheet_set_state(s, v, row->entry->verdict->state);
    view_set_text(v, "told", best.figure ? sheet_best_text(s, &best) : "");
    view_set_text(v, "unit", best.name == 0 || !best.figure ? "" : sheet_best_unit(s, &best));
}

static void set_matrix(struct sheet *s)
{
    const struct site_index *x = s->index;
    struct matrix_line *models = matrix_lines(s, x->models, x->n_models);
    struct matrix_line *vendors = matrix_lines(s, x->vendors, x->n_vendors);
    count_meetings(x, models, vendors);
    qsort(models, x->n_models, sizeof *models, compare_lines);
    qsort(vendors, x->n_vendors, sizeof *vendors, compare_lines);
    size_t n_models = x->n_models < MATRIX_MODELS ? x->n_models : MATRIX_MODELS;
    size_t n_vendors = x->n_vendors < MATRIX_VENDORS ? x->n_vendors : MATRIX_VENDORS;
    struct view *columns = view_set_list(s->view, "matrix_vendors");
    for (size_t i = 0; i < n_vendors; i++) {
        struct view *v = view_push_object(columns);
        view_set_text(v, "id", vendors[i].list->id);
        view_set_text(v, "name", sheet_short(s, sheet_list_vendor(s, vendors[i].list)));
    }
    struct view *list = view_set_list(s->view, "matrix");
    for (size_t i = 0; i < n_models; i++) {
        const struct site_list *model = models[i].list;
        struct view *v = view_push_object(list);
        const struct site_row **rows = arena_array(s->arena, model->n, sizeof *rows);
        view_set_text(v, "id", model->id);
        view_set_text(v, "name", sheet_short(s, sheet_list_model(s, model)));
        struct view *cells = view_set_list(v, "cells");
        for (size_t k = 0; k < n_vendors; k++)
            push_cell(s, cells, model, vendors[k].list, rows);
    }
    bool cut = n_models < x->n_models || n_vendors < x->n_vendors;
    view_set_text(s->view, "matrix_cut",
                  cut ? sheet_fill(s, "matrix.cut", {"models", sheet_number(s, n_models)},
                                   {"ofmodels", sheet_number(s, x->n_models)},
                                   {"vendors", sheet_number(s, n_vendors)},
                                   {"ofvendors", sheet_number(s, x->n_vendors)})
                      : "");
}

/* ---- what follows ------------------------------------------------------------------------------
 */

static void fill_home(struct sheet *s, size_t i)
{
    (void)i;
    const struct site_index *x = s->index;
    size_t n = 0;
    /* Results that evidence speaks for, at least in part: rows are in the order of states. */
    while (n < x->n_rows && n < SHEET_FEW_ROWS &&
           x->rows[n]->entry->verdict->state <= STATE_PARTIAL)
        n++;
    set_matrix(s);
    sheet_set_dataset(s);
    sheet_set_counts(s, view_set_list(s->view, "states"));
    sheet_set_all_links(s);
    sheet_set_rows(s, s->view, s->index->rows, n, NULL);
    view_set_flag(s->view, "founded", n > 0);
    view_set_text(s->view, "unfounded",
                  sheet_t(s, s->index->n_rows ? "home.unfounded" : "rows.empty"));
    const char *results = sheet_fill(s, "home.results", {"n", sheet_number(s, x->n_entries)});
    view_set_text(s->view, "counts",
                  x->n_rows ? sheet_fill(s, "home.counts", {"results", results},
                                         {"rows", sheet_row_count(s, x->n_rows)})
                            : "");
    sheet_set_latest(s, SHEET_FEW_ROWS);
    view_set_text(s->view, "all_count",
                  sheet_fill(s, "home.all", {"n", sheet_number(s, s->index->n_rows)}));
}

const struct site_kind site_kind_home = {
    .name = "home",
    .path = "index.html",
    .template = "site/home.html",
    .title = "home.title",
    .description = "home.description",
    .fill = fill_home,
};
