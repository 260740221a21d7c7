/*
 * Attention by matrix products, some query heads at a time: all their scores are written out,
 * [heads, length, length] in fp32. They are those of one key and value head, or, where each query
 * head has its own, as many as SCORES_AT_A_TIME has room for: products of one short head each leave
 * most of a GPU idle.
 *
 * Keys ahead of a query count for nothing, so that products of long sequences are made in two
 * parts, of which the first leaves them out: a quarter less to do. Four would leave most of a GPU
 * idle.
 */
#include "trainer/device/cuda/cuda.h"

#include <math.h>

/* 64 MiB in fp32, which with what belongs to them is four times that. */
#define SCORES_AT_A_TIME ((size_t)1 << 24)

/* Where the parts of the scratch lie, for `heads_at_once` heads. */
struct plain_scratch {
    float *scores, *d_scores, *delta;
    void *p, *ds;
};

static int group_of(const struct attention_shape *s)
{
    return s->heads / s->kv_heads;
}

/* Key heads whose query heads are computed together: a divisor of them. */
static int keys_at_once(const struct attention_shape *s)
{
    int n = group_of(s) == 1 ? s->kv_heads : 1;
    while (n > 1 && (s->kv_heads % n || (size_t)n * s->length * s->length > SCORES_AT_A_TIME))
        n--;
    return n;
}

static int plain_heads_at_once(const struct attention_shape *s)
{
    return keys_at_once(s) * group_of(s);
}

/* Between the key heads of two query heads of one product: 0, they share it. */
static size_t key_stride(const struct attention_shape *s)
{
    return group_of(s) == 1 ? (size_t)s->head_width : 0;
}

static int packed_width(const struct attention_shape *s)
{
    return (s->heads + 2 * s->kv_heads) * s->head_width;
}

size_t attention_plain_score_bytes(const struct attention_shape *s)
{
    return (size_t)plain_heads_at_once(s) * s->length * s->length * sizeof(float);
}

size_t attention_plain_bytes(const struct cuda *c, const struct attention_shape *s)
{
    size_t cells = (size_t)plain_heads_at_once(s) * s->length * s->length,
           size = c->device.element_bytes;
    size_t rows = (size_t)s->batch * s->heads * s->length;
    return cells * 2 * (sizeof(float) + size) + rows * sizeof(float);
}

static bool scratch_take(struct cuda *c, const struct attention_shape *s, struct plain_scratch *out)
{
    size_t cells = (size_t)plain_heads_at_once(s) * s->length * s->length;
    if (!cuda_scores_take(c, attention_plain_bytes(c, s)))
        return false;
    out->scores = c->scores;
    out->d_scores = out->scores + cells;
    out->p = out->d_scores + cells;
    out->ds = device_at(&c->device, out->p, cells);
    out->delta = (float *)device_at(&c->device, out->ds, cells);
    return true;
}

/* The packed rows of one sequence: first query head of the group, its key head, its value head. */
struct places {
    size_t q, k, v, y; /* in elements */
    size_t row;        /* of log_sum_exp and delta */
};

static struct places places_of(const struct attention_shape *s, int sequence, int kv)
{
    size_t first = (size_t)sequence * s->length, packed = first * packed_width(s);
    size_t head = (size_t)kv * group_of(s);
    return (struct places){
        .q = packed + head * s->head_width,
        .k = packed + (size_t)(s->heads + kv) * s->head_width,
        .v = packed + (size_t)(s->heads + s->kv_heads + kv) * s->head_width,
        .y = (first * s->heads + head) * s->head_width,
        .row = ((size_t)sequence * s->heads + head) * s->length,
    };
}

/* Where products are divided; the length where they are not. */
static int first_part(const struct attention_shape *s)
{
    return s->length < 64 ? s->length : s->length / 16 * 8;
}

/* scores[head] = alpha * a_head b_head^T up to the diagonal; what lies behind it is nobody's.
 * b_stride 0: all heads share b */
