#include "trainer/model/lora.h"

#include "trainer/model/model.h"

const char *const lora_target_names[LORA_TARGETS] = {
    [LORA_Q] = "q_proj",       [LORA_K] = "k_proj",   [LORA_V] = "v_proj",
    [LORA_GATE] = "gate_proj", [LORA_UP] = "up_proj",
};

/* What of a step's counters is the same in a whole pass. */
static uint64_t pass_key(const struct model *m, const struct adapter *a)
{
    return device_mix(device_mix(m->dropout_seed ^ device_mix(m->dropout_step)) ^ a->key);
}

static float scale_of(const struct model *m)
{
    return (float)(m->shape.lora.alpha / m->shape.lora.r);
}

static const void *adapter_weight(const struct model *m, size_t offset)
{
    const struct bucket *b = &m->buckets[m->adapter_bucket];
    return device_at(m->device, b->weights, offset - b->begin);
}

static void drop(struct model *m, const struct linear *l, const struct adapter *a, void *to,
                 const void *x, bool add)
{
    const struct dropout dropout = {
        .rows = m->rows,
        .width = l->in,
        .key = pass_key(m, a),
        .first_row = m->dropout_row,
        .keep = (float)(1 - m->shape.lora.dropout),
        .add = add,
        .x = x,
        .to = to,
    };
    m->device->operations->dropout(m->device, &dropout);
}

/* drop(x): x itself where nothing is dropped, or m->dropped. */
static const void *dropped(struct model *m, const struct linear *l, const struct adapter *a,
                           const void *x)
{
    if (m->shape.lora.dropout == 0)
        return x;
    drop(m, l, a, m->dropped, x, false);
    return m->dropped;
}

/* m->thin[rows, r] = x A^T */
static void thin_of(struct model *m, const struct linear *l, const struct adapter *a, const void *x)
{
    const struct matrix_product product = {
        .transpose_b = true,
        .m = m->rows,
        .n = m->shape.lora.r,
        .k = l->in,
        .alpha = 1,
        .a = x,
        .b = adapter_weight(m, a->a),
        .c = m->thin,
    };
    m->device->operations->multiply(m->device, &product);
}

/* Of adapter i of a linear layer. */
static void *d_thin_at(const struct model *m, int i)
{
    return device_at(m->device, m->d_thin, (size_t)i * m->rows * m->shape.lora.r);
}

/* d_thin[rows, r] = scale * dy B */
static void d_thin_of(struct model *m, const struct linear *l, int i, const void *dy)
{
    const struct adapter *a = &l->adapters[i];
    const struct matrix_product product = {
        .m = m->rows,
        .n = m->shape.lora.r,
        .k = a->out,
        .alpha = scale_of(m),
        .a = device_at(m->device, dy, (size_t)a->first),
        .lda = l->out,
        .b = adapter_weight(m, a->b),
        .c = d_thin_at(m, i),
    };
    m->device->operations->multiply(m->device, &product);
}

void lora_forward(struct model *m, const struct linear *l, void *y, const void *x)
{
    for (int i = 0; i < l->n_adapters; i++) {
        const struct adapter *a = &l->adapters[i];
        thin_of(m, l, a, dropped(m, l, a, x));
        const struct matrix_product product = {
            .transpose_b = true,
            .m = m->rows,
            .n = a->out,
            .k = m->shape.lora.r,
            .alpha = scale_of(m),
            .beta = 1,
            .a = m->thin,
            .b = adapter_weight(m, a->b),
            .c = device_at(m->device, y, (size_t)a->first),
            .ldc = l->out,
        };
        m->device->operations->multiply(m->device, &product);
    }
}

/* dx += drop'(d_thin A), of which what was dropped has none. */
void lora_into_input(struct model *m, const struct linear *l, void *dx, const void *dy)
{
    bool drops = m->shape.lora.dropout > 0;
    for (int i = 0; i < l->n_adapters; i++) {
        const struct adapter *a = &l->adapters[i];
        d_thin_of(m, l, i, dy);
        const struct matrix_product product = {
            .m = m->rows,
            .n = l->in,
            .k = m->shape.lora.r,
            .alpha = 1,
            .beta = drops ? 0 : 1,
            .a = d_thin_at(m, i),
            .b = adapter_weight(m, a->a),
            .c = drops ? m->dropped : dx,
        };
        m->device->operations->multiply(m->device, &product);
        if (drops)
            drop(m, l, a, dx, m->dropped, true);
    }
}

/* dW[m, n] += a^T b */
static void into_matrix(struct model *m, size_t offset, int rows, int width, float alpha,
                        const void *a, int lda, const void *b)
{
    struct bucket *bucket = &m->buckets[m->adapter_bucket];
    const struct matrix_product product = {
        .transpose_a = true,
        .m = rows,
        .n = width,
        .k = m->rows,
        .alpha = alpha,
        .beta = bucket->fresh ? 0 : 1,
        .a = a,
        .lda = lda,
        .b = b,
        .c = bucket_gradient(bucket, offset),
        .c_fp32 = true,
    };
    m->device->operations->multiply(m->device, &product);
}

void lora_into_weights(struct model *m, const struct linear *l, const void *dy, const void *x)
{
    int r = m->shape.lora.r;
    for (int i = 0; i < l->n_adapters; i++) {
        const struct adapter *a = &l->adapters[i];
        const void *kept = dropped(m, l, a, x);
        thin_of(m, l, a, kept);
        into_matrix(m, a->b, a->out, r, scale_of(m), device_at(m->device, dy, (size_t)a->first),
                    l->out, m->thin);
        into_matrix(m, a->a, r, l->in, 1, d_thin_at(m, i), 0, kept);
    }
}
