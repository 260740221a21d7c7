/*
 * optimizer: AdamW with decoupled weight decay and clipping by the global gradient norm.
 *
 * The formula is struct adamw_step's (trainer/device/device.h). Which weights decay is a setting:
 * by ours, matrices but not the embedding (nor a head that is tied to it). The norm is taken over
 * all gradients together; when it exceeds clip_norm every gradient is multiplied by clip_norm /
 * (norm + 1e-6), PyTorch's convention.
 *
 * A rank updates the pieces of the model that are its own (zero.h), and holds state for those
 * only. Where the model's weights are narrower than fp32, the weights that are trained are fp32
 * masters here, and the model's are their rounded copy.
 */
#pragma once

#include "trainer/model/model.h"
#include "trainer/optimizer/decays.h"
#include "trainer/optimizer/zero.h"

#include <stdbool.h>

struct adamw {
    double beta1, beta2, eps, weight_decay;
    double clip_norm; /* 0: no clipping */
    enum decays decays;
};

struct optimizer {
    struct adamw settings;
    struct zero *zero; /* borrowed */
    float *m, *v;      /* [zero->n_state], device memory */
    float *master;     /* likewise; NULL where the model's weights are fp32 */
    double *squares;   /* device memory */
    uint64_t steps;    /* taken */
};

/* ERR_IO when the device has not enough memory; nothing is held then. */
int optimizer_init(struct optimizer *o, struct zero *zero, const struct adamw *settings,
                   struct err *err);
void optimizer_release(struct optimizer *o);

/* Bytes of device memory that the state of this many weights takes, master weights included. */
size_t optimizer_bytes(size_t n_state, enum number number);

/* Weights [offset, offset + n) of this rank's begin as these fp32 values (device memory): the model
 * gets them rounded, the masters exactly. */
void optimizer_set_weights(struct optimizer *o, size_t offset, const float *values, size_t n);

/* L2 norm of all gradients divided by loss_scale; waits for the device. */
int optimizer_gradient_norm(struct optimizer *o, double loss_scale, double *norm, struct err *err);

/* The factor that gradients of this norm are multiplied by; 1 when they are short enough. */
float optimizer_clip_factor(const struct adamw *settings, double norm);

/* One step on this rank's weights, bucket by bucket, and each of them on its way to the other ranks
 * as soon as it is updated (zero_gather); gradients are loss_scale times what they mean. */
int optimizer_step(struct optimizer *o, double norm, double lr, double loss_scale, struct err *err);

/* The learning rate of each step.
 *
 * Steps are counted from 1. It rises in a straight line, lr * step / warmup_steps, until step
 * warmup_steps has lr itself; then half a cosine brings it down, and the last step has min_lr:
 *
 *   min_lr + (lr - min_lr) * (1 + cos(pi * (step - warmup) / (steps - warmup))) / 2
 *
 * Counted from zero, as transformers and Megatron do, step s has what the formulas say of s - 1:
 * the first step has rate 0, and the last one is not quite down.
 *
 * Steps after the last keep min_lr. Loshchilov and Hutter 2017, "SGDR", without restarts. */

struct schedule {
    int steps, warmup_steps; /* 0 <= warmup_steps <= steps */
    double lr, min_lr;
    bool from_zero;
};

double schedule_lr(const struct schedule *s, int step);

/* Keeping fp16 gradients inside of fp16's range.
 *
 * The loss is multiplied by `scale` before it is differentiated, and gradients are divided by it
 * before they are used. Where they overflow, the step is not taken and the scale halved; after
 * LOSS_SCALE_PATIENCE steps without overflow it is doubled. Micikevicius et al. 2018, "Mixed
 * precision training". Formats that need none keep the scale 1. */

#define LOSS_SCALE_START 65536.0f
#define LOSS_SCALE_PATIENCE 1000
#define LOSS_SCALE_LEAST 1.0f

struct loss_scale {
    bool moves; /* fp16 */
    float scale;
    int calm; /* steps since the last overflow or change */
};

/* After the gradients of a step: may the step be taken? An overflow at the least scale is one that
 * no scale avoids: it is not dealt with here, and the step may be taken. */
bool loss_scale_allows(struct loss_scale *s, bool finite);