static void cuda_rows_by_rows(struct cuda *c, const struct attention_shape *s, float alpha,
                              const void *a, int lda, const void *b, int ldb, size_t b_stride,
                              float *scores)
{
    for (int first = 0, end; first < s->length; first = end) {
        end = first == 0 ? first_part(s) : s->length;
        const struct matrix_product product = {
            .transpose_b = true,
            .m = end - first,
            .n = end,
            .k = s->head_width,
            .alpha = alpha,
            .a = device_at(&c->device, a, (size_t)first * lda),
            .b = b,
            .c = scores + (size_t)first * s->length,
            .c_fp32 = true,
            .lda = lda,
            .ldb = ldb,
            .ldc = s->length,
            .batch = plain_heads_at_once(s),
            .stride_a = s->head_width,
            .stride_b = b_stride,
            .stride_c = (size_t)s->length * s->length,
        };
        cuda_multiply(&c->device, &product);
    }
}

/* c_head = op(p_head) b_head, one product for all heads; where they share c, it is the sum, one
 * after the other. */
static void mix_part(struct cuda *c, const struct attention_shape *s, bool transpose, int first,
                     int end, const void *p, const void *b, int ldb, size_t b_stride, void *out,
                     int ldc, bool shared)
{
    /* rows first … end of p, or its columns: only queries from `first` on have these keys */
    size_t length = s->length, from = transpose ? first : 0;
    struct matrix_product product = {
        .transpose_a = transpose,
        .m = end - first,
        .n = s->head_width,
        .k = transpose ? s->length - first : end,
        .alpha = 1,
        .a = device_at(&c->device, p, (size_t)first * length + from),
        .b = device_at(&c->device, b, from * ldb),
        .c = device_at(&c->device, out, (size_t)first * ldc),
        .lda = s->length,
        .ldb = ldb,
        .ldc = ldc,
        .batch = shared ? 1 : plain_heads_at_once(s),
        .stride_a = (size_t)s->length * s->length,
        .stride_b = b_stride,
        .stride_c = s->head_width,
    };
    cuda_multiply(&c->device, &product);
    for (int head = 1; shared && head < plain_heads_at_once(s); head++) {
        product.a = device_at(&c->device, product.a, product.stride_a);
        product.b = device_at(&c->device, product.b, b_stride);
        product.beta = 1;
        cuda_multiply(&c->device, &product);
    }
}

static void cuda_mix_rows(struct cuda *c, const struct attention_shape *s, bool transpose,
                          const void *p, const void *b, int ldb, size_t b_stride, void *out,
                          int ldc, bool shared)
{
    int middle = first_part(s);
    mix_part(c, s, transpose, 0, middle, p, b, ldb, b_stride, out, ldc, shared);
    if (middle < s->length)
        mix_part(c, s, transpose, middle, s->length, p, b, ldb, b_stride, out, ldc, shared);
}

/* Of the query heads of a key head; NULL: there are none. */
static const float *slopes_of(const struct attention_shape *s, int kv)
{
    return s->slopes ? s->slopes + (size_t)kv * group_of(s) : NULL;
}

void attention_plain_forward(struct cuda *c, const struct attention_forward *f)
{
    const struct attention_shape *s = &f->shape;
    struct plain_scratch at;
    int packed = packed_width(s), width = s->heads * s->head_width;
    if (!scratch_take(c, s, &at))
        return;
    for (int i = 0; i < s->batch * s->kv_heads; i += keys_at_once(s)) {
        struct places to = places_of(s, i / s->kv_heads, i % s->kv_heads);
        cuda_rows_by_rows(c, s, 1 / sqrtf((float)s->head_width),
                          device_at(&c->device, f->qkv, to.q), packed,
                          device_at(&c->device, f->qkv, to.k), packed, key_stride(s), at.scores);
        if (c->failed)
            return;
        kernel_softmax_causal(&c->launch, at.p, f->log_sum_exp + to.row, at.scores,
                              slopes_of(s, i % s->kv_heads), plain_heads_at_once(s) * s->length,
                              s->length);
        cuda_check(c, cudaPeekAtLastError(), "kernel_softmax_causal");
        cuda_mix_rows(c, s, false, at.p, device_at(&c->device, f->qkv, to.v), packed, key_stride(s),
                      device_at(&c->device, f->y, to.y), width, false);
    }
}

