/*
 * zero: ranks that train one model on different data: who keeps what, and how their gradients
 * become one (Rajbhandari et al. 2020, "ZeRO: memory optimizations toward training trillion
 * parameter models").
 *
 *   level   weights   gradients   optimizer state     what travels in a step
 *   0       whole     whole       whole               all-reduce of gradients
 *   1       whole     whole       1 / world           reduce-scatter of gradients, all-gather of
 *                                                     weights
 *   2       whole     1 / world   1 / world           the same, gradients in every micro-batch
 *
 * Every bucket of the model (model.h) is divided evenly: rank r keeps part r of it. As soon as the
 * backward pass has completed a bucket, its gradients travel while the pass goes on with the next;
 * on levels 0 and 1 in the last micro-batch only. As soon as the optimizer has updated a piece, its
 * bucket is gathered while the optimizer goes on with the next one, and what is still on its way
 * then travels beside the next step's forward pass, which waits for each bucket before it reads it.
 *
 * A step:  for each micro-batch { zero_before(z, first, last); model_backward(m); }  zero_after(z);
 * then for each piece, in order { the optimizer updates it; zero_gather(z, bucket); }
 *
 * Whoever reads the weights other than by a forward pass calls zero_settle(z) first.
 */
#ifndef TRAINER_MODEL_ZERO_H
#define TRAINER_MODEL_ZERO_H

#include "trainer/model/model.h"
#include "trainer/ranks/comm.h"

#include <stdbool.h>
#include <stddef.h>

/* What this rank keeps of one bucket. */
struct piece {
    size_t begin, n; /* in the model's flat array of weights */
    size_t state;    /* of its first element among all pieces of this rank */
    float *gradient; /* after zero_after: summed over ranks and micro-batches */
};

struct zero {
    int level;
    struct model *model; /* borrowed */
    struct comm *comm;   /* borrowed */
    struct piece *pieces;
    int n_pieces;   /* one per bucket */
    size_t n_state; /* elements of all of them */
    bool divided;   /* the pieces are not the whole model */

    float *kept;    /* level 2: the pieces' gradients, [n_state], device memory */
    bool first;     /* micro-batch of its step */
    bool last;      /* micro-batch of its step */
    int travelling; /* level 2: the bucket whose gradients are on their way; -1: none */
    bool arriving;  /* weights may be on their way */
    bool failed;
    struct err failure; /* the first of a collective */
};

/* Elements [begin, begin + n) of the model's flat array. */
struct span {
    size_t begin, n;
};

/* What [offset, offset + n) and a piece have in common. */
struct span piece_span(const struct piece *p, size_t offset, size_t n);

/* The bucket that a weight lies in, and what a rank keeps of a bucket; its gradient is NULL where
 * that rank is another one. */
int zero_bucket_of(const struct zero *z, size_t offset);
struct piece zero_piece(const struct zero *z, int bucket, int rank);

/* Level 2 wants a model made by model_new_passing (zero_passes tells), and a world of one is level
 * 0 whatever was asked for. Sets the model's bucket_ready and bucket_wanted. */
bool zero_passes(int level, const struct comm *comm);
int zero_init(struct zero *z, int level, struct model *model, struct comm *comm, struct err *err);
void zero_release(struct zero *z);

void zero_before(struct zero *z, bool first, bool last);
int zero_after(struct zero *z, struct err *err);

/* The weights of a bucket, of which this rank has updated its piece, begin to travel to all. */
int zero_gather(struct zero *z, int bucket, struct err *err);

/* What is queued on the device from here on finds all weights. */
int zero_settle(const struct zero *z, struct err *err);

/* Bytes of device memory for gradients that a level takes beyond the model's own. */
size_t zero_kept_bytes(const struct zero *z);

#endif
