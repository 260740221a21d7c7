/*
 * groups: the comms that a rank of a plan has, one for each axis and each neighbour.
 *
 * Every one of them carries collectives of its own, so that those of different axes never wait for
 * each other crosswise. Between neighbouring stages there are two, one for each direction, of two
 * ranks each, so that what is passed on never waits for what comes back. Where an axis has one rank
 * there is no comm, but for data, which zero.h always has.
 */
#pragma once

#include "trainer/ranks/comm.h"
#include "trainer/ranks/plan.h"

#define GROUPS_OWNED_MAX 8 /* data, tensor, copies, ends, and four links */

/* Ranks of two stages that pass on rows: the peer is the other one. NULL, both: there is none. */
struct groups_link {
    struct comm *in, *out;
};

struct groups {
    struct plan plan; /* complete */
    struct plan_place place;
    struct comm *world; /* borrowed */
    struct comm *data;  /* the world, where that is all */
    struct comm *tensor;
    struct comm *copies;            /* tensor ranks that have the same key heads */
    struct comm *ends;              /* first and last stage, where they share an embedding */
    struct groups_link activations; /* from the stage before, to the one behind */
    struct groups_link gradients;   /* from the stage behind, to the one before */
    /* Those that are this rank's to close, in the order that all ranks opened them in: a rank may
     * wait in a close until its peers close the same comm. */
    struct comm *owned[GROUPS_OWNED_MAX];
    size_t n_owned;
};

/* Of all ranks together. `copies`: tensor ranks that have the same key heads, 1 for none; `tied`:
 * the head is the embedding. */
int groups_open(struct groups *g, const struct plan *plan, int copies, bool tied,
                struct comm *world, struct err *err);
void groups_close(struct groups *g); /* opened in part, or all zero, is allowed */

/* This rank gives up: what is under way in any of them ends. */
void groups_abandon(const struct groups *g);

/* Of ranks that divide the data alone. */
static inline struct groups groups_of_data(struct comm *world)
{
    return (struct groups){
        .plan = {.tensor = 1, .context = 1, .pipeline = 1, .chunks = 1, .data = world->world},
        .place = {.data = world->rank},
        .world = world,
        .data = world};
}
