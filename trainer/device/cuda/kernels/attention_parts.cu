/* What attention needs beside matrix products: the rotation of queries and keys, and the softmax
 * of whole rows of scores for attention_plain.c. */
#include "trainer/device/cuda/kernels/kernels.h"
#include "trainer/device/cuda/kernels/pack.cuh"

#include <math_constants.h>

#define THREADS 256

/* ---- rotation ------------------------------------------------------------------------------- */

template <typename T, int V> __global__ void rotate(struct rotation r, float direction, size_t n)
{
    const struct attention_shape s = r.shape;
    int half = s.head_width / 2, turned = s.heads + s.kv_heads;
    size_t at = ((size_t)blockIdx.x * THREADS + threadIdx.x) * V;
    if (at >= n)
        return;
    int i = (int)(at % half), head = (int)(at / half % turned);
    size_t row = at / half / turned, angle = row % s.length * half + i;
    T *x = (T *)r.qkv + (row * (s.heads + 2 * s.kv_heads) + head) * s.head_width + i;
    pack<T, V> a = load<T, V>(x), b = load<T, V>(x + half);
    for (int j = 0; j < V; j++) {
        float cos = r.cosine[angle + j], sin = direction * r.sine[angle + j];
        float first = widen(a.of[j]), second = widen(b.of[j]);
        a.of[j] = round_to<T>(first * cos - second * sin);
        b.of[j] = round_to<T>(second * cos + first * sin);
    }
    store<T, V>(x, a);
    store<T, V>(x + half, b);
}

void kernel_rotate(const struct launch *l, const struct rotation *r, float direction)
{
    const struct attention_shape *s = &r->shape;
    size_t n = (size_t)s->batch * s->length * (s->heads + s->kv_heads) * (s->head_width / 2);
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        constexpr int V = pack_width<T>;
        if (packs_fit<T>(s->head_width / 2, r->qkv))
            rotate<T, V><<<blocks_for(n, THREADS * V), THREADS, 0, l->stream>>>(*r, direction, n);
        else
            rotate<T, 1><<<blocks_for(n, THREADS), THREADS, 0, l->stream>>>(*r, direction, n);
    });
}

/* ---- softmax of whole rows ------------------------------------------------------------------ */

/* A key's score, with what its distance adds to it. */
static __device__ float sloped(float score, const float *slopes, size_t row, int j, int length)
{
    return slopes ? score + slopes[row / length] * (j - (int)(row % length)) : score;
}

template <typename T>
__global__ void softmax_causal(T *p, float *log_sum_exp, const float *scores, const float *slopes,
                               int length)
{
    size_t row = blockIdx.x, at = row * length;
    int last = (int)(row % length);
    float top = -CUDART_INF_F, sum = 0;
    for (int j = threadIdx.x; j <= last; j += THREADS)
        top = fmaxf(top, sloped(scores[at + j], slopes, row, j, length));
    top = block_combine(top, -CUDART_INF_F, larger());
    for (int j = threadIdx.x; j <= last; j += THREADS)
        sum += expf(sloped(scores[at + j], slopes, row, j, length) - top);
    sum = block_sum(sum);
    for (int j = threadIdx.x; j < length; j += THREADS) {
        float score = sloped(scores[at + j], slopes, row, j, length);
        p[at + j] = round_to<T>(j <= last ? expf(score - top) / sum : 0);
    }
    if (threadIdx.x == 0)
        log_sum_exp[blockIdx.x] = top + logf(sum);
}

void kernel_softmax_causal(const struct launch *l, void *p, float *log_sum_exp, const float *scores,
                           const float *slopes, int rows, int length)
{
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        softmax_causal<T>
            <<<rows, THREADS, 0, l->stream>>>((T *)p, log_sum_exp, scores, slopes, length);
    });
}

template <typename T>
__global__ void softmax_backward(T *p, T *ds, const float *scores, const float *dp,
                                 const float *log_sum_exp, const float *delta, const float *slopes,
                                 float scale, int length)
{
    size_t row = blockIdx.x, at = row * length;
    int last = (int)(row % length);
    for (int j = threadIdx.x; j < length; j += THREADS) {
        float score = sloped(scores[at + j], slopes, row, j, length);
        float weight = j <= last ? expf(score - log_sum_exp[row]) : 0;
        p[at + j] = round_to<T>(weight);
        ds[at + j] = round_to<T>(j <= last ? scale * weight * (dp[at + j] - delta[row]) : 0);
    }
}

void kernel_softmax_backward(const struct launch *l, void *p, void *ds, const float *scores,
                             const float *dp, const float *log_sum_exp, const float *delta,
                             const float *slopes, float scale, int rows, int length)
{
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        softmax_backward<T><<<rows, THREADS, 0, l->stream>>>(
            (T *)p, (T *)ds, scores, dp, log_sum_exp, delta, slopes, scale, length);
    });
}

/* One warp per row and head. */
template <typename T>
__global__ void row_dots(float *delta, struct attention_shape s, const T *dy, const T *y, size_t n)
{
    size_t at = ((size_t)blockIdx.x * THREADS + threadIdx.x) / WARP;
    int lane = threadIdx.x % WARP;
    if (at >= n)
        return;
    float sum = 0;
    for (int i = lane; i < s.head_width; i += WARP)
        sum += widen(dy[at * s.head_width + i]) * widen(y[at * s.head_width + i]);
    for (int distance = WARP / 2; distance; distance /= 2)
        sum += __shfl_xor_sync(ALL_LANES, sum, distance);
    size_t head = at % s.heads, row = at / s.heads;
    if (lane == 0)
        delta[(row / s.length * s.heads + head) * s.length + row % s.length] = sum;
}

void kernel_row_dots(const struct launch *l, float *delta, const struct attention_shape *s,
                     const void *dy, const void *y)
{
    size_t n = (size_t)s->batch * s->length * s->heads;
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        row_dots<T><<<blocks_for(n * WARP, THREADS), THREADS, 0, l->stream>>>(
            delta, *s, (const T *)dy, (const T *)y, n);
    });
}
