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
 *   3       1 / world 1 / world   1 / world           the same, weights in every pass
 *
 * `world` are the data ranks of a plan (trainer/ranks/groups.h). Gradients of tensors that several
 * ranks of a model have alike (norms, shared key heads, a tied embedding of two stages) are summed
 * over those here, too.
 *
 * Every bucket of the model (model.h) is divided evenly: rank r keeps part r of it. As soon as the
 * backward pass has completed a bucket, its gradients travel while the pass goes on with the next;
 * on levels 0 and 1 in the last micro-batch only. As soon as the optimizer has updated a piece, its
 * bucket is gathered while the optimizer goes on with the next one, and what is still on its way
 * then travels beside the next step's forward pass, which waits for each bucket before it reads it.
 * On level 3 a bucket is gathered before each pass that reads it, while the pass is busy with the
 * one before; the embedding has a place of its own, the others take turns in two.
 *
 * A step:  for each micro-batch { zero_before(z, last); model_backward(m); }  zero_after(z);
 * then for each piece, in order { the optimizer updates it; zero_gather(z, bucket); }
 *
 * Whoever reads the weights other than by a forward pass calls zero_settle(z) first.
 */
#pragma once

#include "trainer/model/model.h"
#include "trainer/ranks/groups.h"

#include <stdbool.h>
#include <stddef.h>

/* What this rank keeps of one bucket. */
struct zero_piece {
    size_t begin, n; /* in the model's flat array of weights */
    size_t state;    /* of its first element among all pieces of this rank */
    float *gradient; /* after zero_after: summed over ranks and micro-batches */
};

/* Level 3: where the weights of a bucket are while a pass reads them. */
struct weights_place {
    void *at;
    int holds; /* the bucket that is there, or on its way there; -1: none */
};

enum { PLACE_OF_EMBEDDING, PLACE_IN_TURN, PLACE_IN_TURN_TOO, WEIGHTS_PLACES };

struct zero {
    int level;
    struct model *model;         /* borrowed */
    const struct groups *groups; /* borrowed */
    struct comm *comm;           /* the groups' data */
    struct zero_piece *pieces;
    int n_pieces;   /* one per bucket */
    size_t n_state; /* elements of all of them */
    bool divided;   /* the pieces are not the whole model */

    float *kept; /* levels 2, 3: the pieces' gradients, [n_state], device memory */
    void *shard; /* level 3: the pieces' weights, [n_state], device memory */
    void *room;  /* level 3: of the places */
    struct weights_place places[WEIGHTS_PLACES];
    int turn;             /* of the places, the one that is read */
    bool *kept_any;       /* likewise, of each bucket: there is something of this step */
    int travelling;       /* levels 2, 3: the bucket whose gradients are on their way; -1: none */
    const float *arrival; /* where this rank's part of them comes to */
    bool arriving;        /* weights may be on their way */
    bool failed;
    struct err failure; /* the first of a collective */
};

/* Elements [begin, begin + n) of the model's flat array. */
struct span {
    size_t begin, n;
};

/* What [offset, offset + n) and a piece have in common. */
struct span piece_span(const struct zero_piece *p, size_t offset, size_t n);

/* What a model must leave to its level (model_new_passing). A world of one is level 0 whatever was
 * asked for. */
struct model_passing zero_passing(int level, const struct comm *data);

/* For a model that was made so. Sets its bucket_ready and bucket_wanted. */
int zero_init(struct zero *z, int level, struct model *model, const struct groups *groups,
              struct err *err);
void zero_release(struct zero *z);

/* A backward pass of any chunk begins: of the step's last micro-batch? */
void zero_before(struct zero *z, bool last);
int zero_after(struct zero *z, struct err *err);

/* The weights of a bucket, of which this rank has updated its piece, begin to travel to all. */
int zero_gather(struct zero *z, int bucket, struct err *err);

/* What is queued on the device from here on finds all weights. */
int zero_settle(const struct zero *z, struct err *err);

/* Where this rank has the weight at this offset, which lies in the piece. */
void *zero_weight(const struct zero *z, const struct zero_piece *p, size_t offset);

/* Bytes of device memory that all gradients and all weights of this rank take. */
size_t zero_gradient_bytes(const struct zero *z);
size_t zero_weight_bytes(const struct zero *z);
