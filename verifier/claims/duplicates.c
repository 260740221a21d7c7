#include "verifier/claims/duplicates.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct duplicates {
    struct duplicate *rows; /* by figures, then in the order of the peers */
    size_t n;
    bool postponed;
};

/* Figures that were taken so far. */
struct taken {
    struct arena *arena;
    const char *text;
    size_t n, digits;
};

static void take_figure_text(struct taken *t, const char *name, const char *cell,
                             const struct figure *says)
{
    if (!isdigit((unsigned char)*cell) || !figure_has_value(says))
        return;
    t->text = arena_printf(t->arena, "%s%s%s %s", t->text, t->n ? ", " : "", name, cell);
    t->n++;
    /* Without the zeros that a round number ends in. */
    size_t n = 0, digits = 0;
    bool whole = !strchr(cell, '.');
    for (const char *s = cell; *s; s++) {
        digits += isdigit((unsigned char)*s) != 0;
        if (isdigit((unsigned char)*s) && (*s != '0' || !whole))
            n = digits;
    }
    t->digits += n;
}

static const char *enough(const struct taken *t)
{
    return t->n >= DUPLICATES_FIGURES && t->digits >= DUPLICATES_DIGITS ? t->text : NULL;
}

static void take_columns(struct taken *t, const struct metrics_column *const *columns,
                         size_t n_columns, const struct row *row, const char *const *keys)
{
    for (size_t k = 0; keys[k]; k++)
        for (size_t i = 1; i < n_columns && i < row->n_cells; i++)
            if (columns[i] && strcmp(columns[i]->key, keys[k]) == 0)
                take_figure_text(t, keys[k], row->cells[i].text, &row->figures[i]);
}

const char *duplicates_figures(const struct metrics_column *const *columns, size_t n_columns,
                               const struct row *row, struct arena *arena)
{
    static const char *const rates[] = {
        "e2e_time", "p_whole", "p_train", "p_core", "token_per_s_per_card", "throughput", NULL};
    static const char *const others[] = {"loss", "memory", NULL};
    struct taken t = {.arena = arena, .text = ""};
    take_columns(&t, columns, n_columns, row, rates);
    if (t.n && !enough(&t))
        take_columns(&t, columns, n_columns, row, others);
    return enough(&t);
}

const char *duplicates_older_figures(const struct older_table *table, const struct older_row *row,
                                     struct arena *arena)
{
    static const struct {
        enum older_column column;
        const char *name;
    } measured[] = {{OLDER_SECONDS, "seconds"},
                    {OLDER_REACHED, "score"},
                    {OLDER_STEPS, "steps"},
                    {OLDER_RATE, "rate"}};
    struct taken t = {.arena = arena, .text = ""};
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++)
        take_figure_text(&t, measured[i].name, older_cell(table, row, measured[i].column),
                         older_figure(table, row, measured[i].column));
    return enough(&t);
}

static void add_duplicate(struct arena *arena, struct duplicates *all, struct duplicate row)
{
    if (row.figures)
        *(struct duplicate *)ARENA_PUSH(arena, all->rows, all->n) = row;
}

static void add_table(struct arena *arena, struct duplicates *all, const struct result *r,
                      const struct table *t, int number)
{
    const struct metrics_column **columns = arena_array(arena, t->n_columns, sizeof *columns);
    for (size_t i = 0; i < t->n_columns; i++)
        columns[i] = metrics_column(t->columns[i]);
    for (size_t i = 0; i < t->n_rows; i++)
        add_duplicate(arena, all,
                      (struct duplicate){
                          .figures = duplicates_figures(columns, t->n_columns, &t->rows[i], arena),
                          .result = r,
                          .line = t->rows[i].line,
                          .table = number,
                          .row = (int)i + 1});
}

static void add_older(struct arena *arena, struct duplicates *all, const struct result *r,
                      const struct older_table *t, int number)
{
    for (size_t i = 0; i < t->n_rows; i++)
        add_duplicate(arena, all,
                      (struct duplicate){.figures = duplicates_older_figures(t, &t->rows[i], arena),
                                         .result = r,
                                         .line = t->rows[i].line,
                                         .table = number,
                                         .row = (int)i + 1});
}

static void add_result(struct arena *arena, struct duplicates *all, const struct result *r)
{
    const struct table **tables;
    struct older_table *older;
    size_t n = result_figure_tables(r, arena, &tables);
    for (size_t i = 0; i < n; i++)
        add_table(arena, all, r, tables[i], (int)i + 1);
    n = older_tables_find(r, arena, &older);
    for (size_t i = 0; i < n; i++)
        add_older(arena, all, r, &older[i], (int)i + 1);
}

static int by_figures(const void *a, const void *b)
{
    const struct duplicate *x = a, *y = b;
    int order = strcmp(x->figures, y->figures);
    order = order ? order : strcmp(x->result->case_id, y->result->case_id);
    order = order ? order : strcmp(x->result->vendor, y->result->vendor);
    order = order ? order : x->table - y->table;
    return order ? order : x->row - y->row;
}

void duplicates_index(struct project *p)
{
    struct duplicates *all = arena_alloc(p->arena, sizeof *all);
    *all = (struct duplicates){.rows = NULL};
    for (size_t i = 0; i < p->n_peers; i++)
        if (!p->peers[i]->withdrawn)
            add_result(p->arena, all, p->peers[i]);
    if (all->n)
        qsort(all->rows, all->n, sizeof *all->rows, by_figures);
    p->duplicates = all;
}

void duplicates_postpone(struct project *p)
{
    struct duplicates *all = arena_alloc(p->arena, sizeof *all);
    *all = (struct duplicates){.postponed = true};
    p->duplicates = all;
}

bool duplicates_are_postponed(const struct project *p)
{
    return p->duplicates && p->duplicates->postponed;
}

size_t duplicates_of(const struct result *r, struct arena *arena, const struct duplicate **rows)
{
    struct duplicates own = {.rows = NULL};
    if (!r->withdrawn)
        add_result(arena, &own, r);
    *rows = own.rows;
    return own.n;
}

const struct duplicate *duplicates_find(const struct project *p, const struct result *of,
                                        const char *figures)
{
    size_t from = 0, to = p->duplicates && figures ? p->duplicates->n : 0;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (strcmp(p->duplicates->rows[middle].figures, figures) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    for (size_t i = from; p->duplicates && figures && i < p->duplicates->n; i++) {
        const struct duplicate *t = &p->duplicates->rows[i];
        if (strcmp(t->figures, figures) != 0)
            return NULL;
        if (strcmp(t->result->vendor, of->vendor) != 0 ||
            strcmp(t->result->case_id, of->case_id) != 0)
            return t;
    }
    return NULL;
}

size_t duplicates_group(const struct duplicates *all, size_t from, const struct duplicate **rows)
{
    size_t to = from;
    while (all && to < all->n && strcmp(all->rows[to].figures, all->rows[from].figures) == 0)
        to++;
    *rows = all && from < all->n ? all->rows + from : NULL;
    return to - from;
}
