/* small_training: what the tests' trainings have alike, to stand in an initialiser of a
 * `struct training`; each adds its layers, widths, batch, steps, rate and seed. */
#pragma once

#include "trainer/training/train.h"

#define SMALL_TRAINING                                                               \
    .vocab = 128, .heads = 4, .kv_heads = 2, .rope_theta = 10000, .norm_eps = 1e-5,  \
    .init_std = 0.02, .weight_decay = 0.1, .beta1 = 0.9, .beta2 = 0.95, .eps = 1e-8, \
    .clip_norm = 1, .data_kind = "generated", .precision = "fp32"
