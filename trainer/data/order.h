/*
 * order: in which order samples are visited: epoch e visits all of them once, in the permutation
 * that Fisher and Yates's shuffle makes from sequence e of RNG_ORDER (trainer/device/rng.h): for
 * k = n - 1 … 1, swap place k with place below(k + 1).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* order[n] of one epoch */
void order_shuffle(uint64_t *order, size_t n, uint64_t seed, uint64_t epoch);
