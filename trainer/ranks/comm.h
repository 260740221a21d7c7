/*
 * comm: the collectives that ranks of one training share, and nothing about how they travel.
 *
 * A rank is one process with one device. Buffers lie in the memory of that device. A collective
 * begins when the device has done what was queued before it, and runs beside what is queued after
 * it: its buffers are not to be touched until join() has been called, or join_mark() for a mark
 * behind it. Every rank calls the same collectives in the same order with the same sizes. A sum has
 * a fixed order of addition for a given number of ranks, so that the same run gives the same bits.
 *
 * Ranks that divide a model between them talk in groups: split() makes a comm of some of a comm's
 * ranks, with collectives of its own. Two ranks also send() and receive(): what is sent is on its
 * way while the sender goes on, and comes in the order in which it was sent.
 *
 * comm_self.c is the table for one rank, comm_threads.c for threads of one process, comm_tcp.c and
 * comm_mpi.c for ranks on processors, comm_nccl.c for ranks on GPUs.
 */
#pragma once

#include "base/err.h"
#include "trainer/device/device.h"

#include <stddef.h>

/* What a collective carries. */
enum comm_element { COMM_BYTE, COMM_FP32, COMM_FP64, COMM_BF16, COMM_FP16 };

static inline size_t comm_element_bytes(enum comm_element e)
{
    static const size_t bytes[] = {
        [COMM_BYTE] = 1, [COMM_FP32] = 4, [COMM_FP64] = 8, [COMM_BF16] = 2, [COMM_FP16] = 2};
    return bytes[e];
}

/* A device's own format. */
static inline enum comm_element comm_element_of(const struct device *d)
{
    static const enum comm_element elements[] = {
        [NUMBER_FP32] = COMM_FP32, [NUMBER_BF16] = COMM_BF16, [NUMBER_FP16] = COMM_FP16};
    return elements[d->number];
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

    /* data[n] = the largest over ranks of each; NULL where a comm has no groups */
    int (*all_reduce_max)(struct comm *, float *data, size_t n, struct err *);

    /* What the receiver gets is what `from` holds when the device has done what is queued before;
     * behind join() it may be changed. Done when join() has been called on the receiver's side. */
    int (*send)(struct comm *, const void *from, size_t bytes, int to, struct err *);
    int (*receive)(struct comm *, void *to, size_t bytes, int from, struct err *);

    /* Of all ranks together: *out is a comm of those that name the same colour, in the order of
     * this one, for comm_close; NULL for those that name a negative one. NULL: cannot. */
    int (*split)(struct comm *, int colour, struct comm **out, struct err *);

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

/* to[world * n] = from[n] of each rank, in the device's format, for what is queued from here on. */
static inline int comm_gather_now(struct comm *c, void *to, const void *from, size_t n,
                                  struct err *err)
{
    if (c->operations->all_gather(c, to, from, n, comm_element_of(c->device), err) < 0)
        return -1;
    return c->operations->join(c, err);
}

/* Likewise to[n] = this rank's part of the sum of from[world * n]. */
static inline int comm_scatter_now(struct comm *c, void *to, const void *from, size_t n,
                                   struct err *err)
{
    if (c->operations->reduce_scatter(c, to, from, n, comm_element_of(c->device), err) < 0)
        return -1;
    return c->operations->join(c, err);
}

/* Likewise data[n] = sum over ranks, fp32. */
static inline int comm_sum_now(struct comm *c, float *data, size_t n, struct err *err)
{
    if (c->operations->all_reduce(c, data, n, COMM_FP32, err) < 0)
        return -1;
    return c->operations->join(c, err);
}

/* Where all is well, every rank closes at about the same time: it may wait for the others. */
static inline void comm_close(struct comm *c)
{
    c->operations->close(c);
}
