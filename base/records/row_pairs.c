#include "base/records/row_pairs.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a, 64 bits. */
static uint64_t hash_row_text(uint64_t sum, const char *text)
{
    sum = (sum ^ (text ? 1 : 2)) * 1099511628211u;
    for (; text && *text; text++)
        sum = (sum ^ (unsigned char)*text) * 1099511628211u;
    return sum;
}

uint64_t row_stated(uint64_t sum, const char *name, const char *stated)
{
    return hash_row_text(hash_row_text(sum ? sum : 14695981039346656037u, name), stated);
}

/* ---- orders: rows that compare as 0 may be partners ----------------------------------------- */

typedef int order_fn(const struct row_place *, const struct row_place *);

static int order_places(const struct row_place *a, const struct row_place *b)
{
    return a->table != b->table ? (a->table > b->table) - (a->table < b->table)
                                : (a->row > b->row) - (a->row < b->row);
}

static int order_keys(const struct row_place *a, const struct row_place *b)
{
    if (!a->key && !b->key)
        return order_places(a, b);
    return !a->key ? -1 : !b->key ? 1 : strcmp(a->key, b->key);
}

static int order_contents(const struct row_place *a, const struct row_place *b)
{
    int c = order_keys(a, b);
    return c ? c : (a->stated > b->stated) - (a->stated < b->stated);
}

struct order {
    order_fn *compare;
};

static int by_order(const void *x, const void *y, void *data)
{
    const struct row_place *a = *(const struct row_place *const *)x,
                           *b = *(const struct row_place *const *)y;
    int c = ((const struct order *)data)->compare(a, b);
    return c ? c : order_places(a, b);
}

/* ---- sides ---------------------------------------------------------------------------------- */

struct row_side row_side_of(size_t most, struct arena *arena)
{
    return (struct row_side){.places = arena_array(arena, most, sizeof(struct row_place))};
}

void row_side_add(struct row_side *s, int table, int row)
{
    s->places[s->n++] = (struct row_place){.table = table, .row = row, .partner = ROW_ALONE};
}

static int compare_row_places(const void *a, const void *b)
{
    return order_places(a, b);
}

void row_side_settle(struct row_side *s)
{
    size_t kept = 0;
    if (s->n)
        qsort(s->places, s->n, sizeof *s->places, compare_row_places);
    for (size_t i = 0; i < s->n; i++)
        if (!kept || order_places(&s->places[i], &s->places[kept - 1]) != 0)
            s->places[kept++] = s->places[i];
    s->n = kept;
}

struct row_place *row_side_find(const struct row_side *s, int table, int row)
{
    const struct row_place wanted = {.table = table, .row = row};
    return bsearch(&wanted, s->places, s->n, sizeof wanted, compare_row_places);
}

static int compare_column_names(const void *x, const void *y)
{
    const struct row_figure *a = x, *b = y;
    int c = strcmp(a->name, b->name);
    return c ? c : (a->order > b->order) - (a->order < b->order);
}

void row_side_know(struct row_side *s, struct row_figure *figures, size_t n,
                   const struct row_said *said, size_t n_said)
{
    for (size_t i = 0; i < n; i++)
        figures[i].order = i;
    if (n)
        qsort(figures, n, sizeof *figures, compare_column_names);
    for (size_t i = 0; i < n; i++) {
        struct row_place *p = row_side_find(s, figures[i].table, figures[i].row);
        p->stated = row_stated(p->stated, figures[i].name, figures[i].stated);
        p->figures |= p->row > 0;
    }
    for (size_t i = n_said; i-- > 0;) {
        struct row_place *p = row_side_find(s, said[i].table, said[i].row);
        p->key = said[i].key;
        p->words = said[i].words;
        p->figures |= p->row > 0;
    }
}

/* ---- pairs ---------------------------------------------------------------------------------- */

/* Those without a partner; how many. `order` has room for all. */
static size_t alone(struct row_side *s, order_fn *compare, struct row_place **order)
{
    struct order by = {compare};
    size_t left = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->places[i].partner == ROW_ALONE)
            order[left++] = &s->places[i];
    if (left)
        qsort_r(order, left, sizeof *order, by_order, &by);
    return left;
}

static void pair(struct row_side *old, struct row_side *now, order_fn *compare,
                 struct row_place **a, struct row_place **b)
{
    size_t n = alone(old, compare, a), m = alone(now, compare, b);
    for (size_t i = 0, k = 0; i < n && k < m;) {
        int c = compare(a[i], b[k]);
        if (c == 0) {
            a[i]->partner = (size_t)(b[k] - now->places);
            b[k]->partner = (size_t)(a[i] - old->places);
        }
        i += c <= 0;
        k += c >= 0;
    }
}

/* Of rows of figures. */
static bool has_keys(const struct row_side *s)
{
    size_t rows = 0, keys = 0;
    for (size_t i = 0; i < s->n; i++) {
        rows += s->places[i].figures;
        keys += s->places[i].key != NULL;
    }
    return keys || !rows;
}

bool row_sides_pair(struct row_side *old, struct row_side *now)
{
    struct arena arena = ARENA_INIT;
    struct row_place **a = arena_array(&arena, old->n, sizeof *a);
    struct row_place **b = arena_array(&arena, now->n, sizeof *b);
    bool by_key = has_keys(old) && has_keys(now);
    if (by_key) {
        pair(old, now, order_contents, a, b);
        pair(old, now, order_keys, a, b);
    } else {
        pair(old, now, order_places, a, b);
    }
    arena_release(&arena);
    return by_key;
}

/* ---- numbers -------------------------------------------------------------------------------- */

size_t row_side_number(const struct row_side *s, const struct row_side *now, int table, int row)
{
    const struct row_place *p = row_side_find(s, table, row);
    bool has_none = p->partner == ROW_ALONE;
    size_t at = (size_t)(p - s->places);
    size_t number = s == now ? at : has_none ? now->n + at : p->partner;
    return 2 * number + (has_none && p->figures);
}

bool row_number_is_alone(size_t number)
{
    return number % 2 != 0;
}
