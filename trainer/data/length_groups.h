/*
 * length_groups: the order in which samples of different lengths are visited, so that those that
 * are trained at once are of like lengths (LLaVA's LengthGroupedSampler, llava_trainer.py).
 *
 * A mega-batch is what all ranks train at once: micro_batch * ranks samples. Those with a picture
 * and those without are each shuffled, cut into mega-batches, sorted in each from the longest on
 * (equals as shuffled), and dealt out: each sample to the rank with the smallest sum so far that
 * has a place left (the first of equals); of a last one that has not the same number for each rank,
 * rank r gets every ranks-th from r on. All mega-batches but the last of each kind are shuffled;
 * these two end the epoch, as one list in the order of the samples.
 *
 * The shuffles are torch's, drawn in that order from one generator that begins
 * with seed + epoch. In LLaVA it is the global one, whose state depends on all that was drawn
 * before: so the rule is the same, and the permutation is that of a torch.Generator of this seed.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * order[n] of one epoch: a permutation of the samples. lengths[n] are positive for samples with a
 * picture and negative for those without. Of each run of micro_batch * ranks places, those
 * [rank * micro_batch, (rank + 1) * micro_batch) are what a rank trains at once.
 */
void length_groups_order(uint64_t *order, const int32_t *lengths, size_t n, int ranks,
                         int micro_batch, uint64_t seed, uint64_t epoch);

/* What torch draws on a processor from a generator with a seed.
 *
 * MT19937 (Matsumoto and Nishimura 1998), its state filled from the lower 32 bits of the seed, and
 * torch.randperm, which exchanges place i with place i + (draw % (n - i)) for i = 0 … n - 2
 * (ATen/native/TensorFactories.cpp, for n below 2^32 / 20). */

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
