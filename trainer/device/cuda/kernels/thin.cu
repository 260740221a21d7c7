/*
 * Thin products of adapters in fp32, and of rows that are not made of packs; thin_units.cu has all
 * others. Every kernel reads its wide rows once, eight neighbouring columns a thread. What dropout
 * keeps is drawn where a pass begins and lies in bits from then on, because drawing costs more than
 * everything else here.
 */
#include "trainer/device/cuda/kernels/kernels.h"
#include "trainer/device/cuda/kernels/matrix_units.cuh"
#include "trainer/device/cuda/kernels/pack.cuh"
#include "trainer/device/cuda/kernels/thin.cuh"

#define THREADS 128
#define WARPS (THREADS / WARP)
#define DOWN_ROWS 4 /* times EIGHT is WARP: a warp is left with a sum a lane */
#define UP_ROWS 4   /* at a time */
#define UP_BLOCK_ROWS 8
#define CHUNK_ROWS 256

/* Eight neighbours as fp32; of those that are not there, zeros. */
template <typename T, bool WIDE>
static __device__ void take(float out[EIGHT], const T *from, int there)
{
    constexpr int V = pack_width<T>;
    if (WIDE) {
#pragma unroll
        for (int k = 0; k < EIGHT; k += V) {
            pack<T, V> p = load<T, V>(from + k);
#pragma unroll
            for (int i = 0; i < V; i++)
                out[k + i] = widen(p.of[i]);
        }
        return;
    }
#pragma unroll
    for (int k = 0; k < EIGHT; k++)
        out[k] = k < there ? widen(from[k]) : 0;
}

static __device__ void clear(float x[EIGHT])
{
#pragma unroll
    for (int k = 0; k < EIGHT; k++)
        x[k] = 0;
}

/* w[j][k]: of elements first + j of thin rows and of columns column + k. */
template <typename T, bool WIDE>
static __device__ void take_tile(float w[EIGHT][EIGHT], const struct thin &t, int first, int column)
{
    const T *from = (const T *)t.w;
    if (t.across) {
#pragma unroll
        for (int i = 0; i < EIGHT; i++) {
            float line[EIGHT] = {0};
            if (column + i < t.width)
                take<T, WIDE>(line, from + (size_t)(column + i) * t.r + first, t.r - first);
#pragma unroll
            for (int k = 0; k < EIGHT; k++)
                w[k][i] = line[k];
        }
        return;
    }
#pragma unroll
    for (int i = 0; i < EIGHT; i++)
        if (first + i < t.r)
            take<T, WIDE>(w[i], from + (size_t)(first + i) * t.width + column, t.width - column);
        else
            clear(w[i]);
}

static __device__ void keep(float x[EIGHT], unsigned kept)
{
#pragma unroll
    for (int k = 0; k < EIGHT; k++)
        x[k] = kept >> k & 1 ? x[k] : 0;
}

/* ---- down ----------------------------------------------------------------------------------- */

/* Sums over a warp, half as many a time: lane i is left with that of x[i] in x[0]. */
template <int DISTANCE> static __device__ void fold(float x[WARP])
{
    const bool upper = threadIdx.x & DISTANCE;
#pragma unroll
    for (int i = 0; i < DISTANCE; i++) {
        float mine = upper ? x[i + DISTANCE] : x[i], other = upper ? x[i] : x[i + DISTANCE];
        x[i] = mine + __shfl_xor_sync(ALL_LANES, other, DISTANCE);
    }
    if constexpr (DISTANCE > 1)
        fold<DISTANCE / 2>(x);
}

