/* The tables of two results side by side (tables.h): figure by figure, and in what they are
 * alike. */
#include "base/figures/metrics.h"
#include "base/files/file.h"
#include "renderer/site/data/tables.h"
#include "renderer/site/index/recompute.h"
#include "renderer/site/sheet/difference.h"
#include "renderer/site/sheet/reuse.h"
#include "renderer/words/ratio.h"

#include <string.h>

/* ---- figures ------------------------------------------------------------------------------- */

static const char *const pair_columns[] = {"first",
                                           "second",
                                           "figure",
                                           "unit",
                                           "better",
                                           "first_stated",
                                           "first_recomputed",
                                           "second_stated",
                                           "second_recomputed",
                                           "difference_percent"};
/* "%", "ratio"; "% / ratio" where both sides do not state it in one. */
static const char *unit_of_both(const struct metrics_column *c, const struct metric *x,
                                const struct metric *y, struct arena *arena)
{
    const char *a = x ? ratio_unit(c->key, x->says, c->unit, arena) : NULL;
    const char *b = y ? ratio_unit(c->key, y->says, c->unit, arena) : NULL;
    a = a && *a ? a : NULL;
    b = b && *b ? b : NULL;
    return !a ? b : !b || strcmp(a, b) == 0 ? a : arena_printf(arena, "%s / %s", a, b);
}

static void fill_figures_of_rows(struct data_table *t, const struct site_row *a,
                                 const struct site_row *b)
{
    static const char *const better[] = {
        [DIRECTION_NONE] = NULL, [DIRECTION_HIGHER] = "higher", [DIRECTION_LOWER] = "lower"};
    size_t n;
    const struct metrics_column *known = metrics_columns(&n);
    for (size_t c = 0; c < n; c++) {
        const struct metric *x = site_row_metric(a, known[c].key);
        const struct metric *y = site_row_metric(b, known[c].key);
        double percent;
        const char *why;
        bool both = site_rows_between(a, b, known[c].key, t->arena, &percent, &why);
        if (x || y)
            ROW(t, site_row_place(a, t->arena), site_row_place(b, t->arena), known[c].key,
                unit_of_both(&known[c], x, y, t->arena), better[known[c].better],
                x ? x->stated : NULL, x ? figure_print(x->found, t->arena) : NULL,
                y ? y->stated : NULL, y ? figure_print(y->found, t->arena) : NULL,
                both ? site_percent_data(percent, 4, t->arena) : NULL);
    }
}

/* ---- criteria ------------------------------------------------------------------------------ */

static const char *const criteria_columns[] = {"first",       "second",       "criterion",
                                               "first_value", "second_value", "likeness"};
static const char *const likeness_names[] = {[LIKENESS_UNKNOWN] = NULL,
                                             [LIKENESS_DIFFERENT] = "different",
                                             [LIKENESS_PARTLY] = "partly the same",
                                             [LIKENESS_SAME] = "the same"};

/* "2048; 4096": of all rows; NULL: none says. */
static const char *all_values(const struct site_entry *e, enum site_criterion c,
                              struct arena *arena)
{
    const struct site_row **rows = arena_array(arena, e->n_rows, sizeof(*rows));
    size_t n = site_criterion_rows(e, c, arena, rows);
    const char *all = "";
    for (size_t i = 0; i < n; i++) {
        const char *value = site_criterion_value(rows[i], c, arena);
        if (n == 1)
            return value;
        all = arena_printf(arena, "%s%s%s", all, i ? "; " : "", value ? value : "not stated");
    }
    return all;
}

static void fill_conditions_of_rows(struct data_table *t, const struct site_row *a,
                                    const struct site_row *b)
{
    for (int c = SITE_CRITERIA; c < SITE_CONDITIONS; c++)
        ROW(t, site_row_place(a, t->arena), site_row_place(b, t->arena), site_criterion_name(c),
            site_criterion_value(a, c, t->arena), site_criterion_value(b, c, t->arena),
            likeness_names[site_rows_alike(a, b, c)]);
}

static void fill_criteria(struct data_table *t, const struct site_compared *pair)
{
    for (int c = 0; c < SITE_CONDITIONS; c++)
        ROW(t, pair->a->verdict->id, pair->b->verdict->id, site_criterion_name(c),
            all_values(pair->a, c, t->arena), all_values(pair->b, c, t->arena),
            likeness_names[site_results_alike(pair, c)]);
}

/* ---- files --------------------------------------------------------------------------------- */

static const struct pair_table {
    const char *name, *folder;
    const char *const *columns;
    size_t n_columns;
    void (*fill)(struct data_table *t, const struct site_compared *pair); /* NULL: nothing */
    /* Behind that, of all rows that may be compared. */
    void (*fill_rows)(struct data_table *t, const struct site_row *a, const struct site_row *b);
} tables[] = {
    {"pair", "compare", pair_columns, sizeof pair_columns / sizeof *pair_columns, NULL,
     fill_figures_of_rows},
    {"criteria", "criteria", criteria_columns, sizeof criteria_columns / sizeof *criteria_columns,
     fill_criteria, fill_conditions_of_rows},
};

static int emit_pair_table(const struct site_index *x, const struct site_compared *pair,
                           const struct pair_table *of, file_sink *emit, void *self,
                           struct err *err)
{
    struct arena arena = ARENA_INIT;
    struct data_table t = {
        .arena = &arena, .name = of->name, .columns = of->columns, .n_columns = of->n_columns};
    const char *path = arena_printf(&arena, "data/%s/%s", of->folder, pair->name);
    const struct reuse_key key = site_key_pair(x, pair);
    int rc = 0;
    if (!site_table_keeps(x, path, &key, &arena)) {
        if (of->fill)
            of->fill(&t, pair);
        for (size_t a = 0; a < pair->a->n_rows; a++)
            for (size_t b = 0; b < pair->b->n_rows; b++)
                if (site_rows_compare(pair->a->rows[a], pair->b->rows[b]))
                    of->fill_rows(&t, pair->a->rows[a], pair->b->rows[b]);
        rc = site_table_emit(&t, path, emit, self, err);
    }
    arena_release(&arena);
    return rc;
}

int site_tables_pair_emit(const struct site_index *index, const struct site_compared *pair,
                          file_sink *emit, void *self, struct err *err)
{
    int rc = 0;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && rc == 0; i++)
        rc = emit_pair_table(index, pair, &tables[i], emit, self, err);
    return rc;
}
