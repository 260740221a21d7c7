/*
 * attention_tiles: tiles of 64 rows of one head in shared memory, as factors of products.
 *
 * Rows lie one after the other without gaps; the packs of 16 bytes of a row are exchanged by the
 * row's number, so that eight rows one below the other lie in different banks, and so do eight
 * packs side by side.
 */
#pragma once

#include "trainer/device/cuda/kernels/matrix_units.cuh"

#define TILE 64
#define WARPS 4
#define THREADS (WARPS * WARP)
#define LOG2_E 1.4426950408889634f

template <int WIDTH> constexpr int tile_elements = TILE *WIDTH;

/* Place of an element whose column is a multiple of 8. */
template <int WIDTH> __device__ int place(int row, int column)
{
    return row * WIDTH + (column ^ row % 8 * 8);
}

/* Begin to copy rows [first, first + ROWS) of one head, `stride` elements from one row to the next;
 * rows behind the end are zeros. */
template <typename T, int WIDTH, int ROWS = TILE>
__device__ void tile_fetch(T *to, const T *from, size_t stride, int first, int length)
{
    constexpr int packs = WIDTH / 8;
#pragma unroll
    for (int i = 0; i < ROWS * packs / THREADS; i++) {
        int at = threadIdx.x + i * THREADS, row = at / packs, column = at % packs * 8;
        bool there = first + row < length;
        copy_16(to + place<WIDTH>(row, column), from + (there ? first + row : 0) * stride + column,
                there);
    }
}

/* Rows [row, row + 16), columns [column, column + 16) of a tile, as a left factor. */
template <typename T, int WIDTH> __device__ left take_left(const T *tile, int row, int column)
{
    int lane = threadIdx.x % WARP;
    left a;
    take_four(a.x, tile + place<WIDTH>(row + lane % 16, column + lane / 16 * 8));
    return a;
}

/* The tile's rows [row, row + 16) are the columns of two right factors, its columns
 * [column, column + 16) their rows. */
template <typename T, int WIDTH>
__device__ void take_across(right out[2], const T *tile, int row, int column)
{
    int lane = threadIdx.x % WARP;
    uint32_t x[4];
    take_four(x, tile + place<WIDTH>(row + lane / 16 * 8 + lane % 8, column + lane / 8 % 2 * 8));
    out[0] = {{x[0], x[1]}};
    out[1] = {{x[2], x[3]}};
}

/* Rows [row, row + 16), columns [column, column + 16) of a tile, as two right factors. */
template <typename T, int WIDTH>
__device__ void take_right(right out[2], const T *tile, int row, int column)
{
    int lane = threadIdx.x % WARP;
    uint32_t x[4];
    take_four_across(x, tile + place<WIDTH>(row + lane % 16, column + lane / 16 * 8));
    out[0] = {{x[0], x[1]}};
    out[1] = {{x[2], x[3]}};
}

template <typename T> __device__ uint32_t two(float first, float second)
{
    T both[2] = {round_to<T>(first), round_to<T>(second)};
    uint32_t bits;
    memcpy(&bits, both, sizeof bits);
    return bits;
}

/* Two results side by side (16 rows by 16), rounded, as a left factor. */
template <typename T> __device__ left as_left(const result &a, const result &b)
{
    return {{two<T>(a.x[0], a.x[1]), two<T>(a.x[2], a.x[3]), two<T>(b.x[0], b.x[1]),
             two<T>(b.x[2], b.x[3])}};
}

/* out[BANDS of 16 rows, TILE] = rows [first, …) of `rows` times all rows of `others`, WIDTH long */
template <typename T, int WIDTH, int BANDS>
__device__ void products_of_rows(result out[BANDS][TILE / 8], const T *rows, int first,
                                 const T *others)
{
#pragma unroll
    for (int m = 0; m < BANDS; m++)
#pragma unroll
        for (int n = 0; n < TILE / 8; n++)
            out[m][n] = {};
#pragma unroll
    for (int k = 0; k < WIDTH; k += 16) {
        left a[BANDS];
#pragma unroll
        for (int m = 0; m < BANDS; m++)
            a[m] = take_left<T, WIDTH>(rows, first + m * 16, k);
#pragma unroll
        for (int n = 0; n < TILE / 8; n += 2) {
            right b[2];
            take_across<T, WIDTH>(b, others, n * 8, k);
#pragma unroll
            for (int m = 0; m < BANDS; m++) {
                multiply_add(out[m][n], a[m], b[0], T());
                multiply_add(out[m][n + 1], a[m], b[1], T());
            }
        }
    }
}

/* out[16, WIDTH] += a times rows [row, row + 16) of `tile` */
template <typename T, int WIDTH, int BANDS>
__device__ void mix_rows(result out[BANDS][WIDTH / 8], const left a[BANDS], const T *tile, int row)
{
#pragma unroll
    for (int n = 0; n < WIDTH / 8; n += 2) {
        right b[2];
        take_right<T, WIDTH>(b, tile, row, n * 8);
#pragma unroll
        for (int m = 0; m < BANDS; m++) {
            multiply_add(out[m][n], a[m], b[0], T());
            multiply_add(out[m][n + 1], a[m], b[1], T());
        }
    }
}

/* One head of one sequence. */
template <typename T> struct head_rows {
    const T *q, *k, *v; /* first row of the sequence, in the packed rows */
    size_t packed;      /* elements from row to row of these */
    size_t y, y_stride; /* first element and distance in y and dy */
    size_t statistics;  /* of log_sum_exp and delta */
};

template <typename T>
__device__ head_rows<T> find_head(const struct attention_shape &s, const T *qkv, int sequence,
                                  int head)
{
    size_t packed = (size_t)(s.heads + 2 * s.kv_heads) * s.head_width;
    size_t first = (size_t)sequence * s.length;
    const T *row = qkv + first * packed;
    int kv = head / (s.heads / s.kv_heads);
    return {row + (size_t)head * s.head_width,
            row + (size_t)(s.heads + kv) * s.head_width,
            row + (size_t)(s.heads + s.kv_heads + kv) * s.head_width,
            packed,
            (first * s.heads + head) * s.head_width,
            (size_t)s.heads * s.head_width,
            ((size_t)sequence * s.heads + head) * s.length};
}

/* A head's slope in the unit of q . k, which is scaled behind it; 0: there is none. */
template <int WIDTH> __device__ float lean_of(const struct attention_shape &s, int head)
{
    return s.slopes ? s.slopes[head] * sqrtf((float)WIDTH) : 0;
}

/* 16 rows by WIDTH from row `first` on, times `factor` and rounded, to where `stride` elements
 * separate rows. */
template <typename T, int WIDTH>
__device__ void rows_store(T *to, size_t stride, const result rows[WIDTH / 8], float factor,
                           int first, int length)
{
#pragma unroll
    for (int h = 0; h < 2; h++) {
        int row = first + row_of(2 * h);
        if (row >= length)
            continue;
#pragma unroll
        for (int n = 0; n < WIDTH / 8; n++)
            *(uint32_t *)(to + row * stride + column_of(n, 0)) =
                two<T>(rows[n].x[2 * h] * factor, rows[n].x[2 * h + 1] * factor);
    }
}
