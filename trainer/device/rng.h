/*
 * rng: random numbers that are the same on every machine.
 *
 * xoshiro256** (Blackman and Vigna 2018), its state filled by SplitMix64 from a seed and a stream
 * number, so that weights, sample order and corpus draw from sequences that do not touch. Only
 * integer arithmetic and exact conversions are used: no libm, hence no platform in the numbers.
 */
#pragma once

#include <stdint.h>

/* What a sequence is drawn for; part of the seed. Numbers are fixed: they are part of a case. */
enum rng_stream { RNG_WEIGHTS = 1, RNG_ORDER = 2, RNG_CORPUS = 3 };

struct rng {
    uint64_t state[4];
};

/* The sequence `index` of `stream` for `seed` (index: the epoch, the tensor, …). */
void rng_init(struct rng *r, uint64_t seed, enum rng_stream stream, uint64_t index);

uint64_t rng_next(struct rng *r);

/* Uniform in [0, n), n >= 1, without bias: values that would favour small results are redrawn. */
uint64_t rng_below(struct rng *r, uint64_t n);

/*
 * Mean 0, variance 1, never beyond 6: the sum of twelve uniforms in [0, 1) less 6 (Irwin-Hall).
 * Near enough to a normal for weights to start from (excess kurtosis -0.1), free of the far tail
 * that truncated initialisers cut off, and exact: the sum is taken in integers.
 */
float rng_bell(struct rng *r);
#define RNG_BELL_DRAWS 6 /* of rng_next, for one bell number */

/* Go on by n draws without making them, so that parts of one sequence can be drawn side by side.
 * The state moves by a linear map over GF(2) (Blackman and Vigna 2018, section 5); a leap is that
 * map to the power of n: `rng_leap_init` squares its way there, a millisecond or so. */
struct rng_leap {
    uint64_t column[256][4]; /* what each bit of the state becomes */
};
void rng_leap_init(struct rng_leap *l, uint64_t n);
void rng_leap(struct rng *r, const struct rng_leap *l);
