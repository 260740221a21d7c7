/*
 * weights: what a model begins with.
 *
 * Matrices: std * rng_bell, tensor i of the table from sequence i of RNG_WEIGHTS; norms: 1;
 * adapters: lora.h. The
 * same on every device and for any number of ranks under any plan, to the bit of the exact (fp32)
 * values.
 */
#pragma once

#include "base/signing/hash.h"
#include "trainer/optimizer/transfer.h"

/* Does every rank have all weights? Else they are hashed through a transfer. */
bool weights_are_whole(const struct zero *z);

/* SHA-256 of the weights in the device's format: tensor after tensor of the model's table, padding
 * left out. Of all ranks together, and on all of them. `transfer` is NULL where weights are whole.
 */
int weights_sha256(struct optimizer *o, struct transfer *transfer, char hex[HASH_HEX_SIZE],
                   struct err *err);

/* Bytes of device memory that this takes, for a while. */
size_t weights_hash_room(size_t part, const struct device *d);

/* Bytes of device memory that initial weights pass through, for a while. */
size_t weights_room(size_t n_weights);

int weights_initialise(struct optimizer *o, float std, uint64_t seed, struct err *err);
