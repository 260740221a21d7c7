#include "trainer/model/block.h"

#include "trainer/model/model.h"

/* ---- a norm at the head of a branch --------------------------------------------------------- */

void norm_pass(struct model *m, const struct norm_place *at, const void *branch, const void *stream)
{
    const struct norm_forward norm = {
        .rows = m->own_rows,
        .width = m->shape.hidden,
        .eps = m->shape.norm_eps,
        .x = branch,
        .residual = stream,
        .weight = weight_at(m, at->weight),
        .sum = at->sum,
        .y = at->normed,
        .inverse_rms = at->inverse,
    };
    model_operations(m)->norm_forward(m->device, &norm);
}

void norm_return(struct model *m, const struct norm_place *at, const void *past, void *again)
{
    const struct norm_backward norm = {
        .rows = m->own_rows,
        .width = m->shape.hidden,
        .sum = at->sum,
        .weight = weight_at(m, at->weight),
        .dy = m->d_branch,
        .d_stream = past,
        .inverse_rms = at->inverse,
        .ds = m->d_stream,
        .d_weight = m->adapter_bucket >= 0 ? NULL : gradient_at(m, at->weight), /* frozen */
        .y_again = again,
    };
    model_operations(m)->norm_backward(m->device, &norm);
}

static struct norm_place norm_of(const struct block *b, const struct block_activations *a)
{
    return (struct norm_place){b->norm, a->sum, a->normed, a->inverse};
}

/* ---- attention ------------------------------------------------------------------------------ */

/* Where the rows of this pass are among those of their sequence, which attention keeps. */
static void *rows_of_pass(const struct model *m, const struct block *b, void *sequence,
                          size_t width)
{
    size_t first = b->kind == BLOCK_ATTENTION ? (size_t)m->first : 0;
    return device_at(m->device, sequence, first * width);
}

static struct attention_shape attention_shape(const struct model *m)
{
    return (struct attention_shape){
        .batch = m->shape.micro_batch,
        .length = m->length,
        .heads = m->heads,
        .kv_heads = m->kv_heads,
        .head_width = m->shape.hidden / m->shape.heads,
        .slopes = m->slopes,
    };
}

static struct rotation rotation(const struct model *m, void *qkv)
{
    size_t angles = m->cosine ? (size_t)m->first * (m->shape.hidden / m->shape.heads / 2) : 0;
    return (struct rotation){
        .shape = attention_shape(m),
        .cosine = m->cosine ? m->cosine + angles : NULL,
        .sine = m->sine ? m->sine + angles : NULL,
        .qkv = qkv,
    };
}

static void attention_forward(struct model *m, const struct block *b,
                              const struct block_activations *a)
{
    const struct rotation turn = rotation(m, rows_of_pass(m, b, a->wide, b->into.out));
    struct attention_forward attend = {
        .shape = attention_shape(m), .qkv = a->wide, .y = a->narrow, .log_sum_exp = a->log_sum_exp};
    /* Rows behind the pass's own are seen by none of them. */
    int step = MODEL_ROWS_STEP, all = (m->first + m->length + step - 1) / step * step;
    attend.shape.length = m->first == 0                    ? m->length
                          : all < m->shape.sequence_length ? all
                                                           : m->shape.sequence_length;
    if (m->cosine)
        model_operations(m)->rotate_forward(m->device, &turn);
    model_operations(m)->attend_forward(m->device, &attend);
}

static const void *attention_backward(struct model *m, const struct block *b,
                                      const struct block_activations *a,
                                      const struct block_gradients *d)
{
    (void)b;
    const struct rotation turn = rotation(m, d->wide);
    const struct attention_backward attend = {
        .shape = attention_shape(m),
        .qkv = a->wide,
        .y = a->narrow,
        .dy = d->narrow,
        .log_sum_exp = a->log_sum_exp,
        .d_qkv = d->wide,
    };
    model_operations(m)->attend_backward(m->device, &attend);
    if (m->cosine)
        model_operations(m)->rotate_backward(m->device, &turn);
    return a->narrow;
}

/* ---- feed-forward --------------------------------------------------------------------------- */

static void swiglu_forward(struct model *m, const struct block *b,
                           const struct block_activations *a)
{
    model_operations(m)->swiglu_forward(m->device, a->narrow, a->wide, m->rows, b->out.in);
}

/* Are its own weights trained? Where they are not, backward reads none of what went into them. */
static bool learns(const struct model *m)
{
    return m->adapter_bucket < 0;
}

