/*
 * tiny_llama: the shipped case, as the trainer's developers' programs use it. The product reads
 * it from records/cases/; the figures here are the same.
 */
#ifndef TESTS_TINY_LLAMA_H
#define TESTS_TINY_LLAMA_H

#include "trainer/train.h"

static const struct training tiny_llama = {
    .vocab = 128,
    .layers = 3,
    .heads = 4,
    .kv_heads = 2,
    .hidden = 128,
    .ffn = 344,
    .tied = false,
    .rope_theta = 10000,
    .norm_eps = 1e-5,
    .init_std = 0.02,
    .sequence_length = 64,
    .micro_batch = 4,
    .gradient_accumulation = 1,
    .steps = 250,
    .warmup_steps = 20,
    .lr = 2e-3,
    .min_lr = 2e-4,
    .weight_decay = 0.1,
    .beta1 = 0.9,
    .beta2 = 0.95,
    .eps = 1e-8,
    .clip_norm = 1,
    .seed = 1234,
    .data_kind = "generated",
    .precision = "fp32",
};

#endif
