/* Sums over long arrays, in double: parts side by side, then the parts in order. */
#include "trainer/device/cuda/kernels/kernels.h"
#include "trainer/device/cuda/kernels/pack.cuh"

#define THREADS 256
#define PARTS 2048

struct itself {
    __device__ double operator()(float x) const
    {
        return x;
    }
};
struct squared {
    __device__ double operator()(float x) const
    {
        return (double)x * x;
    }
};

/* parts[block] = sum of of(x[i]) over the packs that are this block's; a tail of less than a pack
 * is the last block's. */
template <typename Of> __global__ void add_up(double *parts, const float *x, size_t n, Of of)
{
    double sum = 0;
    size_t packs = n / 4, stride = (size_t)gridDim.x * THREADS;
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < packs; i += stride) {
        pack<float, 4> p = load<float, 4>(x + 4 * i);
        sum += (of(p.of[0]) + of(p.of[1])) + (of(p.of[2]) + of(p.of[3]));
    }
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x < n % 4)
        sum += of(x[4 * packs + threadIdx.x]);
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        parts[blockIdx.x] = sum;
}

__global__ void add_parts(double *total, const double *parts)
{
    double sum = 0;
    for (int i = threadIdx.x; i < PARTS; i += THREADS)
        sum += parts[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        *total += sum;
}

template <typename Of>
static void add_all(const struct launch *l, double *total, const float *x, size_t n, Of of)
{
    double *parts = (double *)l->scratch;
    add_up<<<PARTS, THREADS, 0, l->stream>>>(parts, x, n, of);
    add_parts<<<1, THREADS, 0, l->stream>>>(total, parts);
}

void kernel_add_sum(const struct launch *l, double *total, const float *x, size_t n)
{
    add_all(l, total, x, n, itself());
}

void kernel_add_sum_of_squares(const struct launch *l, double *total, const float *x, size_t n)
{
    add_all(l, total, x, n, squared());
}
