/*
 * torch_random: what torch draws on a processor from a generator with a seed.
 *
 * MT19937 (Matsumoto and Nishimura 1998), its state filled from the lower 32 bits of the seed, and
 * torch.randperm, which exchanges place i with place i + (draw % (n - i)) for i = 0 … n - 2
 * (ATen/native/TensorFactories.cpp, for n below 2^32 / 20).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define TORCH_RANDOM_WORDS 624

struct torch_random {
    uint32_t words[TORCH_RANDOM_WORDS];
    int at; /* the next one; TORCH_RANDOM_WORDS: they have to be made anew */
};

/* torch.manual_seed(seed) */
void torch_random_seed(struct torch_random *r, uint64_t seed);
uint32_t torch_random_next(struct torch_random *r);
/* order[n] */
void torch_random_permutation(struct torch_random *r, uint64_t *order, size_t n);