template <typename T, bool WIDE> __global__ void __launch_bounds__(THREADS) down(struct thins all)
{
    const struct thin &t = all.of[blockIdx.y % all.n];
    const int first = blockIdx.y / all.n * EIGHT, top = blockIdx.x * DOWN_ROWS;
    float *of_warp = (float *)shared_memory();
    float sum[DOWN_ROWS * EIGHT] = {0};
    for (int column = threadIdx.x * EIGHT; column < t.width; column += THREADS * EIGHT) {
        float w[EIGHT][EIGHT];
        take_tile<T, WIDE>(w, t, first, column);
#pragma unroll
        for (int i = 0; i < DOWN_ROWS; i++) {
            const int row = top + i;
            if (row >= t.rows)
                break;
            float x[EIGHT];
            take<T, WIDE>(x, row_at<T>(t, row) + column, t.width - column);
            if (t.bits) {
                unsigned kept = draw_eight(t, row, column);
                if (first == 0)
                    *bits_at(t, row, column) = (uint8_t)kept;
                keep(x, kept);
            }
#pragma unroll
            for (int j = 0; j < EIGHT; j++)
#pragma unroll
                for (int k = 0; k < EIGHT; k++)
                    sum[i * EIGHT + j] += x[k] * w[j][k];
        }
    }
    fold<WARP / 2>(sum);
    const int sums = DOWN_ROWS * EIGHT, lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    of_warp[warp * sums + lane] = sum[0];
    __syncthreads();
    const int me = threadIdx.x, row = top + me / EIGHT, j = first + me % EIGHT;
    if (me >= sums || row >= t.rows || j >= t.r)
        return;
    float total = 0;
    for (int i = 0; i < WARPS; i++)
        total += of_warp[i * sums + me];
    ((T *)t.thin)[(size_t)row * t.r + j] = round_to<T>(factor_of(t) * total);
}

/* ---- up ------------------------------------------------------------------------------------- */

/* y += what goes up from UP_ROWS rows of one. */
template <typename T, bool WIDE>
static __device__ void up_from_one(float y[UP_ROWS][EIGHT], const struct thin &t, int top,
                                   int column)
{
    float sum[UP_ROWS][EIGHT] = {{0}};
    for (int first = 0; first < t.r; first += EIGHT) {
        float w[EIGHT][EIGHT];
        take_tile<T, WIDE>(w, t, first, column);
#pragma unroll
        for (int i = 0; i < UP_ROWS; i++) {
            float x[EIGHT] = {0};
            if (top + i < t.rows)
                take<T, WIDE>(x, (const T *)t.thin + (size_t)(top + i) * t.r + first, t.r - first);
#pragma unroll
            for (int j = 0; j < EIGHT; j++)
#pragma unroll
                for (int k = 0; k < EIGHT; k++)
                    sum[i][k] += x[j] * w[j][k];
        }
    }
    const float factor = factor_of(t);
#pragma unroll
    for (int i = 0; i < UP_ROWS; i++) {
        if (t.bits && top + i < t.rows)
            keep(sum[i], *bits_at(t, top + i, column));
#pragma unroll
        for (int k = 0; k < EIGHT; k++)
            y[i][k] += factor * sum[i][k];
    }
}

template <typename T, bool WIDE> static __device__ void put(T *to, const float x[EIGHT], int there)
{
    constexpr int V = pack_width<T>;
    if (WIDE) {
#pragma unroll
        for (int k = 0; k < EIGHT; k += V) {
            pack<T, V> p;
#pragma unroll
            for (int i = 0; i < V; i++)
                p.of[i] = round_to<T>(x[k + i]);
            store<T, V>(to + k, p);
        }
        return;
    }
#pragma unroll
    for (int k = 0; k < EIGHT; k++)
        if (k < there)
            to[k] = round_to<T>(x[k]);
}

