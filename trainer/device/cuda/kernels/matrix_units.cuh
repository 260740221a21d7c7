/*
 * matrix_units: what one warp does at a time on tensor cores, and copies that run while it does
 * (compute capability 8.0 and newer). All that C++ has no word for is here, so that kernels which
 * are written with nothing else also run on a processor (tests/gpu/emulated).
 *
 * Factors and results lie in the registers of a warp's 32 threads as mma.m16n8k16 has them ("PTX
 * ISA", matrix fragments). A result has the place of a left factor's half: what a product gave can
 * be rounded and multiplied again without leaving the registers.
 */
#pragma once

#include "trainer/device/cuda/kernels/kernels.h"
#include "trainer/device/cuda/kernels/pack.cuh"

/* A block's shared memory, as large as it was launched with. */
__device__ inline unsigned char *shared_memory()
{
    extern __shared__ __align__(128) unsigned char shared[];
    return shared;
}

/* Kernels that want more than 48 KiB of shared memory have to be told so. One that may not have it
 * is not launched; cudaPeekAtLastError() says so. */
template <typename... Arguments>
static void launch_blocks(const struct launch *l, void (*kernel)(Arguments...), dim3 blocks,
                          int threads, size_t bytes, Arguments... arguments)
{
    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes) ==
        cudaSuccess)
        kernel<<<blocks, threads, bytes, l->stream>>>(arguments...);
}

/* Left factor: 16 rows by 16; right factor: 16 by 8; result: 16 rows by 8. */
struct left {
    uint32_t x[4];
};
struct right {
    uint32_t x[2];
};
struct result {
    float x[4];
};

/* Where element e of a result lies: row, and column of the nth result side by side. */
__device__ inline int row_of(int e)
{
    return (threadIdx.x % WARP) / 4 + e / 2 * 8;
}

__device__ inline int column_of(int n, int e)
{
    return n * 8 + threadIdx.x % 4 * 2 + e % 2;
}

__device__ inline uint32_t shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

/* Four matrices of 8 by 8: lane l names row l % 8 of matrix l / 8, 16 bytes. Every thread gets two
 * neighbours of a row of each; `across`: of each transposed. */
__device__ inline void take_four(uint32_t out[4], const void *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
                 : "r"(shared_address(row)));
}

__device__ inline void take_four_across(uint32_t out[4], const void *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
                 : "r"(shared_address(row)));
}

/* Of a matrix of 8 by 8, of which each thread has two neighbours of a row: two neighbours of a
 * column. */
__device__ inline uint32_t turned(uint32_t pair)
{
    uint32_t turn;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(turn) : "r"(pair));
    return turn;
}

__device__ inline void multiply_add(result &c, const left &a, const right &b, __nv_bfloat16)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c.x[0]), "+f"(c.x[1]), "+f"(c.x[2]), "+f"(c.x[3])
                 : "r"(a.x[0]), "r"(a.x[1]), "r"(a.x[2]), "r"(a.x[3]), "r"(b.x[0]), "r"(b.x[1]));
}

__device__ inline void multiply_add(result &c, const left &a, const right &b, __half)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c.x[0]), "+f"(c.x[1]), "+f"(c.x[2]), "+f"(c.x[3])
                 : "r"(a.x[0]), "r"(a.x[1]), "r"(a.x[2]), "r"(a.x[3]), "r"(b.x[0]), "r"(b.x[1]));
}

/* 2^x to about 2 units in the last place; 0 for -inf and where it would be denormal. */
__device__ inline float power_of_two(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/* 16 bytes, or 4, to shared memory while the thread goes on; zeros where there is nothing. */
__device__ inline void copy_16(void *to, const void *from, bool there)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"(shared_address(to)), "l"(from), "r"(there ? 16 : 0)
                 : "memory");
}

__device__ inline void copy_4(void *to, const void *from, bool there)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                 :
                 : "r"(shared_address(to)), "l"(from), "r"(there ? 4 : 0)
                 : "memory");
}

/* What this thread copied since the last call is a group; wait until no more than `left_over` of
 * its groups are under way. Others' copies are there after a barrier. */
__device__ inline void copies_close()
{
    asm volatile("cp.async.commit_group;" : : : "memory");
}

template <int left_over> __device__ inline void copies_wait()
{
    asm volatile("cp.async.wait_group %0;" : : "n"(left_over) : "memory");
}
