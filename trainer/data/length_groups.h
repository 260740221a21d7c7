/*
 * length_groups: the order in which samples of different lengths are visited, so that those that
 * are trained at once are of like lengths (LLaVA's LengthGroupedSampler).
 */
#ifndef TRAINER_DATA_LENGTH_GROUPS_H
#define TRAINER_DATA_LENGTH_GROUPS_H

#include <stddef.h>
#include <stdint.h>

/*
 * order[n] of one epoch: a permutation of the samples. lengths[n] are positive for samples with a
 * picture and negative for those without. Of each run of micro_batch * ranks places, those
 * [rank * micro_batch, (rank + 1) * micro_batch) are what a rank trains at once.
 */
void length_groups_order(uint64_t *order, const int32_t *lengths, size_t n, int ranks,
                         int micro_batch, uint64_t seed, uint64_t epoch);

#endif