/* Of the thin ones from `begin` to `end`, which go up to the same rows. */
template <typename T, bool WIDE>
static __device__ void up_rows(const struct thins &all, int begin, int end, int top)
{
    const struct thin &t = all.of[begin];
    const int column = (blockIdx.x * THREADS + threadIdx.x) * EIGHT;
    if (column >= t.width)
        return;
    for (int row = top; row < top + UP_BLOCK_ROWS; row += UP_ROWS) {
        float y[UP_ROWS][EIGHT] = {{0}};
#pragma unroll
        for (int i = 0; i < UP_ROWS; i++)
            if (row + i < t.rows)
                take<T, WIDE>(y[i], row_at<T>(t, row + i) + column, t.width - column);
        for (int s = begin; s < end; s++)
            up_from_one<T, WIDE>(y, all.of[s], row, column);
#pragma unroll
        for (int i = 0; i < UP_ROWS; i++)
            if (row + i < t.rows)
                put<T, WIDE>(row_at<T>(t, row + i) + column, y[i], t.width - column);
    }
}

template <typename T, bool WIDE>
__global__ void __launch_bounds__(THREADS) up(struct thins all, bool together)
{
    const int parts = together ? 1 : all.n, part = blockIdx.y % parts;
    up_rows<T, WIDE>(all, part, together ? all.n : part + 1, blockIdx.y / parts * UP_BLOCK_ROWS);
}

/* ---- gradients ------------------------------------------------------------------------------ */

/* What one warp has of a tile, in shared memory behind that of the others. */
static __device__ float *tile_of(int warp)
{
    return (float *)shared_memory() + warp * EIGHT * EIGHT * WARP + threadIdx.x % WARP;
}

/* Sums of a chunk of rows: partial[part][chunk][j][column]. */
template <typename T, bool WIDE>
__global__ void __launch_bounds__(THREADS)
    chunk_sums(struct thins all, float *partial, int chunks, int chunk_rows, int width)
{
    const int chunk = blockIdx.y % chunks, part = blockIdx.y / chunks % all.n;
    const int first = blockIdx.y / chunks / all.n * EIGHT, warp = threadIdx.x / WARP;
    const struct thin &t = all.of[part];
    const int column = (blockIdx.x * WARP + threadIdx.x % WARP) * EIGHT;
    const int end = min(t.rows, (chunk + 1) * chunk_rows);
    float sum[EIGHT][EIGHT] = {{0}};
#pragma unroll 4
    for (int row = chunk * chunk_rows + warp; row < end; row += WARPS) {
        float x[EIGHT] = {0}, thin[EIGHT];
        if (column < t.width)
            take<T, WIDE>(x, row_at<T>(t, row) + column, t.width - column);
        if (t.bits && column < t.width)
            keep(x, *bits_at(t, row, column));
        take<T, WIDE>(thin, (const T *)t.thin + (size_t)row * t.r + first, t.r - first);
#pragma unroll
        for (int j = 0; j < EIGHT; j++)
#pragma unroll
            for (int k = 0; k < EIGHT; k++)
                sum[j][k] += thin[j] * x[k];
    }
#pragma unroll
    for (int i = 0; i < EIGHT * EIGHT; i++)
        if (warp > 0)
            tile_of(warp - 1)[i * WARP] = sum[i / EIGHT][i % EIGHT];
    __syncthreads();
    if (warp > 0)
        return;
    float *to = partial + ((size_t)part * chunks + chunk) * t.r * width;
#pragma unroll
    for (int i = 0; i < EIGHT * EIGHT; i++) {
        const int j = first + i / EIGHT, c = column + i % EIGHT;
        float total = sum[i / EIGHT][i % EIGHT];
        for (int other = 0; other < WARPS - 1; other++)
            total += tile_of(other)[i * WARP];
        if (j < t.r && c < t.width)
            to[(size_t)j * width + c] = total;
    }
}