/* Scores of all pairs, and what they weigh of the values; heads at once as above. */
static void attend_heads(struct cuda *c, const struct attention_forward *f,
                         const struct plain_scratch *at, const struct places *to)
{
    const struct attention_shape *s = &f->shape;
    struct device *d = &c->device;
    size_t pairs = (size_t)s->length * s->length;
    int heads = plain_heads_at_once(s);
    const struct matrix_product scores = {
        .transpose_b = true,
        .m = s->length,
        .n = s->length,
        .k = s->head_width,
        .alpha = 1 / sqrtf((float)s->head_width),
        .a = device_at(d, f->qkv, to->q),
        .b = device_at(d, f->qkv, to->k),
        .c = at->scores,
        .c_fp32 = true,
        .lda = packed_width(s),
        .ldb = packed_width(s),
        .ldc = s->length,
        .batch = heads,
        .stride_a = s->head_width,
        .stride_b = key_stride(s),
        .stride_c = pairs,
    };
    const struct matrix_product mixed = {
        .m = s->length,
        .n = s->head_width,
        .k = s->length,
        .alpha = 1,
        .a = at->p,
        .b = device_at(d, f->qkv, to->v),
        .c = device_at(d, f->y, to->y),
        .lda = s->length,
        .ldb = packed_width(s),
        .ldc = s->heads * s->head_width,
        .batch = heads,
        .stride_a = pairs,
        .stride_b = key_stride(s),
        .stride_c = s->head_width,
    };
    cuda_multiply(d, &scores);
    if (c->failed)
        return;
    kernel_softmax_all(&c->launch, at->p, at->scores, heads * s->length, s->length);
    cuda_check(c, cudaPeekAtLastError(), "kernel_softmax_all");
    cuda_multiply(d, &mixed);
}

void attention_all(struct device *d, const struct attention_forward *f)
{
    struct cuda *c = cuda_of(d);
    const struct attention_shape *s = &f->shape;
    struct plain_scratch at;
    if (c->failed || !scratch_take(c, s, &at))
        return;
    for (int i = 0; i < s->batch * s->kv_heads && !c->failed; i += keys_at_once(s)) {
        const struct places to = places_of(s, i / s->kv_heads, i % s->kv_heads);
        attend_heads(c, f, &at, &to);
    }
}

static void backward_group(struct cuda *c, const struct attention_backward *b,
                           const struct plain_scratch *at, const struct places *to,
                           const float *slopes)
{
    const struct attention_shape *s = &b->shape;
    struct device *d = &c->device;
    int packed = packed_width(s), width = s->heads * s->head_width;
    float scale = 1 / sqrtf((float)s->head_width);
    const void *q = device_at(d, b->qkv, to->q), *dy = device_at(d, b->dy, to->y);
    cuda_rows_by_rows(c, s, scale, q, packed, device_at(d, b->qkv, to->k), packed, key_stride(s),
                      at->scores);
    cuda_rows_by_rows(c, s, 1, dy, width, device_at(d, b->qkv, to->v), packed, key_stride(s),
                      at->d_scores);
    if (c->failed)
        return;
    kernel_softmax_backward(&c->launch, at->p, at->ds, at->scores, at->d_scores,
                            b->log_sum_exp + to->row, at->delta + to->row, slopes, scale,
                            plain_heads_at_once(s) * s->length, s->length);
    cuda_check(c, cudaPeekAtLastError(), "kernel_softmax_backward");
    cuda_mix_rows(c, s, true, at->p, dy, width, s->head_width, device_at(d, b->d_qkv, to->v),
                  packed, group_of(s) > 1);
    cuda_mix_rows(c, s, false, at->ds, device_at(d, b->qkv, to->k), packed, key_stride(s),
                  device_at(d, b->d_qkv, to->q), packed, false);
    cuda_mix_rows(c, s, true, at->ds, q, packed, s->head_width, device_at(d, b->d_qkv, to->k),
                  packed, group_of(s) > 1);
}

void attention_plain_backward(struct cuda *c, const struct attention_backward *b)
{
    const struct attention_shape *s = &b->shape;
    struct plain_scratch at;
    if (!scratch_take(c, s, &at))
        return;
    kernel_row_dots(&c->launch, at.delta, s, b->dy, b->y);
    cuda_check(c, cudaPeekAtLastError(), "kernel_row_dots");
    for (int i = 0; i < s->batch * s->kv_heads && !c->failed; i += keys_at_once(s)) {
        struct places to = places_of(s, i / s->kv_heads, i % s->kv_heads);
        backward_group(c, b, &at, &to, slopes_of(s, i % s->kv_heads));
    }
}
