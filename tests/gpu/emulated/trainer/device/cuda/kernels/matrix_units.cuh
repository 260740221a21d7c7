/*
 * matrix_units, emulated: what kernels find in place of
 * trainer/device/cuda/kernels/matrix_units.cuh when they are compiled for the processor. Names and
 * meanings are those of that file.
 */
#pragma once

#include "tests/gpu/emulated/block.h"
#include "trainer/device/cuda/kernels/kernels.h"
#include "trainer/device/cuda/kernels/pack.cuh"

inline unsigned char *shared_memory()
{
    return block_shared();
}

template <typename... Arguments>
void launch_blocks(const struct launch *, void (*kernel)(Arguments...), dim3 blocks, int threads,
                   size_t bytes, Arguments... arguments)
{
    block_run(blocks, threads, bytes, [&] { kernel(arguments...); });
}

struct left {
    uint32_t x[4];
};
struct right {
    uint32_t x[2];
};
struct result {
    float x[4];
};

inline int row_of(int e)
{
    return (threadIdx.x % WARP) / 4 + e / 2 * 8;
}

inline int column_of(int n, int e)
{
    return n * 8 + threadIdx.x % 4 * 2 + e % 2;
}

inline void take_four(uint32_t out[4], const void *row)
{
    warp_take(out, row, false);
}

inline void take_four_across(uint32_t out[4], const void *row)
{
    warp_take(out, row, true);
}

inline uint32_t turned(uint32_t pair)
{
    return warp_turned(pair);
}

/* Both halves of each word of a factor. */
template <typename T, int WORDS> void factor_widen(float out[2 * WORDS], const uint32_t *words)
{
    for (int i = 0; i < 2 * WORDS; i++) {
        T x;
        memcpy((void *)&x, (const char *)words + i * sizeof x, sizeof x);
        out[i] = widen(x);
    }
}

template <typename T> void multiply_add(result &c, const left &a, const right &b, T)
{
    float left_part[8], right_part[4];
    factor_widen<T, 4>(left_part, a.x);
    factor_widen<T, 2>(right_part, b.x);
    warp_multiply(c.x, left_part, right_part);
}

inline float power_of_two(float x)
{
    return exp2f(x);
}

inline void copy_16(void *to, const void *from, bool there)
{
    copies_begin(to, from, 16, there);
}

inline void copy_4(void *to, const void *from, bool there)
{
    copies_begin(to, from, 4, there);
}

inline void copies_close()
{
    copies_end_group();
}

template <int left_over> void copies_wait()
{
    copies_arrive(left_over);
}
