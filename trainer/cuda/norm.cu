/* Root mean square norm: one block per row forward; backward, each block takes every so many rows
 * and keeps its part of the weight's gradient in shared memory. */
#include "trainer/cuda/kernels.h"
#include "trainer/cuda/pack.cuh"

#define THREADS 256
#define BLOCKS_PER_MULTIPROCESSOR 6 /* backward: enough rows at once to hide memory's delay */

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

/* Where column i + j of a row is gathered, for the pack that begins at i: element j of all packs lie
 * together, so that neighbouring threads touch neighbouring words. */
template <int V> __device__ int gathered_at(int i, int j, int width)
{
    return j * (width / V) + i / V;
}

/* One row: ds, and this row's share of d_weight into `gathered`. */
template <typename T, int V>
__device__ void backward_row(const struct norm_backward &b, int row, float *gathered)
{
    size_t at = (size_t)row * b.width;
    const T *sum = (const T *)b.sum + at, *dy = (const T *)b.dy + at, *weight = (const T *)b.weight;
    const T *past = (const T *)b.d_stream;
    float inverse = b.inverse_rms[row], gs = 0;
    for (int i = threadIdx.x * V; i < b.width; i += THREADS * V) {
        pack<T, V> s = load<T, V>(sum + i), d = load<T, V>(dy + i), w = load<T, V>(weight + i);
        for (int j = 0; j < V; j++)
            gs += widen(d.of[j]) * widen(w.of[j]) * widen(s.of[j]);
    }
    float along = block_sum(gs) / b.width * inverse * inverse;
    for (int i = threadIdx.x * V; i < b.width; i += THREADS * V) {
        pack<T, V> s = load<T, V>(sum + i), d = load<T, V>(dy + i), w = load<T, V>(weight + i);
        pack<T, V> p = {}, out;
        if (past)
            p = load<T, V>(past + at + i);
        for (int j = 0; j < V; j++) {
            float ds = inverse * (widen(d.of[j]) * widen(w.of[j]) - widen(s.of[j]) * along);
            out.of[j] = round_to<T>((past ? widen(p.of[j]) : 0) + ds);
            gathered[gathered_at<V>(i, j, b.width)] += widen(d.of[j]) * widen(s.of[j]) * inverse;
        }
        store<T, V>((T *)b.ds + at + i, out);
    }
}

template <typename T, int V> __global__ void backward(struct norm_backward b, float *parts)
{
    extern __shared__ float gathered[]; /* [width]; a thread touches its own columns only */
    for (int i = threadIdx.x * V; i < b.width; i += THREADS * V)
        for (int j = 0; j < V; j++)
            gathered[gathered_at<V>(i, j, b.width)] = 0;
    for (int row = blockIdx.x; row < b.rows; row += gridDim.x)
        backward_row<T, V>(b, row, gathered);
    __syncthreads();
    for (int i = threadIdx.x; i < b.width; i += THREADS)
        parts[(size_t)blockIdx.x * b.width + i] =
            gathered[gathered_at<V>(i / V * V, i % V, b.width)];
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

template <typename T, int V> static void launch_forward(const struct launch *l,
                                                        const struct norm_forward *f)
{
    forward<T, V><<<f->rows, THREADS, 0, l->stream>>>(*f);
}

template <typename T, int V> static void launch_backward(const struct launch *l,
                                                         const struct norm_backward *b)
{
    int most = BLOCKS_PER_MULTIPROCESSOR * l->multiprocessors;
    int blocks = b->rows < most ? b->rows : most;
    size_t shared = b->width * sizeof(float);
    if (shared > 48 << 10)
        cudaFuncSetAttribute(backward<T, V>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             (int)shared);
    backward<T, V><<<blocks, THREADS, shared, l->stream>>>(*b, (float *)l->scratch);
    add_parts<<<blocks_for(b->width, WARP), dim3(WARP, STRIPES), 0, l->stream>>>(
        b->d_weight, (const float *)l->scratch, blocks, b->width);
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

void kernel_norm_backward(const struct launch *l, const struct norm_backward *b)
{
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        if (packs_fit<T>(b->width, b->sum, b->weight, b->dy, b->d_stream, b->ds))
            launch_backward<T, pack_width<T>>(l, b);
        else
            launch_backward<T, 1>(l, b);
    });
}
