/*
 * thin: what the kernels of thin products share (device.h's struct thin): their arguments, what
 * dropout keeps, and whether rows can be read in packs. thin_units.cu has the kernels of 16 bits,
 * thin.cu all others.
 */
#pragma once

#include "trainer/device/cuda/kernels/kernels.h"
#include "trainer/device/cuda/kernels/pack.cuh"

#define EIGHT 8 /* columns of a thread, and elements of thin rows at a time */

/* By value, so that they are there when the kernel runs. */
struct thins {
    struct thin of[THIN_MAX];
    int n;
};

/* The upper half of device.h's device_mix, whose last step changes the lower one alone. */
static __device__ uint32_t mix_upper(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)(x >> 32);
}

static __device__ uint8_t *bits_at(const struct thin &t, int row, int column)
{
    return t.bits + (size_t)row * thin_bits_bytes(t.width) + column / EIGHT;
}

static __device__ unsigned draw_eight(const struct thin &t, int row, int column)
{
    const uint64_t place = (t.first_row + row) * (uint64_t)t.width + column;
    const uint32_t below = (uint32_t)(t.keep * (1 << 24));
    unsigned kept = 0;
#pragma unroll
    for (int k = 0; k < EIGHT; k++)
        kept |= (unsigned)(mix_upper(t.key ^ (place + k)) >> 8 < below) << k;
    return kept;
}

template <typename T> static __device__ T *row_at(const struct thin &t, int row)
{
    return (T *)t.x + (size_t)row * t.ld;
}

static __device__ float factor_of(const struct thin &t)
{
    return t.bits ? t.scale / t.keep : t.scale;
}

/* Rows in packs of eight, and thin rows, too. */
template <typename T> static bool thins_fit(const struct thins &all)
{
    bool fit = true;
    for (int i = 0; i < all.n; i++) {
        const struct thin &t = all.of[i];
        fit = fit && t.width % EIGHT == 0 && t.ld % EIGHT == 0 && t.r % EIGHT == 0 &&
              packs_fit<T>(EIGHT, t.x, t.w, t.thin);
    }
    return fit;
}

/* thin_units.cu: of bf16 and fp16 that fit. `together`: all go up to the same rows; `partial` gets
 * the sums of each chunk of rows, a multiple of 4 * THIN_TILE: [n][chunks][r][width]. */
#define THIN_TILE 16
template <typename T> void thin_units_down(const struct launch *l, const struct thins &all);
template <typename T>
void thin_units_up(const struct launch *l, const struct thins &all, int width, bool together);
template <typename T>
void thin_units_sums(const struct launch *l, const struct thins &all, float *partial, int chunks,
                     int chunk_rows, int width);
