/*
 * Causal attention by tensor cores, tile by tile (Dao 2023, "FlashAttention-2"): forward. bf16 and
 * fp16, heads 64 or 128 wide. What the trainer uses where cuDNN is missing. The way back is
 * attention_flash_backward.cu.
 *
 * A block takes 128 queries, 32 a warp, so that what is read of keys and values serves two bands of
 * 16 rows, and walks over tiles of keys and values up to the diagonal. The next tiles are copied
 * while products of this one are computed. Nothing of [length, length] is stored.
 */
#include "trainer/device/cuda/kernels/attention_tiles.cuh"

#include <math_constants.h>

#define BANDS 2 /* of 16 queries, of a warp */
#define QUERIES (WARPS * BANDS * 16)

/* Softmax so far: for each of a thread's rows, the largest score and the sum (base 2). */
struct running {
    float top[BANDS][2], sum[BANDS][2];
};

/* Largest, or sum, of the four threads that share a row. */
template <typename Combine> __device__ float across_row(float x, Combine combine)
{
    x = combine(x, __shfl_xor_sync(ALL_LANES, x, 1));
    return combine(x, __shfl_xor_sync(ALL_LANES, x, 2));
}

/* A query's slope times the distance of its keys. `lean` is in the scores' unit, before they are
 * scaled. */
static __device__ void lean_scores(result scores[TILE / 8], float lean, int query, int key)
{
#pragma unroll
    for (int n = 0; n < TILE / 8; n++)
#pragma unroll
        for (int e = 0; e < 4; e++)
            scores[n].x[e] =
                fmaf(lean, key + column_of(n, e) - (query + row_of(e)), scores[n].x[e]);
}

/* Scores of keys behind their query do not count. */
static __device__ void hide_later(result scores[TILE / 8], int query, int key)
{
#pragma unroll
    for (int n = 0; n < TILE / 8; n++)
#pragma unroll
        for (int e = 0; e < 4; e++)
            if (key + column_of(n, e) > query + row_of(e))
                scores[n].x[e] = -CUDART_INF_F;
}

/* Scores of a tile become weights; what was gathered before is scaled down to the new top. */
template <int WIDTH>
__device__ void soften(float &top, float &sum, result scores[TILE / 8], result gathered[WIDTH / 8],
                       int h, float scale2)
{
    float highest = scores[0].x[2 * h], more = 0;
#pragma unroll
    for (int n = 0; n < TILE / 8; n++)
        highest = fmaxf(highest, fmaxf(scores[n].x[2 * h], scores[n].x[2 * h + 1]));
    highest = fmaxf(top, across_row(highest, larger()) * scale2);
    float shrink = power_of_two(top - highest);
#pragma unroll
    for (int n = 0; n < TILE / 8; n++)
#pragma unroll
        for (int e = 2 * h; e < 2 * h + 2; e++)
            more += scores[n].x[e] = power_of_two(fmaf(scores[n].x[e], scale2, -highest));
    sum = sum * shrink + more; /* of this thread's columns; the four are added up at the end */
    top = highest;
#pragma unroll
    for (int n = 0; n < WIDTH / 8; n++)
        gathered[n].x[2 * h] *= shrink, gathered[n].x[2 * h + 1] *= shrink;
}

/* One tile of keys and values. `query` is the warp's first; `lean` 0: no slope. */
template <typename T, int WIDTH>
__device__ void walk_tile(running &r, result gathered[BANDS][WIDTH / 8], const T *q, const T *k,
                          const T *v, int query, int key, float lean)
{
    result scores[BANDS][TILE / 8];
    products_of_rows<T, WIDTH, BANDS>(scores, q, threadIdx.x / WARP * BANDS * 16, k);
#pragma unroll
    for (int m = 0; m < BANDS; m++) {
        if (lean != 0)
            lean_scores(scores[m], lean, query + m * 16, key);
        if (key + TILE - 1 > query + m * 16)
            hide_later(scores[m], query + m * 16, key);
#pragma unroll
        for (int h = 0; h < 2; h++)
            soften<WIDTH>(r.top[m][h], r.sum[m][h], scores[m], gathered[m], h,
                          LOG2_E * rsqrtf((float)WIDTH));
    }
#pragma unroll
    for (int n = 0; n < TILE / 16; n++) {
        left a[BANDS];
#pragma unroll
        for (int m = 0; m < BANDS; m++)
            a[m] = as_left<T>(scores[m][2 * n], scores[m][2 * n + 1]);
        mix_rows<T, WIDTH, BANDS>(gathered, a, v, n * 16);
    }
}

