#include "trainer/model/model_memory.h"

#include "base/arena.h"
#include "trainer/model/model_parameters.h"

#include <math.h>
#include <stdlib.h>

/* A walk over the arena. To measure, it walks where no memory is; not from address 0 on, because
 * NULL stands for a place that is not taken yet. */
struct cursor {
    uintptr_t base;
    size_t used;
};

#define NOWHERE 256

static void *take(struct cursor *c, size_t n, size_t size)
{
    void *place = (void *)(c->base + c->used);
    c->used += (n * size + 255) / 256 * 256;
    return place;
}

/* One buffer of a layer: a place of its own, or, where it is computed again from `again` on, the
 * one that all layers share, if it is there already. */
static void *take_layer(struct cursor *c, const struct model *m, enum recompute again, void *shared,
                        size_t width, size_t size)
{
    return shared && m->shape.recompute >= again ? shared : take(c, m->rows * width, size);
}

/* `shared` are the first layer's; for that layer, what has a place elsewhere, else NULL. */
static void place_layer(struct layer_activations *a, const struct layer_activations *shared,
                        const struct model *m, struct cursor *c)
{
    const struct model_shape *s = &m->shape;
    const enum recompute cheap = RECOMPUTE_SELECTIVE, full = RECOMPUTE_FULL;
    size_t size = m->device->element_bytes, hidden = s->hidden, ffn = s->ffn;
    a->input = take(c, m->rows * hidden, size);
    a->attention_norm = take_layer(c, m, cheap, shared->attention_norm, hidden, size);
    a->qkv = take_layer(c, m, full, shared->qkv, m->qkv_width, size);
    a->attended = take_layer(c, m, full, shared->attended, hidden, size);
    a->middle = take_layer(c, m, full, shared->middle, hidden, size);
    a->ffn_norm = take_layer(c, m, cheap, shared->ffn_norm, hidden, size);
    a->gate_up = take_layer(c, m, full, shared->gate_up, 2 * ffn, size);
    a->gated = take_layer(c, m, cheap, shared->gated, ffn, size);
    a->attention_inverse = take(c, m->rows, sizeof(float));
    a->ffn_inverse = take(c, m->rows, sizeof(float));
    a->log_sum_exp = take_layer(c, m, full, shared->log_sum_exp, s->heads, sizeof(float));
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Three take turns in one place: logits (until the head's backward pass has read them), d_qkv
 * inside of an attention branch, d_gate_up and d_gated inside of a feed-forward. */
static void place_gradients_of_activations(struct model *m, struct cursor *c)
{
    const struct model_shape *s = &m->shape;
    size_t rows = m->rows, size = m->device->element_bytes, ffn = s->ffn;
    m->d_stream = take(c, rows * s->hidden, size);
    m->d_branch = take(c, rows * s->hidden, size);
    size_t begin = c->used, end;
    m->d_gate_up = take(c, rows * 2 * ffn, size);
    m->d_gated = take(c, rows * ffn, size);
    end = c->used;
    c->used = begin;
    m->logits = take(c, rows * s->vocabulary, size);
    end = larger(end, c->used);
    c->used = begin;
    m->d_qkv = take(c, rows * m->qkv_width, size);
    c->used = larger(end, c->used);
}

static void place_all(struct model *m, struct cursor *c)
{
    const struct model_shape *s = &m->shape;
    size_t rows = m->rows, size = m->device->element_bytes;
    size_t angles = (size_t)s->sequence_length * (s->hidden / s->heads / 2);
    m->cosine = take(c, angles, sizeof(float));
    m->sine = take(c, angles, sizeof(float));
    m->inputs = take(c, rows, sizeof(int32_t));
    m->targets = take(c, rows, sizeof(int32_t));
    place_gradients_of_activations(m, c);
    /* No gradient flows in a forward pass. */
    const struct layer_activations elsewhere = {
        .attention_norm = m->d_branch, .ffn_norm = m->d_branch, .gated = m->d_gated};
    for (int l = 0; l < s->layers; l++)
        place_layer(&m->activations[l], l ? &m->activations[0] : &elsewhere, m, c);
    m->output = take(c, rows * s->hidden, size);
    m->output_norm = take(c, rows * s->hidden, size);
    m->output_inverse = take(c, rows, sizeof(float));
    m->branch = take(c, rows * s->hidden, size);
    m->losses = take(c, rows, sizeof(float));
    m->loss_sum = take(c, 2, sizeof(double));
}

/* Angles in double, rounded once. */
static void fill_rotations(struct model *m)
{
    int half = m->shape.hidden / m->shape.heads / 2;
    size_t n = (size_t)m->shape.sequence_length * half;
    float *cosine = memory_alloc(n * sizeof *cosine), *sine = memory_alloc(n * sizeof *sine);
    for (size_t i = 0; i < n; i++) {
        double turn = pow(m->shape.rope_theta, -(double)(i % half) / half);
        double angle = (double)(i / half) * turn;
        cosine[i] = (float)cos(angle);
        sine[i] = (float)sin(angle);
    }
    m->device->operations->upload(m->device, m->cosine, cosine, n * sizeof *cosine);
    m->device->operations->upload(m->device, m->sine, sine, n * sizeof *sine);
    free(cosine);
    free(sine);
}

static size_t largest_bucket(const struct model *m)
{
    size_t largest = 0;
    for (int b = 1; b < m->n_buckets; b++)
        largest = m->buckets[b].n > largest ? m->buckets[b].n : largest;
    return largest;
}

/* Each bucket in its place of the flat array; or, passing, the first in a place of its own and
 * the others in turn in two that the largest of them fits. */
static void place_gradients(struct model *m, bool passing)
{
    size_t first = m->buckets[0].n, largest = largest_bucket(m);
    for (int b = 0; b < m->n_buckets; b++) {
        size_t turn = b ? first + (size_t)(b % 2) * largest : 0;
        m->buckets[b].gradient = m->gradients + (passing ? turn : m->buckets[b].begin);
    }
}

static size_t gradients_of(const struct model *m, bool passing)
{
    return passing ? m->buckets[0].n + 2 * largest_bucket(m) : m->n_weights;
}

static int take_gradients(struct model *m, bool passing, struct err *err)
{
    m->n_gradients = gradients_of(m, passing);
    if (m->device->operations->alloc(m->device, (void **)&m->gradients,
                                     m->n_gradients * sizeof(float), err) < 0)
        return err_prefix(err, "gradients");
    place_gradients(m, passing);
    return 0;
}

static size_t arena_of(struct model *m)
{
    struct cursor cursor = {.base = NOWHERE};
    m->activations = memory_alloc(m->shape.layers * sizeof *m->activations);
    place_all(m, &cursor);
    return cursor.used;
}

int model_take_memory(struct model *m, bool passing, struct err *err)
{
    const struct device_operations *o = m->device->operations;
    m->arena_bytes = arena_of(m);
    if (o->alloc(m->device, &m->weights, m->n_weights * m->device->element_bytes, err) < 0)
        return err_prefix(err, "weights");
    if (take_gradients(m, passing, err) < 0)
        return -1;
    if (o->alloc(m->device, &m->arena, m->arena_bytes, err) < 0)
        return err_prefix(err, "activations");
    struct cursor cursor = {.base = (uintptr_t)m->arena};
    place_all(m, &cursor);
    fill_rotations(m);
    return 0;
}

void model_return_memory(struct model *m)
{
    const struct device_operations *o = m->device->operations;
    o->release(m->device, m->weights);
    o->release(m->device, m->gradients);
    o->release(m->device, m->arena);
    free(m->activations);
}

/* Products write rows of a width, or fp32 gradients of a weight that has it and the hidden one. */
static size_t largest_product(const struct model *m)
{
    const struct model_shape *s = &m->shape;
    size_t hidden = s->hidden, widest = larger(s->vocabulary, 2 * (size_t)s->ffn);
    widest = larger(widest, larger(m->qkv_width, hidden));
    return widest * larger(m->rows * m->device->element_bytes, hidden * sizeof(float));
}

int model_measure(struct model_memory *out, const struct model_shape *shape, struct device *device,
                  bool passing, struct err *err)
{
    if (model_shape_check(shape, err) < 0)
        return -1;
    struct model m = {.device = device};
    model_describe(&m, shape);
    *out = (struct model_memory){
        .elements = model_elements(&m),
        .n_weights = m.n_weights,
        .largest = model_largest_tensor(&m),
        .n_gradients = gradients_of(&m, passing),
        .arena_bytes = arena_of(&m),
        .largest_product = largest_product(&m),
    };
    free(m.activations);
    model_forget(&m);
    return 0;
}
