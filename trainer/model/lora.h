/*
 * lora: two thin matrices beside a frozen one (Hu et al. 2021, peft's plain variant).
 *
 *   y = x W^T + scale * (drop(x) A^T) B^T        A[r, in], B[out, r], scale = alpha / r
 *
 * W has neither gradient nor state. A begins uniform within 1 / sqrt(in), B as zeros. drop() keeps
 * an element with probability 1 - dropout and divides it by that; what it keeps follows from
 * counters (trainer/device/device.h) of seed, step, row of the step, layer, target and column, so
 * that a pass that is computed again, and any split of a step among ranks and micro-batches, keeps
 * the same. Each target draws for itself.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct model;
struct linear;

/* Matrices that can have one, by their places in q, k, v and gate, up. */
enum lora_target { LORA_Q, LORA_K, LORA_V, LORA_GATE, LORA_UP, LORA_TARGETS };

extern const char *const lora_target_names[LORA_TARGETS]; /* "q_proj" */

struct lora {
    int r; /* 0: none */
    double alpha, dropout;
    unsigned targets; /* bits, by enum lora_target */
};

/* Beside columns [first, first + out) of a linear layer's result. */
struct adapter {
    size_t a, b; /* offsets */
    int first, out;
    uint64_t key; /* of layer and target */
};

#define LORA_OF_LINEAR 3 /* q, k, v */

/* What a forward pass keeps of each adapter for the backward pass. */
struct adapters_kept {
    void *thin[LORA_OF_LINEAR]; /* drop(x) A^T  [rows, r] */
    uint8_t
        *bits[LORA_OF_LINEAR]; /* what drop() kept, as trainer/device/device.h has it; or NULL */
};

/* Of a linear layer, behind what W itself does, of whole rows. The backward pass begins with the
 * thin rows' gradients, and lora_into_input does; lora_into_weights of the same dy goes on. */
void lora_forward(struct model *m, const struct linear *l, const struct adapters_kept *kept,
                  void *y, const void *x);
void lora_begin_backward(struct model *m, const struct linear *l, const void *dy);
void lora_into_input(struct model *m, const struct linear *l, const struct adapters_kept *kept,
                     void *dx, const void *dy);
void lora_into_weights(struct model *m, const struct linear *l, const struct adapters_kept *kept,
                       const void *dy, const void *x);
