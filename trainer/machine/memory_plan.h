/*
 * memory_plan: how much device memory a training will take, before any of it is taken.
 *
 * Every figure is what the trainer allocates, to the byte: the model is laid out with no memory
 * below it, and the same functions that fill the layout measure it.
 *
 *   weights       in the device's format; ZeRO-3: the part of this rank, and the buckets that come
 *   gradients     fp32; ZeRO-2 and ZeRO-3: the buckets that pass, and the kept part of this rank
 *   optimizer     fp32 moments, and master weights where the weights are narrower; ZeRO-1 to
 *                 ZeRO-3: of this rank's part
 *   activations   of the micro-batches that are under way in the rank's stage, by recompute
 *   workspace     what the device takes for attention and to try algorithms of products in, and
 *                 what weights that are drawn pass through
 *   files         what checkpoints and weights in files pass through, where a training has any; on
 *                 the host, each rank holds as much again
 *
 * Beyond that, a GPU holds its context, NCCL's buffers (machine_cuda.c has them made when ranks
 * have met) and the device's scratch: they are there before the plan is made, and so are missing
 * from what is free. The code of kernels is loaded as they come up, and is not planned: some 0.1
 * GiB.
 */
#pragma once

#include "trainer/device/device.h"
#include "trainer/training/train.h"

struct memory_plan {
    size_t weights, gradients, optimizer, activations, workspace, files; /* bytes of one rank */
    size_t total;
    size_t host;       /* bytes of the host's memory, beside the total */
    size_t parameters; /* elements of the whole model */
};

/* Attention of a micro-batch on one rank, for which the device is asked. */
struct attention_shape training_attention_shape(const struct training *t);

/* Of one rank of the world. ERR_USAGE when the shape is none, or the plan does not divide it. */
int memory_plan_make(struct memory_plan *plan, const struct training *t, int rank, int world,
                     struct device *device, struct err *err);

/* ERR_USAGE with all figures when it is more than what is free there now, which goes to *left. */
int memory_plan_check(const struct memory_plan *plan, struct device *device, size_t *left,
                      struct err *err);

/* "weights 12.6 GiB, gradients …; 75.2 GiB in all": as much of it as fits; `files` only where a
 * training has any. */
void memory_plan_text(const struct memory_plan *plan, char *text, size_t size);
