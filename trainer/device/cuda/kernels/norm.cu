/* Root mean square norm: one block per row forward; backward, each block takes every so many rows
 * and gathers its part of the weight's gradient. */
#include "trainer/device/cuda/kernels/kernels.h"
#include "trainer/device/cuda/kernels/pack.cuh"

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

template <typename T, int V>
static void launch_forward(const struct launch *l, const struct norm_forward *f)
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

/* One pack a thread, as far as that goes. As many blocks as a multiprocessor holds at once (1024
 * threads of 64 registers), so that none waits for another to end. */
#define ROW_THREADS_MAX 1024
#define BLOCKS_AT_ONCE_MAX 8
#define WIDE_THREADS 512

/* What a thread needs of a row to begin with it. */
template <typename T, int V> struct held {
    pack<T, V> sum, dy;
};

template <typename T, int V>
__device__ void hold(held<T, V> &h, const struct norm_backward &b, size_t at)
{
    h.sum = load<T, V>((const T *)b.sum + at);
    h.dy = load<T, V>((const T *)b.dy + at);
}

/* A thread has V columns; those behind the last column do nothing but take part in sums. Rows are
 * read once, each while the one before it is worked on, and the weight's gradient is gathered in
 * registers. Where nothing is gathered, a block has one row. */
template <typename T, int V, bool AGAIN, bool GATHERS>
__global__ void __launch_bounds__(ROW_THREADS_MAX) backward(struct norm_backward b, float *parts)
{
    const int column = threadIdx.x * V;
    const bool works = column < b.width;
    pack<T, V> weight = {};
    float gathered[V] = {};
    held<T, V> h = {}, next = {};
    if (works) {
        weight = load<T, V>((const T *)b.weight + column);
        hold(next, b, (size_t)blockIdx.x * b.width + column); /* no more blocks than rows */
    }
    for (int row = blockIdx.x; row < b.rows; row += gridDim.x) {
        const size_t at = (size_t)row * b.width + column;
        float inverse = b.inverse_rms[row], gs = 0;
        pack<T, V> past = {}, out, y;
        h = next;
        if (works && b.d_stream)
            past = load<T, V>((const T *)b.d_stream + at);
        if (GATHERS && works && row + gridDim.x < b.rows)
            hold(next, b, at + (size_t)gridDim.x * b.width);
        for (int j = 0; j < V; j++)
            gs += widen(h.dy.of[j]) * widen(weight.of[j]) * widen(h.sum.of[j]);
        float along = block_sum(gs) / b.width * inverse * inverse;
        for (int j = 0; j < V; j++) {
            float s = widen(h.sum.of[j]), dy = widen(h.dy.of[j]), w = widen(weight.of[j]);
            out.of[j] = round_to<T>(widen(past.of[j]) + inverse * (dy * w - s * along));
            gathered[j] += dy * s * inverse;
            if (AGAIN)
                y.of[j] = round_to<T>(s * inverse * w);
        }
        if (works)
            store<T, V>((T *)b.ds + at, out);
        if (AGAIN && works)
            store<T, V>((T *)b.y_again + at, y);
    }
    for (int j = 0; j < V && GATHERS && works; j++)
        parts[(size_t)blockIdx.x * b.width + column + j] = gathered[j];
}

/* Rows of any width: each element read twice, and the weight's gradient gathered in memory. */
template <typename T> __global__ void backward_wide(struct norm_backward b, float *parts)
{
    const T *weight = (const T *)b.weight, *past = (const T *)b.d_stream;
    float *gathered = parts + (size_t)blockIdx.x * b.width;
    for (int i = threadIdx.x; i < b.width; i += WIDE_THREADS)
        gathered[i] = 0;
    for (int row = blockIdx.x; row < b.rows; row += gridDim.x) {
        size_t at = (size_t)row * b.width;
        const T *sum = (const T *)b.sum + at, *dy = (const T *)b.dy + at;
        float inverse = b.inverse_rms[row], gs = 0;
        for (int i = threadIdx.x; i < b.width; i += WIDE_THREADS)
            gs += widen(dy[i]) * widen(weight[i]) * widen(sum[i]);
        float along = block_sum(gs) / b.width * inverse * inverse;
        for (int i = threadIdx.x; i < b.width; i += WIDE_THREADS) {
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

template <typename T, bool AGAIN>
static void launch_rows(const struct launch *l, const struct norm_backward *b, int threads,
                        int blocks)
{
    constexpr int V = pack_width<T>;
    float *parts = (float *)l->scratch;
    if (b->d_weight)
        backward<T, V, AGAIN, true><<<blocks, threads, 0, l->stream>>>(*b, parts);
    else
        backward<T, V, AGAIN, false><<<b->rows, threads, 0, l->stream>>>(*b, NULL);
}

/* How many blocks it took. */
template <typename T>
static int launch_backward(const struct launch *l, const struct norm_backward *b)
{
    constexpr int V = pack_width<T>;
    const bool fit =
        packs_fit<T>(b->width, b->sum, b->weight, b->dy, b->d_stream, b->ds, b->y_again);
    const bool narrow = fit && b->width <= ROW_THREADS_MAX * V;
    const int threads = narrow ? (b->width / V + WARP - 1) / WARP * WARP : WIDE_THREADS;
    const int fill = ROW_THREADS_MAX / threads;
    const int at_once = fill < BLOCKS_AT_ONCE_MAX ? fill : BLOCKS_AT_ONCE_MAX;
    const int room = (int)(KERNEL_SCRATCH / sizeof(float) / b->width);
    const int full = l->multiprocessors * at_once, most = full < room ? full : room;
    const int blocks = b->rows < most ? b->rows : most;
    if (!narrow)
        backward_wide<T><<<blocks, threads, 0, l->stream>>>(*b, (float *)l->scratch);
    else if (b->y_again)
        launch_rows<T, true>(l, b, threads, blocks);
    else
        launch_rows<T, false>(l, b, threads, blocks);
    return blocks;
}

void kernel_norm_backward(const struct launch *l, const struct norm_backward *b)
{
    int blocks = 0;
    by_number(l->number, [&](auto zero) { blocks = launch_backward<decltype(zero)>(l, b); });
    if (b->d_weight)
        add_parts<<<blocks_for(b->width, WARP), dim3(WARP, STRIPES), 0, l->stream>>>(
            b->d_weight, (const float *)l->scratch, blocks, b->width);
}
