/* The embedding. Backward, one block per row: the first row of each token adds up all rows of that
 * token in order, the others leave it to that one. */
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

template <typename T>
__global__ void backward(float *d_table, const int32_t *tokens, const T *dy, int rows, int width)
{
    int first = blockIdx.x;
    __shared__ int same[THREADS];
    if (comes_again(tokens, first))
        return;
    float *to = d_table + (size_t)tokens[first] * width;
    for (int from = first; from < rows; from += THREADS) {
        int row = from + (int)threadIdx.x;
        bool here = row < rows && tokens[row] == tokens[first];
        same[threadIdx.x] = here;
        if (!__syncthreads_or(here))
            continue;
        for (int r = 0; r < THREADS; r++)
            for (int i = threadIdx.x; same[r] && i < width; i += THREADS)
                to[i] += widen(dy[(size_t)(from + r) * width + i]);
        __syncthreads();
    }
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
        backward<T><<<rows, THREADS, 0, l->stream>>>(d_table, tokens, (const T *)dy, rows, width);
    });
}