/* What a block holds in shared memory. */
template <typename T, int WIDTH> struct forward_tiles {
    T q[QUERIES * WIDTH];
    struct {
        T k[tile_elements<WIDTH>], v[tile_elements<WIDTH>];
    } stage[2];
};

template <typename T, int WIDTH>
__global__ void __launch_bounds__(THREADS, 2) forward(struct attention_forward f)
{
    forward_tiles<T, WIDTH> &own = *(forward_tiles<T, WIDTH> *)shared_memory();
    const struct attention_shape s = f.shape;
    int first = (gridDim.y - 1 - blockIdx.y) * QUERIES; /* all heads' longest walks first */
    int end = min(first + QUERIES, s.length), query = first + threadIdx.x / WARP * BANDS * 16;
    head_rows<T> at = find_head(s, (const T *)f.qkv, blockIdx.x / s.heads, blockIdx.x % s.heads);
    result gathered[BANDS][WIDTH / 8] = {};
    const float lean = lean_of<WIDTH>(s, blockIdx.x % s.heads);
    running r;
    for (int m = 0; m < BANDS; m++)
        for (int h = 0; h < 2; h++)
            r.top[m][h] = -CUDART_INF_F, r.sum[m][h] = 0;
    tile_fetch<T, WIDTH, QUERIES>(own.q, at.q, at.packed, first, s.length);
    tile_fetch<T, WIDTH>(own.stage[0].k, at.k, at.packed, 0, s.length);
    tile_fetch<T, WIDTH>(own.stage[0].v, at.v, at.packed, 0, s.length);
    copies_close();
    for (int key = 0, now = 0; key < end; key += TILE, now ^= 1) {
        copies_wait<0>();
        __syncthreads(); /* and nobody reads the other stage any more */
        if (key + TILE < end) {
            tile_fetch<T, WIDTH>(own.stage[now ^ 1].k, at.k, at.packed, key + TILE, s.length);
            tile_fetch<T, WIDTH>(own.stage[now ^ 1].v, at.v, at.packed, key + TILE, s.length);
        }
        copies_close();
        if (key < query + BANDS * 16)
            walk_tile<T, WIDTH>(r, gathered, own.q, own.stage[now].k, own.stage[now].v, query, key,
                                lean);
    }
#pragma unroll
    for (int m = 0; m < BANDS; m++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            int row = query + m * 16 + row_of(2 * h);
            float sum = across_row(r.sum[m][h], add());
#pragma unroll
            for (int n = 0; n < WIDTH / 8; n++)
                gathered[m][n].x[2 * h] /= sum, gathered[m][n].x[2 * h + 1] /= sum;
            if (row < s.length && threadIdx.x % 4 == 0)
                f.log_sum_exp[at.statistics + row] = (r.top[m][h] + log2f(sum)) / LOG2_E;
        }
#pragma unroll
    for (int m = 0; m < BANDS; m++)
        rows_store<T, WIDTH>((T *)f.y + at.y, at.y_stride, gathered[m], 1, query + m * 16,
                             s.length);
}

template <typename T, int WIDTH>
static void launch_flash_forward(const struct launch *l, const struct attention_forward *f)
{
    const struct attention_shape *s = &f->shape;
    dim3 blocks(s->batch * s->heads, blocks_for(s->length, QUERIES));
    launch_blocks(l, forward<T, WIDTH>, blocks, THREADS, sizeof(forward_tiles<T, WIDTH>), *f);
}

void kernel_flash_forward(const struct launch *l, const struct attention_forward *f)
{
    bool wide = f->shape.head_width == 128;
    if (l->number == NUMBER_BF16)
        (wide ? launch_flash_forward<__nv_bfloat16, 128>
              : launch_flash_forward<__nv_bfloat16, 64>)(l, f);
    else
        (wide ? launch_flash_forward<__half, 128> : launch_flash_forward<__half, 64>)(l, f);
}
