/*
 * The passes of model.h. Each backward function stands behind its forward function and undoes it
 * line by line, last line first.
 *
 * The residual stream is never written by a branch directly. A branch (attention or feed-forward)
 * leaves its result in `branch`, and the next norm adds it to the stream as it reads both; so each
 * half of a layer is   norm(stream += branch) -> products -> branch.   Backward, the gradient of
 * the stream, d_stream, flows past each norm and gathers what comes out of it.
 */
#include "trainer/model/model.h"

#include "base/arena.h"
#include "trainer/model/model_memory.h"
#include "trainer/model/model_parameters.h"

#include <stdlib.h>

static const struct device_operations *operations(const struct model *m)
{
    return m->device->operations;
}

static void *weight(const struct model *m, size_t offset)
{
    return device_at(m->device, m->weights, offset);
}

/* Of a weight in the bucket that the backward pass is at. */
static float *gradient(const struct model *m, size_t offset)
{
    return bucket_gradient(&m->buckets[m->bucket], offset);
}

/* ---- a linear layer: y[rows, out] = x[rows, in] W^T, W[out, in] ----------------------------- */

static void linear_forward(struct model *m, void *y, const void *x, size_t w, int in, int out)
{
    const struct matrix_product product = {
        .transpose_b = true,
        .m = m->rows,
        .n = out,
        .k = in,
        .alpha = 1,
        .a = x,
        .b = weight(m, w),
        .c = y,
    };
    operations(m)->multiply(m->device, &product);
}

/* dx = dy W */
static void linear_into_input(struct model *m, void *dx, const void *dy, size_t w, int in, int out)
{
    const struct matrix_product into_x = {
        .m = m->rows,
        .n = in,
        .k = out,
        .alpha = 1,
        .a = dy,
        .b = weight(m, w),
        .c = dx,
    };
    operations(m)->multiply(m->device, &into_x);
}

/* dW += dy^T x */
static void linear_into_weight(struct model *m, const void *dy, const void *x, size_t w, int in,
                               int out)
{
    const struct matrix_product into_weight = {
        .transpose_a = true,
        .m = out,
        .n = in,
        .k = m->rows,
        .alpha = 1,
        .beta = m->fresh ? 0 : 1,
        .a = dy,
        .b = x,
        .c = gradient(m, w),
        .c_fp32 = true,
    };
    operations(m)->multiply(m->device, &into_weight);
}

/* ---- a norm at the head of a branch -------------------------------------------------------- */

/* y = norm(stream + branch); sum keeps stream + branch, the stream from here on. */
static void norm_forward(struct model *m, void *y, void *sum, float *inverse, const void *branch,
                         const void *stream, size_t w)
{
    const struct norm_forward norm = {
        .rows = m->rows,
        .width = m->shape.hidden,
        .eps = m->shape.norm_eps,
        .x = branch,
        .residual = stream,
        .weight = weight(m, w),
        .sum = sum,
        .y = y,
        .inverse_rms = inverse,
    };
    operations(m)->norm_forward(m->device, &norm);
}

/* d_stream = past + what d_branch, the gradient of the normed rows, becomes before the norm;
 * past is d_stream itself, or NULL where no stream flows past the norm. `again`: the normed rows
 * once more, or NULL. */
static void norm_backward(struct model *m, const void *past, const void *sum, const float *inverse,
                          size_t w, void *again)
{
    const struct norm_backward norm = {
        .rows = m->rows,
        .width = m->shape.hidden,
        .sum = sum,
        .weight = weight(m, w),
        .dy = m->d_branch,
        .d_stream = past,
        .inverse_rms = inverse,
        .ds = m->d_stream,
        .d_weight = gradient(m, w),
        .y_again = again,
    };
    operations(m)->norm_backward(m->device, &norm);
}

/* Where the backward pass writes an activation that was not kept: over the gradient that it has
 * just read. NULL where all are kept. */
static void *again_in(const struct model *m, void *gradient)
{
    return m->shape.recompute == RECOMPUTE_NONE ? NULL : gradient;
}

/* ---- attention ----------------------------------------------------------------------------- */

static struct attention_shape attention_shape(const struct model *m)
{
    return (struct attention_shape){
        .batch = m->shape.micro_batch,
        .length = m->shape.sequence_length,
        .heads = m->shape.heads,
        .kv_heads = m->shape.kv_heads,
        .head_width = m->shape.hidden / m->shape.heads,
    };
}

static struct rotation rotation(const struct model *m, void *qkv)
{
    return (struct rotation){
        .shape = attention_shape(m),
        .cosine = m->cosine,
        .sine = m->sine,
        .qkv = qkv,
    };
}

/* From the normed rows on; leaves its result in branch. */
static void attention_branch(struct model *m, const struct layer_activations *a,
                             const struct layer_offsets *w)
{
    int hidden = m->shape.hidden;
    const struct rotation turn = rotation(m, a->qkv);
    const struct attention_forward attend = {
        .shape = attention_shape(m),
        .qkv = a->qkv,
        .y = a->attended,
        .log_sum_exp = a->log_sum_exp,
    };
    linear_forward(m, a->qkv, a->attention_norm, w->qkv, hidden, m->qkv_width);
    operations(m)->rotate_forward(m->device, &turn);
    operations(m)->attend_forward(m->device, &attend);
    linear_forward(m, m->branch, a->attended, w->attention_out, hidden, hidden);
}

