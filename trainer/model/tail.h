/*
 * tail: the rows of a micro-batch that have a target.
 *
 * Behind the last attention no row reads another one. The last feed-forward block, the head and the
 * loss are then needed only for rows with a target: the loss and the gradients of all other rows
 * are 0 there. A picture's rows and a question have no target, which saves most of a layer and of
 * the head in LLaVA's pretraining.
 *
 * The picked rows lie one after the other, in their order. Their number is rounded up, so that the
 * shapes of products stay few; the rows that fill up are zeros without a target.
 *
 * Of a model that one rank has whole and that takes pictures. All other models pass all rows.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct block;
struct model;

struct tail {
    int n;           /* picked rows; 0: every row passes */
    int32_t *places; /* [n]: their rows in the micro-batch, or -1; device memory */
    void *picked;    /* room for them                                       hidden */
};

/* Picks rows by targets[rows], on the host, for the next passes, until model_set_length or
 * model_set_rows. */
void tail_pick(struct model *m, const int32_t *targets);

/* Are rows picked, and is this the first block that takes these alone? */
bool tail_begins(const struct model *m, const struct block *b);

/* Leaves the picked rows of m->branch in m->branch, and returns those of `stream`. The passes take
 * the picked rows alone from here on. */
const void *tail_gather(struct model *m, const void *stream);

/* The passes take the picked rows alone, or all rows again. Both do nothing where none are picked.
 */
void tail_enter(struct model *m);
void tail_leave(struct model *m);

/* m->d_stream of picked rows becomes that of all rows, and the passes take all rows again. */
void tail_spread(struct model *m);

/* to[tail.n]: the picked ones of targets[rows]; both are on the host. */
void tail_targets(const struct model *m, const int32_t *targets, int32_t *to);
