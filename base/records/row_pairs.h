/*
 * row_pairs: which row of a result that was published is which row of it now.
 *
 * Rows of one key (base/figures/row_key.h) are the same row. Where several have it, those that
 * state the same are paired first, in their order, and then the others in theirs. What has no
 * partner was added or removed: no figure of it changed. What has no key (a line that states
 * nothing, the result as a whole) is paired by its place; so are all rows where one side was
 * published by a version of this program that wrote no keys, and then a row in front of others
 * still makes them others.
 *
 *     struct row_side old = row_side_of(most, &arena), now = …;
 *     row_side_add(&old, 1, 2);                      // in any order, one place any number of times
 *     row_side_settle(&old);
 *     row_side_know(&old, figures, n, said, n_said); // what is known of them
 *     row_sides_pair(&old, &now);
 *     row_side_number(&old, &now, 1, 2)              // the same as of its partner in `now`
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define ROW_ALONE ((size_t)-1)

struct row_place {
    int table, row;
    bool figures;      /* it is a row of figures */
    const char *key;   /* NULL: it has none */
    const char *words; /* what people know it by; NULL */
    uint64_t stated;   /* row_stated() of what it states */
    size_t partner;    /* its place on the other side; ROW_ALONE */
};

struct row_side {
    struct row_place *places; /* settled: each once, in their order */
    size_t n;
};

/* What a place states, and what a row says of itself. */
struct row_figure {
    int table, row;
    const char *name, *stated; /* stated NULL: nothing */
    size_t order;              /* filled in */
};
struct row_said {
    int table, row;
    const char *key, *words; /* NULL: none */
};

/* Room for so many places. */
struct row_side row_side_of(size_t most, struct arena *arena);
void row_side_add(struct row_side *s, int table, int row);
void row_side_settle(struct row_side *s);

/* Of places that were added. The figures come in any order, and are sorted; of a row that is said
 * twice the first counts. */
void row_side_know(struct row_side *s, struct row_figure *figures, size_t n,
                   const struct row_said *said, size_t n_said);

/* One that was added. */
struct row_place *row_side_find(const struct row_side *s, int table, int row);

/* The same of the same texts in the same order; begins with 0. NULL is no empty text. */
uint64_t row_stated(uint64_t sum, const char *name, const char *stated);

/* Fill in the partners. False: by place, since one side has rows of figures and none with a key. */
bool row_sides_pair(struct row_side *old, struct row_side *now);

/* The number of what stands at a place of `s`, which is one of the two sides: the same for
 * partners, odd for rows of figures that have none; those of now come first, in their order. */
size_t row_side_number(const struct row_side *s, const struct row_side *now, int table, int row);
bool row_number_is_alone(size_t number);
