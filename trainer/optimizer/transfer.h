/*
 * transfer: parts of what a training holds between the ranks' devices and the host of rank 0.
 *
 * Files are read and written by rank 0 alone, so that ranks need no common disk and a file does not
 * depend on how many they are, nor on their plan: an element is named by its tensor of the whole
 * model and its place there, wherever it lies. Every rank calls the same functions in the same
 * order with the same arguments; a part is at most `part` elements, which is all the memory that is
 * needed. What goes wrong on the host of rank 0 (a full disk, a malformed file) must not leave the
 * others waiting: rank 0 keeps the failure, goes on taking part, and tells at the end
 * (transfer_agree).
 *
 * An error that these functions themselves return is one of a device or of the collectives, after
 * which there is nothing to agree on.
 */
#pragma once

#include "trainer/optimizer/optimizer.h"

#include <stdbool.h>

#define TRANSFER_PART_MAX ((size_t)1 << 22) /* elements: 16 MiB */

/* fp32 arrays in the order of model.h: the weights that are trained (optimizer.h's masters, where
 * there are any) and AdamW's first and second moment. */
enum transfer_array { TRANSFER_WEIGHTS, TRANSFER_M, TRANSFER_V };

struct transfer {
    struct optimizer *optimizer; /* borrowed */
    struct comm *comm;           /* of all ranks */
    bool leads;                  /* this is rank 0 */
    size_t part;                 /* elements: the largest tensor, or TRANSFER_PART_MAX */
    float *room;                 /* [part], device memory */
    float *nothing;              /* likewise, -0 each, where it collects: what is added
                                    to it stays as it is, to the bit */
    float *host;                 /* [part]; of use on rank 0 */
};

/* `part` for a model whose largest tensor has so many elements. */
size_t transfer_part(size_t largest);

/* Bytes of device memory for that part; `collects`: a rank may not have all of an array. */
size_t transfer_bytes(size_t part, bool collects);
bool transfer_collects(const struct transfer *t);

int transfer_init(struct transfer *t, struct optimizer *optimizer, struct err *err);
void transfer_release(struct transfer *t); /* one that was never begun (all zero) is allowed */

/* host[n] of rank 0, and room[n] of all ranks where there are several = elements [begin, begin + n)
 * of a tensor of the model's table */
int transfer_fetch(struct transfer *t, enum transfer_array array, const struct parameter *tensor,
                   size_t begin, size_t n, struct err *err);

/* The other way, to every rank that keeps a part of them. */
int transfer_spread(struct transfer *t, enum transfer_array array, const struct parameter *tensor,
                    size_t begin, size_t n, struct err *err);

/* bytes[n] of rank 0 on every rank; n is at most part * sizeof(float), which a struct err is not
 * above */
int transfer_share(struct transfer *t, void *bytes, size_t n, struct err *err);

/* Returns on every rank what happened on rank 0: *failed (its kind ERR_NONE: nothing). */
int transfer_agree(struct transfer *t, const struct err *failed, struct err *err);

/* The same of all ranks: where several failed, the first of them. */
int transfer_agree_all(struct transfer *t, const struct err *failed, struct err *err);
