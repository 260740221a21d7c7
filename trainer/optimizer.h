/*
 * optimizer: AdamW with decoupled weight decay and clipping by the global gradient norm.
 *
 * The formula is struct adamw_step's (device.h). Weight decay applies to matrices only: norms and
 * the embedding (and a head that is tied to it) do not decay. The norm is taken over all gradients
 * together; when it exceeds clip_norm every gradient is multiplied by clip_norm / (norm + 1e-6),
 * PyTorch's convention.
 */
#ifndef TRAINER_OPTIMIZER_H
#define TRAINER_OPTIMIZER_H

#include "trainer/model.h"

struct adamw {
    double beta1, beta2, eps, weight_decay;
    double clip_norm; /* 0: no clipping */
};

struct optimizer {
    struct adamw settings;
    struct model *model; /* borrowed */
    float *m, *v;        /* [n_weights], device memory */
    float *master;       /* fp32 weights [n_weights]; NULL where the model's are fp32 */
    double *squares;     /* device memory */
    uint64_t steps;      /* taken */
};

/* ERR_IO when the device has not enough memory; nothing is held then. */
int optimizer_init(struct optimizer *o, struct model *model, const struct adamw *settings,
                   struct err *err);
void optimizer_release(struct optimizer *o);

/* Bytes of device memory that the state of this many weights takes, master weights included. */
size_t optimizer_bytes(size_t n_weights, enum number number);

/* L2 norm of all gradients divided by loss_scale; waits for the device. */
int optimizer_gradient_norm(struct optimizer *o, double loss_scale, double *norm, struct err *err);

/* The factor that gradients of this norm are multiplied by; 1 when they are short enough. */
float optimizer_clip_factor(const struct adamw *settings, double norm);

/* One step on all weights; gradients are loss_scale times what they mean. */
void optimizer_step(struct optimizer *o, double norm, double lr, double loss_scale);

#endif
