/*
 * What models that see need: rows put to their places, layer norms, biases with what follows them,
 * patches of pictures, and the softmax of rows that see all. Elements are taken by packs where the
 * width allows it. A bias's gradient is summed by parts of the rows, first to last, then part by
 * part.
 */
#include "trainer/device/cuda/kernels/kernels.h"
#include "trainer/device/cuda/kernels/matrix_units.cuh"
#include "trainer/device/cuda/kernels/pack.cuh"

#include <math_constants.h>

#define THREADS 256

/* ---- rows ----------------------------------------------------------------------------------- */

template <typename T, int V>
__global__ void put_rows(T *y, const T *x, const int32_t *places, int width)
{
    int place = places[blockIdx.x];
    if (place < 0)
        return;
    const T *from = x + (size_t)blockIdx.x * width;
    T *to = y + (size_t)place * width;
    for (int i = threadIdx.x * V; i < width; i += THREADS * V)
        store<T, V>(to + i, load<T, V>(from + i));
}

void kernel_put_rows(const struct launch *l, void *y, const void *x, const int32_t *places,
                     int rows, int width)
{
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        constexpr int V = pack_width<T>;
        if (packs_fit<T>(width, y, x))
            launch_blocks(l, put_rows<T, V>, dim3(rows), THREADS, 0, (T *)y, (const T *)x, places,
                          width);
        else
            launch_blocks(l, put_rows<T, 1>, dim3(rows), THREADS, 0, (T *)y, (const T *)x, places,
                          width);
    });
}

template <typename T> __global__ void placed_rows(struct placed_rows p)
{
    int place = blockIdx.x % (1 + p.patches), picture = blockIdx.x / (1 + p.patches);
    size_t from = ((size_t)picture * p.patches + (place - 1)) * p.width;
    const T *x = place == 0 ? (const T *)p.first : (const T *)p.x + from;
    const T *moved = (const T *)p.places + (size_t)place * p.width;
    for (int i = threadIdx.x; i < p.width; i += THREADS)
        ((T *)p.y)[(size_t)blockIdx.x * p.width + i] = round_to<T>(widen(x[i]) + widen(moved[i]));
}

void kernel_placed_rows(const struct launch *l, const struct placed_rows *p)
{
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        launch_blocks(l, placed_rows<T>, dim3(p->pictures * (1 + p->patches)), THREADS, 0, *p);
    });
}

template <typename T> __global__ void patch_rows(struct patch_rows p)
{
    int across = p.side / p.size, patches = across * across, area = p.size * p.size;
    int picture = blockIdx.x / patches, patch = blockIdx.x % patches;
    int top = patch / across * p.size, left = patch % across * p.size;
    for (int i = threadIdx.x; i < 3 * area; i += THREADS) {
        int channel = i / area, y = top + i % area / p.size, x = left + i % p.size;
        size_t pixel = ((size_t)picture * p.side + y) * p.side + x;
        float value = p.scale[channel] * p.pixels[3 * pixel + channel] + p.shift[channel];
        ((T *)p.rows)[(size_t)blockIdx.x * 3 * area + i] = round_to<T>(value);
    }
}

void kernel_patch_rows(const struct launch *l, const struct patch_rows *p)
{
    int across = p->side / p->size;
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        launch_blocks(l, patch_rows<T>, dim3(p->pictures * across * across), THREADS, 0, *p);
    });
}

/* ---- layer norm ----------------------------------------------------------------------------- */

/* The same value on every lane. */
template <typename Combine> static __device__ float warp_combine(float value, Combine combine)
{
    for (int distance = WARP / 2; distance; distance /= 2)
        value = combine(value, __shfl_xor_sync(ALL_LANES, value, distance));
    return value;
}

#define ROWS_AT_ONCE (THREADS / WARP)

