/*
 * twin: the processor's device beside the GPU's, arrays that lie on both, and how far apart they
 * are.
 */
#pragma once

#include "tests/gpu/tap.h"
#include "trainer/device/device.h"
#include "trainer/device/precision.h"

struct twin {
    struct device *cpu, *gpu;
    const struct precision *precision;
    struct rng rng;
    struct tap *tap;
    float limit; /* of the relative difference */
};

/* One array on both devices. */
struct pair {
    size_t n;
    bool wide; /* fp32 whatever the format */
    void *cpu, *gpu;
};

/* x, in the format under test. */
float twin_rounded(const struct twin *t, float x);

void twin_tell(struct twin *t, bool ok, const char *what, double difference, double limit);

struct pair pair_of(struct twin *t, size_t n, bool wide, const float *values);
struct pair pair_filled(struct twin *t, size_t n, bool wide, float value);
struct pair pair_random(struct twin *t, size_t n, bool wide, float scale); /* of a bell */
struct pair pair_tokens(struct twin *t, size_t n, int first, int end);     /* [first, end) */
void pair_release(struct twin *t, struct pair *p);

/* Tells the relative difference in the Euclidean norm, and releases both. */
void pair_compare(struct twin *t, struct pair *p, const char *what, double limit);

/* What a backward pass wrote once more equals what the forward pass wrote, to the bit. */
void pair_compare_again(struct twin *t, const struct pair *again, const struct pair *first,
                        const char *what);
