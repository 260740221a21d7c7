/*
 * tiny_llama: the shipped case, as the trainer's developers' programs use it. The product reads
 * it from records/cases/; the figures here are the same.
 */
#pragma once

#include "tests/small_training.h"

static const struct training tiny_llama = {
    SMALL_TRAINING, .layers = 3,           .hidden = 128,    .ffn = 344,
    .tied = false,  .sequence_length = 64, .micro_batch = 4, .gradient_accumulation = 1,
    .steps = 250,   .warmup_steps = 20,    .lr = 2e-3,       .min_lr = 2e-4,
    .seed = 1234,
};
