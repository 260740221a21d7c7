#include "renderer/site/index/places.h"

#include <stdlib.h>
#include <string.h>

/* Something that a verdict says, and the row that it says it of. */
struct row_claim {
    int table, row;
    size_t order; /* in the verdict */
    const struct metric *metric;
    const struct verdict_row *taken;
    const struct check_result *check;
};

static int compare_places(int table, int row, int other_table, int other_row)
{
    return table != other_table ? (table > other_table) - (table < other_table)
                                : (row > other_row) - (row < other_row);
}

static int compare_said_places(const void *x, const void *y)
{
    const struct row_claim *a = x, *b = y;
    int c = compare_places(a->table, a->row, b->table, b->row);
    return c ? c : (a->order > b->order) - (a->order < b->order);
}

static bool is_error(const struct check_result *c)
{
    return c->outcome == OUTCOME_FAIL && c->severity == SEVERITY_ERROR;
}

static size_t list_said(const struct verdict *v, struct arena *arena, struct row_claim **out)
{
    struct row_claim *all =
        arena_array(arena, v->n_metrics + v->n_rows + v->n_checks + 1, sizeof *all);
    size_t n = 0;
    for (size_t i = 0; i < v->n_metrics; i++, n++)
        all[n] =
            (struct row_claim){v->metrics[i].table, v->metrics[i].row, n, .metric = &v->metrics[i]};
    for (size_t i = 0; i < v->n_rows; i++, n++)
        all[n] = (struct row_claim){v->rows[i].table, v->rows[i].row, n, .taken = &v->rows[i]};
    for (size_t i = 0; i < v->n_checks; i++) {
        if (!is_error(&v->checks[i]))
            continue;
        all[n] =
            (struct row_claim){v->checks[i].table, v->checks[i].row, n, .check = &v->checks[i]};
        n++;
    }
    qsort(all, n, sizeof *all, compare_said_places);
    *out = all;
    return n;
}

/* Of what is said of one row. */
static struct site_place make_place(const struct row_claim *said, size_t n,
                                    const struct metric **metrics)
{
    struct site_place place = {.table = said->table, .row = said->row, .metrics = metrics};
    for (size_t i = 0; i < n; i++) {
        const struct check_result *c = said[i].check;
        if (said[i].metric)
            metrics[place.n_metrics++] = said[i].metric;
        if (!place.taken)
            place.taken = said[i].taken;
        if (c && c->row && !c->informational && !place.error)
            place.error = c;
        place.contradicted |= c != NULL;
    }
    return place;
}

const struct site_places *site_places_of(const struct verdict *v, struct arena *arena)
{
    struct row_claim *said;
    struct site_places *places = arena_alloc(arena, sizeof *places);
    size_t n = list_said(v, arena, &said);
    struct site_place *items = arena_array(arena, n + 1, sizeof *items);
    const struct metric **metrics = arena_array(arena, n + 1, sizeof *metrics);
    *places = (struct site_places){.items = items};
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && compare_places(said[i].table, said[i].row, said[end].table,
                                                    said[end].row) == 0;)
            end++;
        items[places->n++] = make_place(said + i, end - i, metrics + i);
    }
    for (size_t i = 0; i < v->n_checks; i++) {
        const struct check_result *c = &v->checks[i];
        const struct check_result **first = c->row ? &places->other : &places->whole;
        if (is_error(c) && !c->informational && !*first)
            *first = c;
    }
    return places;
}

static int place_by_key(const void *key, const void *item)
{
    const struct site_place *a = key, *b = item;
    return compare_places(a->table, a->row, b->table, b->row);
}

const struct site_place *site_place_find(const struct site_places *places, int table, int row)
{
    const struct site_place wanted = {.table = table, .row = row};
    return places && places->n
               ? bsearch(&wanted, places->items, places->n, sizeof wanted, place_by_key)
               : NULL;
}

const struct metric *site_place_metric(const struct site_place *place, const char *name)
{
    for (size_t i = 0; place && i < place->n_metrics; i++)
        if (strcmp(place->metrics[i]->name, name) == 0)
            return place->metrics[i];
    return NULL;
}
