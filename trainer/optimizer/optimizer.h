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
