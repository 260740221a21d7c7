/* Root mean square norm: one block per row forward; backward, each block takes every so many rows
 * and gathers its part of the weight's gradient. */
#include "trainer/cuda/kernels.h"
#include "trainer/cuda/pack.cuh"

#define THREADS 256

template <typename T, int V> __global__ void forward(struct norm_forward f)
{
    size_t at = (size_t)blockIdx.x * f.width;
    const T *x = (const T *)f.x + at, *residual = (const T *)f.residual;
    T *sum = (T *)f.sum + at, *y = (T *)f.y + at;
    float squares = 0;
    for (int i = threadIdx.x * V; i < f.width; i += THREADS * V) {
        pack<T, V> s = load<T, V>(x + i);
        if (residual) {
            pack<T, V> r = load<T, V>(residual + at + i);
            for (int j = 0; j < V; j++)
                s.of[j] = round_to<T>(widen(s.of[j]) + widen(r.of[j]));
        }
        for (int j = 0; j < V; j++)
            squares += widen(s.of[j]) * widen(s.of[j]);
        store<T, V>(sum + i, s);
    }
    float inverse = rsqrtf(block_sum(squares) / f.width + f.eps);
    for (int i = threadIdx.x * V; i < f.width; i += THREADS * V) {
        pack<T, V> s = load<T, V>(sum + i), w = load<T, V>((const T *)f.weight + i), out;
        for (int j = 0; j < V; j++)
            out.of[j] = round_to<T>(widen(s.of[j]) * inverse * widen(w.of[j]));
        store<T, V>(y + i, out);
    }
    if (threadIdx.x == 0)
        f.inverse_rms[blockIdx.x] = inverse;
}

template <typename T, int V> static void launch_forward(const struct launch *l,
                                                        const struct norm_forward *f)
{
    forward<T, V><<<f->rows, THREADS, 0, l->stream>>>(*f);
}

void kernel_norm_forward(const struct launch *l, const struct norm_forward *f)
{
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        if (packs_fit<T>(f->width, f->x, f->residual, f->weight, f->sum, f->y))
            launch_forward<T, pack_width<T>>(l, f);
        else
            launch_forward<T, 1>(l, f);
    });
}

/* ---- backward ------------------------------------------------------------------------------- */

/* As many as a multiprocessor holds at once, so that no block waits for another to end. */
#define ROW_THREADS 512
#define BLOCKS_PER_MULTIPROCESSOR 2

/* What a thread holds of one row: its packs, every ROW_THREADS-th. */
template <typename T, int V, int PACKS> struct held {
    pack<T, V> sum[PACKS], dy[PACKS], past[PACKS];
};

template <typename T, int V, int PACKS>
__device__ void hold(held<T, V, PACKS> &h, const struct norm_backward &b, size_t at)
{
    for (int k = 0; k < PACKS; k++) {
        int i = (k * ROW_THREADS + threadIdx.x) * V;
        if (i >= b.width)
            continue;
        h.sum[k] = load<T, V>((const T *)b.sum + at + i);
        h.dy[k] = load<T, V>((const T *)b.dy + at + i);
        if (b.d_stream)
            h.past[k] = load<T, V>((const T *)b.d_stream + at + i);
    }
}

/* Rows of at most PACKS * ROW_THREADS * V columns: read once, and the weight's gradient gathered in
 * registers. */
template <typename T, int V, int PACKS>
__global__ void __launch_bounds__(ROW_THREADS) backward(struct norm_backward b, float *parts)
{
    pack<T, V> weight[PACKS] = {};
    float gathered[PACKS][V] = {};
    held<T, V, PACKS> h = {};
    for (int k = 0; k < PACKS; k++)
        if ((k * ROW_THREADS + threadIdx.x) * V < b.width)
            weight[k] = load<T, V>((const T *)b.weight + (k * ROW_THREADS + threadIdx.x) * V);
    for (int row = blockIdx.x; row < b.rows; row += gridDim.x) {
        size_t at = (size_t)row * b.width;
        float inverse = b.inverse_rms[row], gs = 0;
        hold(h, b, at);
        for (int k = 0; k < PACKS; k++)
            for (int j = 0; j < V && (k * ROW_THREADS + threadIdx.x) * V < b.width; j++)
                gs += widen(h.dy[k].of[j]) * widen(weight[k].of[j]) * widen(h.sum[k].of[j]);
        float along = block_sum(gs) / b.width * inverse * inverse;
        for (int k = 0; k < PACKS; k++) {
            int i = (k * ROW_THREADS + threadIdx.x) * V;
            pack<T, V> out, y;
            for (int j = 0; j < V; j++) {
                float s = widen(h.sum[k].of[j]), dy = widen(h.dy[k].of[j]);
                float ds = inverse * (dy * widen(weight[k].of[j]) - s * along);
                out.of[j] = round_to<T>((b.d_stream ? widen(h.past[k].of[j]) : 0) + ds);
                gathered[k][j] += dy * s * inverse;
                y.of[j] = round_to<T>(s * inverse * widen(weight[k].of[j]));
            }
            if (i < b.width)
                store<T, V>((T *)b.ds + at + i, out);
            if (b.y_again && i < b.width)
                store<T, V>((T *)b.y_again + at + i, y);
        }
    }
    for (int k = 0; k < PACKS; k++)
        for (int j = 0; j < V && (k * ROW_THREADS + threadIdx.x) * V < b.width; j++)
            parts[(size_t)blockIdx.x * b.width + (k * ROW_THREADS + threadIdx.x) * V + j] =
                gathered[k][j];
}

