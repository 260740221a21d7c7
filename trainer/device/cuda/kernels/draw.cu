/* Bell numbers as trainer/device/rng.c draws them, each thread a part of the sequence. */
#include "trainer/device/cuda/kernels/kernels.h"
#include "trainer/device/cuda/kernels/pack.cuh"

#define THREADS 64

static __device__ uint64_t turn_left(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static __device__ uint64_t next(uint64_t s[4])
{
    uint64_t result = turn_left(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = turn_left(s[3], 45);
    return result;
}

static __device__ float bell(uint64_t s[4])
{
    int64_t sum = 0;
    for (int i = 0; i < RNG_BELL_DRAWS; i++) {
        uint64_t x = next(s);
        sum += (int64_t)(x >> 32) + (int64_t)(x & 0xffffffffu);
    }
    return (float)((double)(sum - ((int64_t)RNG_BELL_DRAWS << 32)) / 4294967296.0);
}

__global__ void draw(float *out, size_t n, float std, const struct rng *starts)
{
    size_t part = (size_t)blockIdx.x * THREADS + threadIdx.x, begin = part * KERNEL_DRAW_PART;
    if (begin >= n)
        return;
    size_t end = begin + KERNEL_DRAW_PART < n ? begin + KERNEL_DRAW_PART : n;
    struct rng r = starts[part];
    for (size_t i = begin; i < end; i++)
        out[i] = std * bell(r.state);
}

void kernel_draw(const struct launch *l, float *out, size_t n, float std, const struct rng *starts)
{
    size_t parts = (n + KERNEL_DRAW_PART - 1) / KERNEL_DRAW_PART;
    cudaMemcpyAsync(l->scratch, starts, parts * sizeof *starts, cudaMemcpyHostToDevice, l->stream);
    draw<<<blocks_for(parts, THREADS), THREADS, 0, l->stream>>>(out, n, std,
                                                                (const struct rng *)l->scratch);
}