static __global__ void add_chunks(struct thins all, const float *partial, int chunks, int width)
{
    const struct thin &t = all.of[blockIdx.y / all.of[0].r];
    const int j = blockIdx.y % all.of[0].r, column = blockIdx.x * THREADS + threadIdx.x;
    if (column >= t.width)
        return;
    const float *from = partial + ((size_t)(blockIdx.y / t.r) * chunks * t.r + j) * width + column;
    float total = 0;
    for (int i = 0; i < chunks; i++)
        total += from[(size_t)i * t.r * width];
    float *to = t.gradient + (t.across ? (size_t)column * t.r + j : (size_t)j * t.width + column);
    *to = (t.fresh ? 0 : *to) + factor_of(t) * total;
}

/* ---- launches ------------------------------------------------------------------------------- */

/* Distances between rows filled in. */
static struct thins thins_of(const struct thin *t, int n)
{
    struct thins all = {};
    all.n = n;
    for (int i = 0; i < n; i++) {
        all.of[i] = t[i];
        all.of[i].ld = t[i].ld ? t[i].ld : t[i].width;
    }
    return all;
}

static int widest(const struct thins &all)
{
    int width = 0;
    for (int i = 0; i < all.n; i++)
        width = all.of[i].width > width ? all.of[i].width : width;
    return width;
}

void kernel_thin_down(const struct launch *l, const struct thin *t, int n)
{
    const struct thins all = thins_of(t, n);
    const dim3 blocks(blocks_for(t->rows, DOWN_ROWS), n * blocks_for(t->r, EIGHT));
    const size_t shared = WARPS * DOWN_ROWS * EIGHT * sizeof(float);
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        constexpr bool wide = sizeof(T) == sizeof(float);
        if constexpr (!wide)
            if (thins_fit<T>(all))
                return thin_units_down<T>(l, all);
        launch_blocks(l, wide && thins_fit<T>(all) ? down<T, wide> : down<T, false>, blocks,
                      THREADS, shared, all);
    });
}

void kernel_thin_up(const struct launch *l, const struct thin *t, int n)
{
    const struct thins all = thins_of(t, n);
    bool together = true;
    for (int i = 1; i < n; i++)
        together = together && t[i].x == t->x;
    const dim3 blocks(blocks_for(widest(all), THREADS * EIGHT),
                      blocks_for(t->rows, UP_BLOCK_ROWS) * (together ? 1 : n));
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        constexpr bool wide = sizeof(T) == sizeof(float);
        if constexpr (!wide)
            if (thins_fit<T>(all))
                return thin_units_up<T>(l, all, widest(all), together);
        launch_blocks(l, wide && thins_fit<T>(all) ? up<T, wide> : up<T, false>, blocks, THREADS, 0,
                      all, together);
    });
}

/* As many chunks as scratch has room for. */
void kernel_thin_gradient(const struct launch *l, const struct thin *t, int n)
{
    const struct thins all = thins_of(t, n);
    const int width = widest(all);
    const size_t of_chunk = (size_t)n * t->r * width * sizeof(float);
    int chunk_rows = CHUNK_ROWS;
    while (chunk_rows < t->rows && blocks_for(t->rows, chunk_rows) * of_chunk > KERNEL_SCRATCH)
        chunk_rows *= 2;
    const int chunks = (int)blocks_for(t->rows, chunk_rows);
    const dim3 blocks(blocks_for(width, WARP * EIGHT), chunks * n * blocks_for(t->r, EIGHT));
    const size_t shared = (WARPS - 1) * EIGHT * EIGHT * WARP * sizeof(float);
    float *partial = (float *)l->scratch;
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        constexpr bool wide = sizeof(T) == sizeof(float);
        if constexpr (!wide)
            if (thins_fit<T>(all))
                return thin_units_sums<T>(l, all, partial, chunks, chunk_rows, width);
        launch_blocks(l, wide && thins_fit<T>(all) ? chunk_sums<T, wide> : chunk_sums<T, false>,
                      blocks, THREADS, shared, all, partial, chunks, chunk_rows, width);
    });
    launch_blocks(l, add_chunks, dim3(blocks_for(width, THREADS), n * t->r), THREADS, 0, all,
                  (const float *)partial, chunks, width);
}
