/*
 * pack: several neighbouring elements in one register access, and sums over a block.
 *
 * A pack is V elements of T, aligned to its size, so that a thread moves up to 16 bytes at once.
 * Arithmetic is done in fp32; widen() and round_to<T>() carry over (to the nearest, ties to even).
 */
#pragma once

#include "trainer/device/device.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdint.h>

#define WARP 32
#define ALL_LANES 0xffffffffu

template <typename T, int V> struct alignas(sizeof(T) * V) pack {
    T of[V];
};

/* Elements of T in 16 bytes. */
template <typename T> constexpr int pack_width = 16 / (int)sizeof(T);

template <typename T, int V> __device__ pack<T, V> load(const T *from)
{
    return *(const pack<T, V> *)from;
}

template <typename T, int V> __device__ void store(T *to, const pack<T, V> &p)
{
    *(pack<T, V> *)to = p;
}

__device__ inline float widen(float x)
{
    return x;
}
__device__ inline float widen(__nv_bfloat16 x)
{
    return __bfloat162float(x);
}
__device__ inline float widen(__half x)
{
    return __half2float(x);
}

template <typename T> __device__ T round_to(float x);
template <> __device__ inline float round_to<float>(float x)
{
    return x;
}
template <> __device__ inline __nv_bfloat16 round_to(float x)
{
    return __float2bfloat16_rn(x);
}
template <> __device__ inline __half round_to(float x)
{
    return __float2half_rn(x);
}

struct add {
    template <typename A> __device__ A operator()(A a, A b) const
    {
        return a + b;
    }
};
struct larger {
    template <typename A> __device__ A operator()(A a, A b) const
    {
        return a > b ? a : b;
    }
};

/* The same value on every thread, combined in an order that depends on blockDim only. blockDim is
 * a multiple of WARP; `empty` is what changes nothing. */
template <typename A, typename Combine>
__device__ A block_combine(A value, A empty, Combine combine)
{
    __shared__ A of_warp[WARP];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    for (int distance = WARP / 2; distance; distance /= 2)
        value = combine(value, __shfl_xor_sync(ALL_LANES, value, distance));
    __syncthreads(); /* an earlier call may still be reading */
    if (lane == 0)
        of_warp[warp] = value;
    __syncthreads();
    value = lane < warps ? of_warp[lane] : empty;
    for (int distance = WARP / 2; distance; distance /= 2)
        value = combine(value, __shfl_xor_sync(ALL_LANES, value, distance));
    return value;
}

template <typename A> __device__ A block_sum(A value)
{
    return block_combine(value, (A)0, add());
}

/* Calls `launch` with a zero of the type that `number` names. */
template <typename Launch> void by_number(enum number number, Launch launch)
{
    switch (number) {
    case NUMBER_FP32:
        return launch(0.0f);
    case NUMBER_BF16:
        return launch(__nv_bfloat16());
    case NUMBER_FP16:
        return launch(__half());
    }
}

/* Can rows of this width, from these addresses on, be moved in packs of 16 bytes? */
template <typename T, typename... Addresses> bool packs_fit(int width, Addresses... addresses)
{
    const void *all[] = {addresses...};
    bool fit = width % pack_width<T> == 0;
    for (const void *address : all)
        fit = fit && (uintptr_t)address % 16 == 0;
    return fit;
}

static inline unsigned blocks_for(size_t work, int per_block)
{
    return (unsigned)((work + per_block - 1) / per_block);
}
