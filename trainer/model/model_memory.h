/*
 * model_memory: the device memory of a model: weights, gradients, and the arena of activations.
 */
#pragma once

#include "trainer/model/model.h"

/* For a model whose parameters are placed. On failure nothing but what model_return_memory()
 * undoes is held. Also fills the tables of rotations. */
int model_take_memory(struct model *m, const struct model_passing *passing, struct err *err);
void model_return_memory(struct model *m);

/* Elements of the largest bucket but the embedding's. */
size_t model_largest_bucket(const struct model *m);

/* Of all places that buckets take turns in, with that of the embedding, which has its own. */
size_t model_passing_elements(const struct model *m);

/* What a model of this shape would take on a device of this format, without taking it. */
struct model_memory {
    size_t elements;        /* of all tensors of the whole model */
    size_t n_weights;       /* of this rank's, and with padding */
    size_t n_trained;       /* of these, elements of buckets that are trained */
    size_t largest;         /* of one tensor of the whole model */
    size_t n_passing;       /* elements of those places in which buckets take turns */
    size_t n_gradients;     /* elements of fp32 */
    size_t arena_bytes;     /* of activations */
    size_t largest_product; /* bytes of what a matrix product of a pass writes */
};
int model_measure(struct model_memory *out, const struct model_shape *shape, struct device *device,
                  const struct model_passing *passing, struct err *err);
