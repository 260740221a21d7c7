/*
 * The whole model on the GPU beside the processor: the same weights (drawn from the same sequence),
 * the same tokens, one forward and one backward pass; loss, and the gradient of every tensor as
 * |gpu - cpu| / |cpu| in the Euclidean norm. With every recomputation the gradients have the same
 * bits. Needs an NVIDIA GPU; TAP.
 */
#include "tests/gpu/tap.h"
#include "tests/trainer_ground.h"
#include "trainer/device/cuda/device_cuda.h"
#include "trainer/device/precision.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 512

static const struct model_shape shape = {
    .vocabulary = 1000,
    .layers = 3,
    .heads = 8,
    .kv_heads = 4,
    .hidden = 256,
    .ffn = 688,
    .sequence_length = 128,
    .micro_batch = ROWS / 128,
    .rope_theta = 10000,
    .norm_eps = 1e-5f,
};

struct outcome {
    double loss;
    float *gradients;
    size_t n;
};

static struct tap tap;

static void tell(bool ok, const char *format, const char *what, double figure, double limit)
{
    tap_tell(&tap, ok, "%s %s: %.2e, at most %.0e", format, what, figure, limit);
}

/* One pass of a model on ground that is open. As a training in fp16 does, the loss is scaled, by a
 * power of two, and the gradients are scaled back: that changes no bit but what would underflow. */
static void pass(struct ground *g, struct outcome *out)
{
    const float scale = 4096;
    struct err err = ERR_INIT;
    struct rng rng;
    int32_t inputs[ROWS], targets[ROWS];
    double sum;
    struct model *m = g->model;
    rng_init(&rng, 3, RNG_ORDER, 0);
    for (int i = 0; i < ROWS; i++) {
        inputs[i] = (int32_t)rng_below(&rng, (uint64_t)m->shape.vocabulary);
        targets[i] = (int32_t)rng_below(&rng, (uint64_t)m->shape.vocabulary);
    }
    if (weights_initialise(&g->optimizer, 0.05f, 7, &err) < 0)
        tap_stop(&err);
    model_zero_gradients(m);
    model_forward(m, inputs);
    model_loss(m, targets, scale / ROWS);
    model_backward(m);
    out->n = m->n_weights;
    out->gradients = malloc(out->n * sizeof(float));
    if (g->device->operations->download(g->device, out->gradients, m->gradients,
                                        out->n * sizeof(float), &err) < 0 ||
        g->device->operations->download(g->device, &sum, m->loss_sum, sizeof sum, &err) < 0)
        tap_stop(&err);
    for (size_t i = 0; i < out->n; i++)
        out->gradients[i] /= scale;
    out->loss = sum / ROWS;
}

static void on_gpu(const struct precision *p, enum recompute recompute, enum attention_choice which,
                   struct outcome *out)
{
    const struct device_cuda_options options = {
        .number = p->number, .tf32 = p->tf32, .fixed = true, .attention = which};
    struct model_shape s = shape;
    struct ground g;
    struct err err = ERR_INIT;
    s.recompute = recompute;
    if (device_cuda_open(&g.device, &options, &err) < 0 ||
        ground_build(&g, &s, &(struct adamw){0}, &err) < 0)
        tap_stop(&err);
    pass(&g, out);
    ground_close(&g);
}

static double apart(const float *a, const float *b, size_t n)
{
    double difference = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        difference += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
        size += (double)b[i] * b[i];
    }
    return sqrt(difference / size);
}

/* The tensor whose gradient is furthest off. */
static void compare(const char *format, const struct model *m, const struct outcome *gpu,
                    const struct outcome *cpu, double limit)
{
    double worst = 0;
    const char *where = "none";
    for (size_t i = 0; i < m->n_parameters; i++) {
        const struct parameter *p = &m->parameters[i];
        double d =
            apart(gpu->gradients + p->offset, cpu->gradients + p->offset, p->rows * p->width);
        if (!(d <= worst)) {
            worst = d;
            where = p->name;
        }
    }
    tell(worst <= limit, format, where, worst, limit);
    tell(fabs(gpu->loss / cpu->loss - 1) <= limit, format, "loss", fabs(gpu->loss / cpu->loss - 1),
         limit);
}

static void one_format(const char *name, double limit, const struct model *m,
                       const struct outcome *cpu)
{
    const struct precision *p = precision_find(name);
    struct outcome kept, again;
    on_gpu(p, RECOMPUTE_NONE, ATTENTION_BEST, &kept);
    compare(name, m, &kept, cpu, limit);
    for (enum recompute r = RECOMPUTE_SELECTIVE; r <= RECOMPUTE_FULL; r++) {
        on_gpu(p, r, ATTENTION_BEST, &again);
        bool same = memcmp(kept.gradients, again.gradients, kept.n * sizeof(float)) == 0;
        tell(same, name, r == RECOMPUTE_FULL ? "full recomputation" : "selective recomputation",
             !same, 0);
        free(again.gradients);
    }
    if (p->number != NUMBER_FP32) {
        on_gpu(p, RECOMPUTE_NONE, ATTENTION_PLAIN, &again);
        compare(name, m, &again, cpu, limit);
        free(again.gradients);
    }
    free(kept.gradients);
}

int main(void)
{
    struct ground g;
    struct outcome cpu;
    struct err err = ERR_INIT;
    if (ground_open(&g, &shape, &(struct adamw){0}, &err) < 0)
        tap_stop(&err);
    pass(&g, &cpu);
    one_format("fp32", 1e-5, g.model, &cpu);
    one_format("tf32", 1e-2, g.model, &cpu);
    one_format("bf16", 5e-2, g.model, &cpu);
    one_format("fp16", 1e-2, g.model, &cpu);
    free(cpu.gradients);
    ground_close(&g);
    return tap_end(&tap);
}
