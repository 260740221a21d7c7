/* The embedding. Backward, a block per row and piece of a row: the first row of each token adds up
 * all rows of that token in order, the others leave it to that one. */
#include "trainer/cuda/kernels.h"
#include "trainer/cuda/pack.cuh"

#define THREADS 256

template <typename T> __global__ void forward(T *y, const int32_t *tokens, const T *table, int width)
{
    const T *from = table + (size_t)tokens[blockIdx.x] * width;
    for (int i = threadIdx.x; i < width; i += THREADS)
        y[(size_t)blockIdx.x * width + i] = from[i];
}

/* Is there a row before this one with the same token? */
static __device__ bool comes_again(const int32_t *tokens, int row)
{
    bool found = false;
    for (int i = threadIdx.x; i < row; i += THREADS)
        found = found || tokens[i] == tokens[row];
    return __syncthreads_or(found);
}

/* Which of THREADS rows from `from` on have this token, one bit each; the same on every thread. */
static __device__ void find_rows(uint32_t rows_of[THREADS / WARP], const int32_t *tokens, int from,
                                 int rows, int token)
{
    int row = from + (int)threadIdx.x;
    uint32_t here = __ballot_sync(ALL_LANES, row < rows && tokens[row] == token);
    __syncthreads(); /* the last ones are done with */
    if (threadIdx.x % WARP == 0)
        rows_of[threadIdx.x / WARP] = here;
    __syncthreads();
}

template <typename T>
__global__ void backward(float *d_table, const int32_t *tokens, const T *dy, int rows, int width)
{
    __shared__ uint32_t rows_of[THREADS / WARP];
    int first = blockIdx.x, token = tokens[first], column = blockIdx.y * THREADS + threadIdx.x;
    if (comes_again(tokens, first))
        return;
    float *to = d_table + (size_t)token * width + column;
    float sum = column < width ? *to : 0;
    for (int from = first; from < rows; from += THREADS) {
        find_rows(rows_of, tokens, from, rows, token);
        for (int word = 0; word < THREADS / WARP; word++)
            for (uint32_t left = rows_of[word]; left && column < width; left &= left - 1) {
                size_t row = from + word * WARP + __ffs((int)left) - 1;
                sum += widen(dy[row * width + column]);
            }
    }
    if (column < width)
        *to = sum;
}

void kernel_embed_forward(const struct launch *l, void *y, const int32_t *tokens, const void *table,
                          int rows, int width)
{
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        forward<T><<<rows, THREADS, 0, l->stream>>>((T *)y, tokens, (const T *)table, width);
    });
}

void kernel_embed_backward(const struct launch *l, float *d_table, const int32_t *tokens,
                           const void *dy, int rows, int width)
{
    by_number(l->number, [&](auto zero) {
        using T = decltype(zero);
        dim3 blocks(rows, blocks_for(width, THREADS));
        backward<T><<<blocks, THREADS, 0, l->stream>>>(d_table, tokens, (const T *)dy, rows, width);
    });
}