static void attention_forward(struct model *m, const struct layer_activations *a,
                              const struct layer_offsets *w, const void *stream)
{
    norm_forward(m, a->attention_norm, a->input, a->attention_inverse, m->branch, stream,
                 w->attention_norm);
    attention_branch(m, a, w);
}

static void attention_backward(struct model *m, const struct layer_activations *a,
                               const struct layer_offsets *w)
{
    int hidden = m->shape.hidden;
    const struct rotation turn = rotation(m, m->d_qkv);
    const struct attention_backward attend = {
        .shape = attention_shape(m),
        .qkv = a->qkv,
        .y = a->attended,
        .dy = m->d_branch,
        .log_sum_exp = a->log_sum_exp,
        .d_qkv = m->d_qkv,
    };
    void *again = again_in(m, m->d_branch);
    linear_into_input(m, m->d_branch, m->d_stream, w->attention_out, hidden, hidden);
    linear_into_weight(m, m->d_stream, a->attended, w->attention_out, hidden, hidden);
    operations(m)->attend_backward(m->device, &attend);
    operations(m)->rotate_backward(m->device, &turn);
    linear_into_input(m, m->d_branch, m->d_qkv, w->qkv, hidden, m->qkv_width);
    norm_backward(m, m->d_stream, a->input, a->attention_inverse, w->attention_norm, again);
    linear_into_weight(m, m->d_qkv, again ? again : a->attention_norm, w->qkv, hidden,
                       m->qkv_width);
}

/* ---- feed-forward -------------------------------------------------------------------------- */

static void ffn_gate_up(struct model *m, const struct layer_activations *a,
                        const struct layer_offsets *w)
{
    int hidden = m->shape.hidden, ffn = m->shape.ffn;
    norm_forward(m, a->ffn_norm, a->middle, a->ffn_inverse, m->branch, a->input, w->ffn_norm);
    linear_forward(m, a->gate_up, a->ffn_norm, w->gate_up, hidden, 2 * ffn);
}

static void ffn_forward(struct model *m, const struct layer_activations *a,
                        const struct layer_offsets *w)
{
    ffn_gate_up(m, a, w);
    operations(m)->swiglu_forward(m->device, a->gated, a->gate_up, m->rows, m->shape.ffn);
    linear_forward(m, m->branch, a->gated, w->ffn_down, m->shape.ffn, m->shape.hidden);
}

static void ffn_backward(struct model *m, const struct layer_activations *a,
                         const struct layer_offsets *w)
{
    int hidden = m->shape.hidden, ffn = m->shape.ffn;
    void *gated = again_in(m, m->d_gated), *normed = again_in(m, m->d_branch);
    const struct swiglu_backward gate = {
        .rows = m->rows,
        .width = ffn,
        .gate_up = a->gate_up,
        .dy = m->d_gated,
        .d_gate_up = m->d_gate_up,
        .y_again = gated,
    };
    linear_into_input(m, m->d_gated, m->d_stream, w->ffn_down, ffn, hidden);
    operations(m)->swiglu_backward(m->device, &gate);
    linear_into_weight(m, m->d_stream, gated ? gated : a->gated, w->ffn_down, ffn, hidden);
    linear_into_input(m, m->d_branch, m->d_gate_up, w->gate_up, hidden, 2 * ffn);
    norm_backward(m, m->d_stream, a->middle, a->ffn_inverse, w->ffn_norm, normed);
    linear_into_weight(m, m->d_gate_up, normed ? normed : a->ffn_norm, w->gate_up, hidden, 2 * ffn);
}

/* ---- what was not kept ---------------------------------------------------------------------- */

/* Before the backward pass of a layer of which only the input was kept: what the passes of its
 * branches read. The same rows normed again: a norm with nothing to add leaves its sum as it is. */
static void layer_restore(struct model *m, const struct layer_activations *a,
                          const struct layer_offsets *w)
{
    if (m->shape.recompute != RECOMPUTE_FULL)
        return;
    norm_forward(m, a->attention_norm, a->input, a->attention_inverse, a->input, NULL,
                 w->attention_norm);
    attention_branch(m, a, w);
    ffn_gate_up(m, a, w);
}

/* ---- the passes ---------------------------------------------------------------------------- */

static void want_bucket(struct model *m, int bucket)
{
    if (m->bucket_wanted)
        m->bucket_wanted(m->context, bucket);
}