/* A warp a row. */
template <typename T, int V> __global__ void layer_norm(struct layer_norm n)
{
    const int row = blockIdx.x * ROWS_AT_ONCE + threadIdx.x / WARP, lane = threadIdx.x % WARP;
    if (row >= n.rows)
        return;
    size_t at = (size_t)row * n.width;
    const T *x = (const T *)n.x + at, *residual = (const T *)n.residual;
    T *sum = (T *)n.sum + at, *y = (T *)n.y + at;
    float all = 0, squares = 0;
    for (int i = lane * V; i < n.width; i += WARP * V) {
        pack<T, V> s = load<T, V>(x + i);
        if (residual) {
            pack<T, V> r = load<T, V>(residual + at + i);
            for (int j = 0; j < V; j++)
                s.of[j] = round_to<T>(widen(s.of[j]) + widen(r.of[j]));
        }
        for (int j = 0; j < V; j++)
            all += widen(s.of[j]);
        store<T, V>(sum + i, s);
    }
    float mean = warp_combine(all, add()) / n.width;
    for (int i = lane * V; i < n.width; i += WARP * V) {
        pack<T, V> s = load<T, V>(sum + i);
        for (int j = 0; j < V; j++)
            squares += (widen(s.of[j]) - mean) * (widen(s.of[j]) - mean);
    }
    float inverse = rsqrtf(warp_combine(squares, add()) / n.width + n.eps);
    for (int i = lane * V; i < n.width; i += WARP * V) {
        pack<T, V> s = load<T, V>(sum + i), w = load<T, V>((const T *)n.weight + i);
        pack<T, V> b = load<T, V>((const T *)n.bias + i), out;
        for (int j = 0; j < V; j++)
            out.of[j] =
                round_to<T>((widen(s.of[j]) - mean) * inverse * widen(w.of[j]) + widen(b.of[j]));
        store<T, V>(y + i, out);
    }
}

void kernel_layer_norm(const struct launch *l, const struct layer_norm *n)
{
    const dim3 blocks(blocks_for(n->rows, ROWS_AT_ONCE));
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        constexpr int V = pack_width<T>;
        if (packs_fit<T>(n->width, n->x, n->residual, n->weight, n->bias, n->sum, n->y))
            launch_blocks(l, layer_norm<T, V>, blocks, THREADS, 0, *n);
        else
            launch_blocks(l, layer_norm<T, 1>, blocks, THREADS, 0, *n);
    });
}

/* ---- biases --------------------------------------------------------------------------------- */

#define SQRT_HALF 0.70710678118654752f
#define INVERSE_SQRT_2PI 0.39894228040143268f

static __device__ float kernel_phi(float x)
{
    return 0.5f * (1 + erff(x * SQRT_HALF));
}

static __device__ float kernel_quick_sigmoid(float x)
{
    return 1 / (1 + expf(-1.702f * x));
}

static __device__ float kernel_activation(enum activation f, float x)
{
    return f == ACTIVATION_NONE
               ? x
               : x * (f == ACTIVATION_GELU ? kernel_phi(x) : kernel_quick_sigmoid(x));
}

static __device__ float kernel_activation_slope(enum activation f, float x)
{
    if (f == ACTIVATION_NONE)
        return 1;
    if (f == ACTIVATION_GELU)
        return kernel_phi(x) + x * INVERSE_SQRT_2PI * expf(-0.5f * x * x);
    float s = kernel_quick_sigmoid(x);
    return s * (1 + 1.702f * x * (1 - s));
}

/* A thread takes one pack. */
template <typename T, int V> __global__ void bias_forward(struct bias_forward b, size_t n)
{
    size_t at = ((size_t)blockIdx.x * THREADS + threadIdx.x) * V;
    if (at >= n)
        return;
    pack<T, V> x = load<T, V>((const T *)b.x + at), y;
    pack<T, V> bias = load<T, V>((const T *)b.bias + at % b.width);
    for (int j = 0; j < V; j++) {
        x.of[j] = round_to<T>(widen(x.of[j]) + widen(bias.of[j]));
        y.of[j] = round_to<T>(kernel_activation(b.activation, widen(x.of[j])));
    }
    if (b.x != b.y)
        store<T, V>((T *)b.x + at, x);
    store<T, V>((T *)b.y + at, y);
}

