/*
 * The embedding. Backward, the rows of a token are added up in ascending order, whatever the token
 * and however many they are: rows are put into the order of their tokens first, and of their places
 * where those are the same, by counting for each how many come before it. Then a block takes a
 * place in that order and a piece of the width: the first place of each token has all its rows
 * behind it, and adds them up with several on the way from memory at a time.
 */
#include "trainer/device/cuda/kernels/kernels.h"
#include "trainer/device/cuda/kernels/matrix_units.cuh"
#include "trainer/device/cuda/kernels/pack.cuh"

#define THREADS 256
#define WARPS (THREADS / WARP)
#define AHEAD 32 /* rows on the way: some tokens are in hundreds of rows */

template <typename T>
__global__ void forward(T *y, const int32_t *tokens, const T *table, int width)
{
    int token = tokens[blockIdx.x];
    const T *from = table + (size_t)(token < 0 ? 0 : token) * width;
    for (int i = threadIdx.x; i < width; i += THREADS)
        y[(size_t)blockIdx.x * width + i] = token < 0 ? round_to<T>(0) : from[i];
}

/* A row, and how many of its token there are: 0 for all but the first of them. */
struct placed {
    int row, count;
};

static __device__ int warp_sum(int value)
{
    for (int distance = WARP / 2; distance; distance /= 2)
        value += __shfl_xor_sync(ALL_LANES, value, distance);
    return value;
}

/* A warp a row. */
static __global__ void put_in_order(placed *order, const int32_t *tokens, int rows)
{
    int row = blockIdx.x * WARPS + threadIdx.x / WARP, lane = threadIdx.x % WARP;
    int token = tokens[row < rows ? row : 0];
    int lower = 0, earlier = 0, count = 0;
    for (int i = lane; i < rows; i += WARP) {
        lower += tokens[i] < token;
        earlier += tokens[i] == token && i < row;
        count += tokens[i] == token;
    }
    lower = warp_sum(lower), earlier = warp_sum(earlier), count = warp_sum(count);
    if (row < rows && lane == 0)
        order[lower + earlier] = {row, earlier ? 0 : count};
}

template <typename T, int V>
__global__ void backward(float *d_table, const placed *order, const int32_t *tokens, const T *dy,
                         int width)
{
    const placed *at = order + blockIdx.x;
    int column = (blockIdx.y * THREADS + threadIdx.x) * V;
    int count = at->count;
    if (count == 0 || column >= width || tokens[at->row] < 0)
        return;
    float *to = d_table + (size_t)tokens[at->row] * width + column, sum[V];
#pragma unroll
    for (int v = 0; v < V; v++)
        sum[v] = to[v];
    for (int done = 0; done < count; done += AHEAD) {
        pack<T, V> rows[AHEAD];
#pragma unroll
        for (int i = 0; i < AHEAD; i++)
            if (done + i < count)
                rows[i] = load<T, V>(dy + (size_t)at[done + i].row * width + column);
#pragma unroll
        for (int i = 0; i < AHEAD; i++)
            if (done + i < count)
#pragma unroll
                for (int v = 0; v < V; v++)
                    sum[v] += widen(rows[i].of[v]);
    }
#pragma unroll
    for (int v = 0; v < V; v++)
        to[v] = sum[v];
}

void kernel_embed_forward(const struct launch *l, void *y, const int32_t *tokens, const void *table,
                          int rows, int width)
{
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        launch_blocks(l, forward<T>, dim3(rows), THREADS, 0, (T *)y, tokens, (const T *)table,
                      width);
    });
}

template <typename T, int V>
static void launch_embed_backward(const struct launch *l, float *d_table, const int32_t *tokens,
                                  const T *dy, int rows, int width)
{
    dim3 blocks(rows, blocks_for(width, THREADS * V));
    launch_blocks(l, backward<T, V>, blocks, THREADS, 0, d_table, (const placed *)l->scratch,
                  tokens, dy, width);
}

bool kernel_embed_fits(int rows)
{
    return (size_t)rows * sizeof(placed) <= KERNEL_SCRATCH;
}

void kernel_embed_backward(const struct launch *l, float *d_table, const int32_t *tokens,
                           const void *dy, int rows, int width)
{
    launch_blocks(l, put_in_order, dim3(blocks_for(rows, WARPS)), THREADS, 0, (placed *)l->scratch,
                  tokens, rows);
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        if (packs_fit<T>(width, dy))
            launch_embed_backward<T, pack_width<T> / 2>(l, d_table, tokens, (const T *)dy, rows,
                                                        width);
        else
            launch_embed_backward<T, 1>(l, d_table, tokens, (const T *)dy, rows, width);
    });
}
