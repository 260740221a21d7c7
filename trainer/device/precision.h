/*
 * precision: how a case says what it is computed in, as rows of one table.
 *
 *   fp32   everything in fp32
 *   tf32   fp32, but products round their factors to tf32 (10 bits of fraction)
 *   bf16   weights and activations in bf16; sums, statistics, gradients of weights, master weights
 *          and moments in fp32
 *   fp16   the same with fp16, whose range is narrow: the loss is scaled
 * (trainer/optimizer/optimizer.h)
 */
#pragma once

#include "trainer/device/device.h"

struct precision {
    const char *name;
    enum number number;
    bool tf32;
    bool scales_loss;
    bool on_cpu; /* the CPU's device can do it */
};

/* NULL when there is none of this name; NULL is none. */
const struct precision *precision_find(const char *name);

/* "fp32, tf32, bf16 or fp16" */
#define PRECISION_NAMES "fp32, tf32, bf16 or fp16"
