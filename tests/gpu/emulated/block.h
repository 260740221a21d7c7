/*
 * block: a CUDA kernel on a processor, for kernels that are written with nothing but what
 * trainer/device/cuda/kernels/matrix_units.cuh offers, __syncthreads() and __shfl_xor_sync().
 *
 * A block's threads are fibers that take turns; one block after the other. Made for address and
 * undefined behaviour sanitizers to look at, not for speed. It is stricter than a GPU: shared
 * memory begins full of NaN, a copy that runs beside the program arrives no sooner than it is
 * waited for, and addresses of copies and of matrices are checked for alignment and bounds.
 */
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <functional>
#include <math.h>
#include <stdint.h>
#include <string.h>

#undef __launch_bounds__
#define __launch_bounds__(...)
using std::min;

struct block_index {
    unsigned x, y;
};
extern block_index threadIdx, blockIdx, gridDim, blockDim;

void block_run(dim3 blocks, int threads, size_t shared_bytes, const std::function<void()> &kernel);
unsigned char *block_shared();
void __syncthreads();

/* Everybody in a warp calls the same of these. */
float warp_exchange(float x, int apart);
void warp_take(uint32_t out[4], const void *row, bool across);
uint32_t warp_turned(uint32_t pair);
/* c += a b, each thread with its parts of left factor, right factor and result as fp32 */
void warp_multiply(float c[4], const float a[8], const float b[4]);

/* Of what has 4 bytes. */
template <typename A> A __shfl_xor_sync(unsigned, A value, int apart)
{
    float x;
    static_assert(sizeof x == sizeof value, "one register");
    memcpy(&x, &value, sizeof x);
    x = warp_exchange(x, apart);
    memcpy(&value, &x, sizeof x);
    return value;
}

/* Copies of the calling thread, in groups. */
void copies_begin(void *to, const void *from, size_t bytes, bool there);
void copies_end_group();
void copies_arrive(size_t left_over);

static inline float __int_as_float(int bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline float rsqrtf(float x)
{
    return 1 / sqrtf(x);
}
