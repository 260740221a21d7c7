/* Cross-entropy, one block per row: the largest logit and the sum of exponentials in one reading,
 * the gradient in a second one. */
#include "trainer/device/cuda/kernels/kernels.h"
#include "trainer/device/cuda/kernels/pack.cuh"

#include <math_constants.h>

#define THREADS 512

/* sum of exp(x - top) for the x seen so far */
struct exponentials {
    float top, sum;
};

static __device__ exponentials take_exponential(exponentials e, float x)
{
    if (x <= e.top) {
        e.sum += expf(x - e.top);
        return e;
    }
    return {x, e.sum * expf(e.top - x) + 1};
}

/* A row without a target. */
template <typename T> static __device__ void leave_out(T *x, float *loss, int vocabulary)
{
    for (int i = threadIdx.x; i < vocabulary; i += THREADS)
        x[i] = round_to<T>(0);
    if (threadIdx.x == 0)
        *loss = 0;
}

template <typename T, int V> __global__ void cross_entropy(struct cross_entropy c)
{
    T *x = (T *)c.logits + (size_t)blockIdx.x * c.vocabulary;
    int target = c.targets[blockIdx.x];
    if (target == TARGET_NONE)
        return leave_out(x, c.losses + blockIdx.x, c.vocabulary);
    exponentials mine = {-CUDART_INF_F, 0};
    for (int i = threadIdx.x * V; i < c.vocabulary; i += THREADS * V) {
        pack<T, V> p = load<T, V>(x + i);
        for (int j = 0; j < V; j++)
            mine = take_exponential(mine, widen(p.of[j]));
    }
    float top = block_combine(mine.top, -CUDART_INF_F, larger());
    float sum = block_sum(mine.sum > 0 ? mine.sum * expf(mine.top - top) : 0);
    if (threadIdx.x == 0)
        c.losses[blockIdx.x] = logf(sum) + top - widen(x[target]);
    __syncthreads(); /* x[target] was read */
    float scale = c.scale / sum;
    for (int i = threadIdx.x * V; i < c.vocabulary; i += THREADS * V) {
        pack<T, V> p = load<T, V>(x + i);
        for (int j = 0; j < V; j++) {
            float gradient = scale * expf(widen(p.of[j]) - top);
            p.of[j] = round_to<T>(i + j == target ? gradient - c.scale : gradient);
        }
        store<T, V>(x + i, p);
    }
}

void kernel_cross_entropy(const struct launch *l, const struct cross_entropy *c)
{
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        if (packs_fit<T>(c->vocabulary, c->logits))
            cross_entropy<T, pack_width<T>><<<c->rows, THREADS, 0, l->stream>>>(*c);
        else
            cross_entropy<T, 1><<<c->rows, THREADS, 0, l->stream>>>(*c);
    });
}

/* ---- rows of length 1 ----------------------------------------------------------------------- */

template <typename T> __global__ void unit_rows(struct unit_rows u)
{
    const T *w = (const T *)u.w + (size_t)blockIdx.x * u.width;
    T *unit = (T *)u.unit + (size_t)blockIdx.x * u.width;
    float squares = 0;
    for (int i = threadIdx.x; i < u.width; i += THREADS)
        squares += widen(w[i]) * widen(w[i]);
    float inverse = 1 / fmaxf(sqrtf(block_sum(squares)), 1e-12f);
    for (int i = threadIdx.x; i < u.width; i += THREADS)
        unit[i] = round_to<T>(widen(w[i]) * inverse);
    if (threadIdx.x == 0)
        u.inverse[blockIdx.x] = inverse;
}

template <typename T> __global__ void unit_rows_backward(struct unit_rows u, float *gradient)
{
    const T *unit = (const T *)u.unit + (size_t)blockIdx.x * u.width;
    float *g = gradient + (size_t)blockIdx.x * u.width, along = 0;
    for (int i = threadIdx.x; i < u.width; i += THREADS)
        along += widen(unit[i]) * g[i];
    along = block_sum(along);
    for (int i = threadIdx.x; i < u.width; i += THREADS)
        g[i] = u.inverse[blockIdx.x] * (g[i] - widen(unit[i]) * along);
}

void kernel_unit_rows(const struct launch *l, const struct unit_rows *u)
{
    by_number(l->number, [&](auto zero) {
        unit_rows<decltype(zero)><<<u->rows, THREADS, 0, l->stream>>>(*u);
    });
}

void kernel_unit_rows_backward(const struct launch *l, const struct unit_rows *u, float *gradient)
{
    by_number(l->number, [&](auto zero) {
        unit_rows_backward<decltype(zero)><<<u->rows, THREADS, 0, l->stream>>>(*u, gradient);
    });
}

/* ---- where the columns are divided among ranks ---------------------------------------------- */

template <typename T> __global__ void entropy_tops(struct divided_entropy e)
{
    const T *x = (const T *)e.of.logits + (size_t)blockIdx.x * e.of.vocabulary;
    float top = -CUDART_INF_F;
    for (int i = threadIdx.x; i < e.of.vocabulary; i += THREADS)
        top = fmaxf(top, widen(x[i]));
    top = block_combine(top, -CUDART_INF_F, larger());
    if (threadIdx.x == 0)
        e.tops[blockIdx.x] = top;
}

template <typename T> __global__ void entropy_sums(struct divided_entropy e)
{
    const T *x = (const T *)e.of.logits + (size_t)blockIdx.x * e.of.vocabulary;
    float top = e.tops[blockIdx.x], sum = 0;
    int target = e.of.targets[blockIdx.x];
    for (int i = threadIdx.x; i < e.of.vocabulary; i += THREADS)
        sum += expf(widen(x[i]) - top);
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        e.sums[blockIdx.x] = sum;
        e.sums[e.of.rows + blockIdx.x] = target < 0 ? 0 : widen(x[target]) - top;
    }
}

template <typename T> __global__ void entropy_gradients(struct divided_entropy e)
{
    T *x = (T *)e.of.logits + (size_t)blockIdx.x * e.of.vocabulary;
    float top = e.tops[blockIdx.x], sum = e.sums[blockIdx.x], scale = e.of.scale / sum;
    int target = e.of.targets[blockIdx.x];
    if (target == TARGET_NONE)
        return leave_out(x, e.of.losses + blockIdx.x, e.of.vocabulary);
    for (int i = threadIdx.x; i < e.of.vocabulary; i += THREADS) {
        float gradient = scale * expf(widen(x[i]) - top);
        x[i] = round_to<T>(i == target ? gradient - e.of.scale : gradient);
    }
    if (threadIdx.x == 0)
        e.of.losses[blockIdx.x] = logf(sum) - e.sums[e.of.rows + blockIdx.x];
}

void kernel_entropy_tops(const struct launch *l, const struct divided_entropy *e)
{
    by_number(l->number, [&](auto zero) {
        entropy_tops<decltype(zero)><<<e->of.rows, THREADS, 0, l->stream>>>(*e);
    });
}

void kernel_entropy_sums(const struct launch *l, const struct divided_entropy *e)
{
    by_number(l->number, [&](auto zero) {
        entropy_sums<decltype(zero)><<<e->of.rows, THREADS, 0, l->stream>>>(*e);
    });
}

void kernel_entropy_gradients(const struct launch *l, const struct divided_entropy *e)
{
    by_number(l->number, [&](auto zero) {
        entropy_gradients<decltype(zero)><<<e->of.rows, THREADS, 0, l->stream>>>(*e);
    });
}
