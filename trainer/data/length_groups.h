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
 * The shuffles are torch's (torch_random.h), drawn in that order from one generator that begins
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