/* What was not kept is written over the gradient that has just been read. */
static const void *swiglu_backward(struct model *m, const struct block *b,
                                   const struct block_activations *a,
                                   const struct block_gradients *d)
{
    void *again = m->shape.recompute == RECOMPUTE_NONE || !learns(m) ? NULL : d->narrow;
    const struct swiglu_backward gate = {
        .rows = m->rows,
        .width = b->out.in,
        .gate_up = a->wide,
        .dy = d->narrow,
        .d_gate_up = d->wide,
        .y_again = again,
    };
    model_operations(m)->swiglu_backward(m->device, &gate);
    return again ? again : a->narrow;
}

/* ---- a block of any kind -------------------------------------------------------------------- */

/* Between the two linear layers. Backward fills d->wide from d->narrow, and returns where narrow
 * is. */
static const struct block_core {
    void (*forward)(struct model *m, const struct block *b, const struct block_activations *a);
    const void *(*backward)(struct model *m, const struct block *b,
                            const struct block_activations *a, const struct block_gradients *d);
} cores[BLOCK_KINDS] = {
    [BLOCK_ATTENTION] = {attention_forward, attention_backward},
    [BLOCK_FFN] = {swiglu_forward, swiglu_backward},
};

/* From the normed rows on. */
static void branch_forward(struct model *m, const struct block *b,
                           const struct block_activations *a)
{
    linear_forward(m, &b->into, &a->kept, rows_of_pass(m, b, a->wide, b->into.out), a->normed);
    cores[b->kind].forward(m, b, a);
    linear_forward(m, &b->out, NULL, m->branch, rows_of_pass(m, b, a->narrow, b->out.in));
}

void block_forward(struct model *m, const struct block *b, const struct block_activations *a,
                   const void *stream)
{
    const struct norm_place norm = norm_of(b, a);
    norm_pass(m, &norm, m->branch, stream);
    branch_forward(m, b, a);
}

/* Does nothing that is trained lie before it? */
static bool ends_gradients(const struct model *m, const struct block *b)
{
    return m->shape.lora.r > 0 && m->chunks[0].embeds && b == &m->blocks[0];
}

/* Does a gradient need the normed rows: of weights, or of adapters beside them? */
static bool has_readers(const struct model *m)
{
    return learns(m) || m->shape.lora.r > 0;
}

/* Into the normed rows, which are made once more where they were not kept. */
static void norm_and_into_backward(struct model *m, const struct block *b,
                                   const struct block_activations *a, const void *wide)
{
    const struct norm_place norm = norm_of(b, a);
    if (m->shape.recompute == RECOMPUTE_NONE && ends_gradients(m, b)) {
        lora_begin_backward(m, &b->into, wide);
        linear_into_weight(m, &b->into, &a->kept, wide, a->normed);
        return;
    }
    if (m->shape.recompute == RECOMPUTE_NONE || !has_readers(m)) {
        linear_backward(m, &b->into, &a->kept, m->d_branch, wide, a->normed);
        norm_return(m, &norm, m->d_stream, NULL);
        return;
    }
    linear_into_input(m, &b->into, &a->kept, m->d_branch, wide);
    norm_return(m, &norm, m->d_stream, m->d_branch);
    linear_into_weight(m, &b->into, &a->kept, wide, m->d_branch);
}

/* Line by line the forward pass undone, last line first. */
void block_backward(struct model *m, const struct block *b, const struct block_activations *a)
{
    const struct block_gradients *d = &m->d_blocks[b->kind];
    linear_into_input(m, &b->out, NULL, d->narrow, m->d_stream);
    linear_into_weight(m, &b->out, NULL, m->d_stream, cores[b->kind].backward(m, b, a, d));
    norm_and_into_backward(m, b, a, d->wide);
}

void layer_restore(struct model *m, const struct block b[2], const struct block_activations a[2])
{
    const struct norm_place first = norm_of(&b[0], &a[0]), second = norm_of(&b[1], &a[1]);
    const void *stream = a[0].sum;
    tail_leave(m);
    norm_pass(m, &first, stream, NULL);
    branch_forward(m, &b[0], &a[0]);
    if (tail_begins(m, &b[1]))
        stream = tail_gather(m, stream);
    norm_pass(m, &second, m->branch, stream);
    linear_forward(m, &b[1].into, &a[1].kept, a[1].wide, a[1].normed);
}