void kernel_bias_forward(const struct launch *l, const struct bias_forward *b)
{
    size_t n = (size_t)b->rows * b->width;
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        constexpr int V = pack_width<T>;
        if (packs_fit<T>(b->width, b->bias, b->x, b->y))
            launch_blocks(l, bias_forward<T, V>, dim3(blocks_for(n, THREADS * V)), THREADS, 0, *b,
                          n);
        else
            launch_blocks(l, bias_forward<T, 1>, dim3(blocks_for(n, THREADS)), THREADS, 0, *b, n);
    });
}

/* A thread takes a column of a part of the rows. */
template <typename T>
__global__ void bias_backward(struct bias_backward b, float *parts, int rows_of_part)
{
    int column = blockIdx.x * THREADS + threadIdx.x;
    int first = blockIdx.y * rows_of_part, end = first + rows_of_part;
    float sum = 0;
    if (column >= b.width)
        return;
    for (int row = first; row < end && row < b.rows; row++) {
        size_t at = (size_t)row * b.width + column;
        float dx = widen(((const T *)b.dy)[at]);
        if (b.activation != ACTIVATION_NONE)
            dx *= kernel_activation_slope(b.activation, widen(((const T *)b.x)[at]));
        if (b.activation != ACTIVATION_NONE || b.dx != b.dy)
            ((T *)b.dx)[at] = round_to<T>(dx);
        sum += dx;
    }
    parts[(size_t)blockIdx.y * b.width + column] = sum;
}

static __global__ void add_bias_parts(float *total, const float *parts, int n, int width)
{
    int column = blockIdx.x * THREADS + threadIdx.x;
    float sum = 0;
    if (column >= width)
        return;
    for (int i = 0; i < n; i++)
        sum += parts[(size_t)i * width + column];
    total[column] += sum;
}

#define PARTS_MAX 128

void kernel_bias_backward(const struct launch *l, const struct bias_backward *b)
{
    const int room = (int)(KERNEL_SCRATCH / sizeof(float) / b->width);
    const int most = room < PARTS_MAX ? room : PARTS_MAX;
    const int of_part = (b->rows + most - 1) / most, parts = (b->rows + of_part - 1) / of_part;
    const unsigned columns = blocks_for(b->width, THREADS);
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        launch_blocks(l, bias_backward<T>, dim3(columns, parts), THREADS, 0, *b,
                      (float *)l->scratch, of_part);
    });
    launch_blocks(l, add_bias_parts, dim3(columns), THREADS, 0, b->d_bias,
                  (const float *)l->scratch, parts, b->width);
}

/* ---- softmax of rows that see all ----------------------------------------------------------- */

/* A warp a row. */
template <typename T> __global__ void softmax_all(T *p, const float *scores, int rows, int length)
{
    const int row = blockIdx.x * ROWS_AT_ONCE + threadIdx.x / WARP, lane = threadIdx.x % WARP;
    size_t at = (size_t)row * length;
    float top = -CUDART_INF_F, sum = 0;
    if (row >= rows)
        return;
    for (int j = lane; j < length; j += WARP)
        top = fmaxf(top, scores[at + j]);
    top = warp_combine(top, larger());
    for (int j = lane; j < length; j += WARP)
        sum += expf(scores[at + j] - top);
    sum = warp_combine(sum, add());
    for (int j = lane; j < length; j += WARP)
        p[at + j] = round_to<T>(expf(scores[at + j] - top) / sum);
}

void kernel_softmax_all(const struct launch *l, void *p, const float *scores, int rows, int length)
{
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        launch_blocks(l, softmax_all<T>, dim3(blocks_for(rows, ROWS_AT_ONCE)), THREADS, 0, (T *)p,
                      scores, rows, length);
    });
}
