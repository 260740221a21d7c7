/*
 * comm: the collectives that ranks of one training share, and nothing about how they travel.
 *
 * A rank is one process with one device. Buffers lie in the memory of that device. A collective
 * begins when the device has done what was queued before it, and runs beside what is queued after
 * it: its buffers are not to be touched until join() has been called, or join_mark() for a mark
 * behind it. Every rank calls the same collectives in the same order with the same sizes. A sum has
 * a fixed order of addition for a given number of ranks, so that the same run gives the same bits.
 *
 * comm_self.c is the table for one rank, comm_mpi.c for ranks on processors, comm_nccl.c for ranks
 * on GPUs.
 */
#ifndef TRAINER_RANKS_COMM_H
#define TRAINER_RANKS_COMM_H

#include "base/err.h"
#include "trainer/device/device.h"

#include <stddef.h>

/* What a collective carries. */
enum comm_element { COMM_BYTE, COMM_FP32, COMM_FP64 };

static inline size_t comm_element_bytes(enum comm_element e)
{
    static const size_t bytes[] = {[COMM_BYTE] = 1, [COMM_FP32] = 4, [COMM_FP64] = 8};
    return bytes[e];
}

#define COMM_MARKS 128

struct comm {
    const struct comm_operations *operations;
    struct device *device; /* borrowed */
    int rank, world;       /* 0 <= rank < world */
};

struct comm_operations {
    void (*close)(struct comm *);

    /* data[n] = sum over ranks of data[n], the same bits on every rank; not for COMM_BYTE. */
    int (*all_reduce)(struct comm *, void *data, size_t n, enum comm_element, struct err *);

    /* to[n] = part `rank` (n elements) of the sum over ranks of from[world * n]. `to` may be that
     * part of `from` itself. Not for COMM_BYTE. */
    int (*reduce_scatter)(struct comm *, void *to, const void *from, size_t n, enum comm_element,
                          struct err *);

    /* to[world * n] = from[n] of rank 0, then of rank 1, … `from` may be its own part of `to`. */
    int (*all_gather)(struct comm *, void *to, const void *from, size_t n, enum comm_element,
                      struct err *);

    /* data[n] of rank `root` on every rank */
    int (*broadcast)(struct comm *, void *data, size_t n, enum comm_element, int root,
                     struct err *);

    /* What is queued on the device from here on comes after all collectives up to here. */
    int (*join)(struct comm *, struct err *);

    /* A mark stands behind all collectives up to here, [0, COMM_MARKS); what is queued on the
     * device behind join_mark comes after those before the mark, where it was set last, and beside
     * those behind it. NULL, both: collectives are done when they return. */
    int (*mark)(struct comm *, int mark, struct err *);
    int (*join_mark)(struct comm *, int mark, struct err *);

    /* returns when every rank has called it and its device has done all that was queued */
    int (*barrier)(struct comm *, struct err *);

    /* This rank gives up: what is under way ends at once, without a result, and close() will wait
     * for nobody. NULL: nothing of it could wait. */
    void (*abandon)(struct comm *);
};

/* One rank: rank 0 of 1. *out is the caller's; comm_close() ends it. */
int comm_self_open(struct comm **out, struct device *device, struct err *err);

static inline int comm_mark(struct comm *c, int mark, struct err *err)
{
    return c->operations->mark ? c->operations->mark(c, mark, err) : 0;
}

static inline int comm_join_mark(struct comm *c, int mark, struct err *err)
{
    return c->operations->join_mark ? c->operations->join_mark(c, mark, err) : 0;
}

static inline void comm_abandon(struct comm *c)
{
    if (c->operations->abandon)
        c->operations->abandon(c);
}

/* Where all is well, every rank closes at about the same time: it may wait for the others. */
static inline void comm_close(struct comm *c)
{
    c->operations->close(c);
}

#endif