void model_forward(struct model *m, const int32_t *inputs)
{
    operations(m)->upload(m->device, m->inputs, inputs, m->rows * sizeof *inputs);
    want_bucket(m, 0);
    operations(m)->embed_forward(m->device, m->branch, m->inputs, weight(m, m->embedding), m->rows,
                                 m->shape.hidden);
    const void *stream = NULL; /* the embedding is the first to be added to it */
    for (int l = 0; l < m->shape.layers; l++) {
        want_bucket(m, l + 1);
        attention_forward(m, &m->activations[l], &m->offsets[l], stream);
        ffn_forward(m, &m->activations[l], &m->offsets[l]);
        stream = m->activations[l].middle;
    }
    want_bucket(m, m->n_buckets - 1);
    norm_forward(m, m->output_norm, m->output, m->output_inverse, m->branch, stream, m->final_norm);
    linear_forward(m, m->logits, m->output_norm, m->head, m->shape.hidden, m->shape.vocabulary);
}

void model_loss(struct model *m, const int32_t *targets, float token_weight)
{
    const struct cross_entropy loss = {
        .rows = m->rows,
        .vocabulary = m->shape.vocabulary,
        .scale = token_weight,
        .logits = m->logits,
        .targets = m->targets,
        .losses = m->losses,
    };
    operations(m)->upload(m->device, m->targets, targets, m->rows * sizeof *targets);
    operations(m)->cross_entropy(m->device, &loss);
    operations(m)->add_sum(m->device, m->loss_sum, m->losses, m->rows);
}

/* What is only ever added to begins at zero: vectors, padding, and an embedding that is no head. */
static void bucket_clear(struct model *m, const struct bucket *b)
{
    size_t clean = b->begin; /* up to here, nothing is left to clear */
    for (size_t i = 0; i < m->n_parameters; i++) {
        const struct parameter *p = &m->parameters[i];
        bool added_to = p->is_vector || (p->offset == m->embedding && !m->shape.tied);
        size_t n = p->rows * p->width;
        if (p->offset < b->begin || p->offset >= b->begin + b->n)
            continue;
        if (added_to)
            operations(m)->zero(m->device, bucket_gradient(b, p->offset), n * sizeof(float));
        clean = p->offset + n;
    }
    operations(m)->zero(m->device, bucket_gradient(b, clean),
                        (b->begin + b->n - clean) * sizeof(float));
}

static void bucket_begin(struct model *m, int bucket)
{
    m->bucket = bucket;
    if (m->fresh)
        bucket_clear(m, &m->buckets[bucket]);
}

static void bucket_end(struct model *m)
{
    if (m->bucket_ready)
        m->bucket_ready(m->context, m->bucket);
}

static void head_backward(struct model *m)
{
    bucket_begin(m, m->shape.tied ? 0 : m->n_buckets - 1);
    linear_into_input(m, m->d_branch, m->logits, m->head, m->shape.hidden, m->shape.vocabulary);
    linear_into_weight(m, m->logits, m->output_norm, m->head, m->shape.hidden, m->shape.vocabulary);
    if (m->shape.tied)
        bucket_begin(m, m->n_buckets - 1);
    norm_backward(m, NULL, m->output, m->output_inverse, m->final_norm, NULL);
    bucket_end(m);
}

void model_backward(struct model *m)
{
    head_backward(m);
    for (int l = m->shape.layers - 1; l >= 0; l--) {
        layer_restore(m, &m->activations[l], &m->offsets[l]);
        bucket_begin(m, l + 1);
        ffn_backward(m, &m->activations[l], &m->offsets[l]);
        attention_backward(m, &m->activations[l], &m->offsets[l]);
        bucket_end(m);
    }
    m->bucket = 0;
    if (!m->shape.tied) /* else the head has begun it */
        bucket_begin(m, 0);
    operations(m)->embed_backward(m->device, gradient(m, m->embedding), m->inputs, m->d_stream,
                                  m->rows, m->shape.hidden);
    bucket_end(m);
    m->fresh = false;
}

void model_zero_gradients(struct model *m)
{
    operations(m)->zero(m->device, m->loss_sum, sizeof *m->loss_sum);
    m->fresh = true;
}

/* ---- birth and death ----------------------------------------------------------------------- */

static int new_model(struct model **out, const struct model_shape *shape, struct device *device,
                     bool passing, struct err *err)
{
    if (model_shape_check(shape, err) < 0)
        return -1;
    struct model *m = memory_alloc(sizeof *m);
    m->device = device;
    model_describe(m, shape);
    if (model_take_memory(m, passing, err) < 0) {
        model_free(m);
        return -1;
    }
    *out = m;
    return 0;
}

int model_new(struct model **out, const struct model_shape *shape, struct device *device,
              struct err *err)
{
    return new_model(out, shape, device, false, err);
}

int model_new_passing(struct model **out, const struct model_shape *shape, struct device *device,
                      struct err *err)
{
    return new_model(out, shape, device, true, err);
}

size_t model_largest_tensor(const struct model *m)
{
    size_t largest = 0;
    for (size_t i = 0; i < m->n_parameters; i++) {
        size_t n = m->parameters[i].rows * m->parameters[i].width;
        largest = n > largest ? n : largest;
    }
    return largest;
}

size_t model_elements(const struct model *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_parameters; i++)
        n += m->parameters[i].rows * m->parameters[i].width;
    return n;
}

void model_free(struct model *m)
{
    if (!m)
        return;
    model_return_memory(m);
    model_forget(m);
    free(m);
}
