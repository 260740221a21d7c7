/*
 * weights: what a model begins with.
 *
 * Matrices: std * rng_bell, tensor i of the table from sequence i of RNG_WEIGHTS; norms: 1. The
 * same on every device and for any number of ranks, to the bit of the exact (fp32) values.
 */
#ifndef TRAINER_MODEL_WEIGHTS_H
#define TRAINER_MODEL_WEIGHTS_H

#include "base/signing/hash.h"
#include "trainer/model/optimizer.h"

/* SHA-256 of the model's weights: tensor after tensor as they lie in memory, padding left out. */
int weights_sha256(const struct model *m, char hex[HASH_HEX_SIZE], struct err *err);

/* Bytes of device memory that initial weights pass through, for a while. */
size_t weights_room(size_t n_weights);

int weights_initialise(struct optimizer *o, float std, uint64_t seed, struct err *err);

#endif
