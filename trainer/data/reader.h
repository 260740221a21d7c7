/*
 * reader: micro-batches that are read ahead, on a thread of its own.
 *
 * While a device computes with one micro-batch, the next ones are read from the data, over the end
 * of a step too, so that what has to be fetched from a disk costs no time as long as it comes
 * faster than it is used. How long nothing was there all the same is measured.
 *
 * Which batch is which, and what is in it, is `read`'s; the thread calls it with the batches'
 * numbers one after the other, and nobody else may use what it reads from until the reader is
 * closed.
 */
#pragma once

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

#define READER_SLOTS 3 /* one that is used, and those behind it */

struct reader_batch {
    int32_t *inputs, *targets; /* [tokens] */
    void *more;
};

struct reader_plan {
    uint64_t first, end; /* batches [first, end) */
    size_t tokens;       /* of each */
    size_t more;         /* bytes of what else a batch has */
    void (*read)(void *context, uint64_t batch, struct reader_batch *into);
    void *context;
};

struct reader;

int reader_open(struct reader **out, const struct reader_plan *plan, struct err *err);
void reader_close(struct reader *r); /* NULL is allowed */

/* The next batch, of which there is one; it stays until the next call. *waited grows by the seconds
 * that it was not there yet. */
const struct reader_batch *reader_next(struct reader *r, double *waited);