/* Rows of any width: each element read twice, and the weight's gradient gathered in memory. */
template <typename T> __global__ void backward_wide(struct norm_backward b, float *parts)
{
    const T *weight = (const T *)b.weight, *past = (const T *)b.d_stream;
    float *gathered = parts + (size_t)blockIdx.x * b.width;
    for (int i = threadIdx.x; i < b.width; i += ROW_THREADS)
        gathered[i] = 0;
    for (int row = blockIdx.x; row < b.rows; row += gridDim.x) {
        size_t at = (size_t)row * b.width;
        const T *sum = (const T *)b.sum + at, *dy = (const T *)b.dy + at;
        float inverse = b.inverse_rms[row], gs = 0;
        for (int i = threadIdx.x; i < b.width; i += ROW_THREADS)
            gs += widen(dy[i]) * widen(weight[i]) * widen(sum[i]);
        float along = block_sum(gs) / b.width * inverse * inverse;
        for (int i = threadIdx.x; i < b.width; i += ROW_THREADS) {
            float ds = inverse * (widen(dy[i]) * widen(weight[i]) - widen(sum[i]) * along);
            gathered[i] += widen(dy[i]) * widen(sum[i]) * inverse;
            ((T *)b.ds)[at + i] = round_to<T>((past ? widen(past[at + i]) : 0) + ds);
            if (b.y_again)
                ((T *)b.y_again)[at + i] = round_to<T>(widen(sum[i]) * inverse * widen(weight[i]));
        }
    }
}

#define STRIPES 16

/* total[column] += sum over parts: stripes side by side, each first to last, then the stripes in
 * order. One block takes WARP columns. */
__global__ void add_parts(float *total, const float *parts, int n, int width)
{
    __shared__ float of_stripe[STRIPES][WARP];
    int column = blockIdx.x * WARP + threadIdx.x;
    float sum = 0;
    for (int i = threadIdx.y; i < n && column < width; i += STRIPES)
        sum += parts[(size_t)i * width + column];
    of_stripe[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y > 0 || column >= width)
        return;
    for (int i = 1; i < STRIPES; i++)
        sum += of_stripe[i][threadIdx.x];
    total[column] += sum;
}

template <typename T>
static void launch_backward(const struct launch *l, const struct norm_backward *b, int blocks)
{
    constexpr int V = pack_width<T>;
    float *parts = (float *)l->scratch;
    bool fit = packs_fit<T>(b->width, b->sum, b->weight, b->dy, b->d_stream, b->ds, b->y_again);
    if (fit && b->width <= ROW_THREADS * V)
        backward<T, V, 1><<<blocks, ROW_THREADS, 0, l->stream>>>(*b, parts);
    else if (fit && b->width <= 2 * ROW_THREADS * V)
        backward<T, V, 2><<<blocks, ROW_THREADS, 0, l->stream>>>(*b, parts);
    else
        backward_wide<T><<<blocks, ROW_THREADS, 0, l->stream>>>(*b, parts);
}

void kernel_norm_backward(const struct launch *l, const struct norm_backward *b)
{
    int most = BLOCKS_PER_MULTIPROCESSOR * l->multiprocessors;
    int blocks = b->rows < most ? b->rows : most;
    by_number(l->number, [&](auto zero) { launch_backward<decltype(zero)>(l, b, blocks); });
    add_parts<<<blocks_for(b->width, WARP), dim3(WARP, STRIPES), 0, l->stream>>>(
        b->d_weight, (const float *)l->scratch, blocks, b->width);
}
