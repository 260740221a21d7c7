/*
 * Causal attention in fp32, for which there are no tensor cores: tiles of 128 by 128 of the scores,
 * up to the diagonal. Heads 128 wide and lengths that tiles divide; all others are
 * attention_plain.c's.
 *
 *   pairs   scores = q k^T, and dp = dy v^T on the way back: a block computes one tile
 *   rows    softmax, or its gradient, in the same place: a warp takes a row
 *   mixes   y = p v and dq = ds k: a block takes 128 queries, and sums up to their diagonal;
 *           dv = p^T dy and dk = ds^T q: a block takes 128 keys, and sums from their diagonal on
 *
 * A library's products know no diagonal: rows in two parts leave out a quarter of them, tiles leave
 * out (1 - 1/n)/2 of n by n. And it has one distance from factor to factor, so that one product
 * takes the heads of one sequence; here one launch takes those of all, which fills a GPU.
 *
 * No two blocks add to the same place: the same bits, always. To bound the memory of scores, key
 * heads are done as many at a time as fit.
 */
#include "trainer/device/cuda/kernels/attention_tiles.cuh"

#include <math_constants.h>

#define SIDE 128 /* of a tile, and the width of a head */
#define DEPTH 16 /* of a sum, of which both factors lie in shared memory at a time */
#define GAP 4    /* floats behind a row there, so that those of a column lie in different banks */
#define BLOCK 256
#define SCORES_MAX ((size_t)128 << 20) /* bytes at a time, if one key head does not need more */

/* Query heads of one launch: those of key heads [first, …) of all sequences together. */
struct triangle {
    struct attention_shape shape;
    const float *qkv, *dy, *delta;
    float *y, *d_qkv, *log_sum_exp;
    float *p, *ds; /* [query heads, length, length]: scores and dp before they are these */
    int first;
};

/* ---- a product of tiles --------------------------------------------------------------------- */

/* How the sum runs through a factor: along its rows in memory, or from row to row. */
enum run { ALONG, DOWN };

struct factor {
    const float *at; /* first element of the tile's row, or column, of 128 sums */
    size_t stride;   /* elements from row to row */
};

struct slices {
    float a[2][DEPTH][SIDE + GAP], b[2][DEPTH][SIDE + GAP];
};

typedef pack<float, 4> four;

/* DEPTH by SIDE of a factor, from term k of the sum on: 8 elements a thread. */
template <run RUN> __device__ void slice_fetch(four out[2], const factor &f, int k)
{
    const int i = threadIdx.x;
#pragma unroll
    for (int h = 0; h < 2; h++)
        out[h] = load<float, 4>(
            RUN == ALONG ? f.at + (size_t)(i / 4 + h * (SIDE / 2)) * f.stride + k + i % 4 * 4
                         : f.at + (size_t)(k + i / 32 + h * (DEPTH / 2)) * f.stride + i % 32 * 4);
}

template <run RUN> __device__ void slice_put(float to[DEPTH][SIDE + GAP], const four x[2])
{
    const int i = threadIdx.x;
#pragma unroll
    for (int h = 0; h < 2; h++)
        if (RUN == DOWN)
            store<float, 4>(&to[i / 32 + h * (DEPTH / 2)][i % 32 * 4], x[h]);
        else
#pragma unroll
            for (int e = 0; e < 4; e++)
                to[i % 4 * 4 + e][i / 4 + h * (SIDE / 2)] = x[h].of[e];
}

/* A thread has 8 by 8 sums: rows and columns of these numbers, three that follow them, and the four
 * that lie SIDE / 2 behind. A warp's lanes are 4 by 8 threads. */
static __device__ int row_first()
{
    return (threadIdx.x / 64 * 4 + threadIdx.x % 32 / 8) * 4;
}

static __device__ int column_first()
{
    return (threadIdx.x / 32 % 2 * 8 + threadIdx.x % 8) * 4;
}

static __device__ void add_outer(float sums[8][8], const float *a, const float *b)
{
    const four x[2] = {load<float, 4>(a + row_first()), load<float, 4>(a + SIDE / 2 + row_first())};
    const four y[2] = {load<float, 4>(b + column_first()),
                       load<float, 4>(b + SIDE / 2 + column_first())};
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++)
            sums[i][j] = fmaf(x[i / 4].of[i % 4], y[j / 4].of[j % 4], sums[i][j]);
}

/* sums += terms [begin, end) of a times b; the next slices are read while these are multiplied */
template <run A, run B>
__device__ void add_products(float sums[8][8], const factor &a, const factor &b, int begin, int end)
{
    slices &own = *(slices *)shared_memory();
    four next_a[2], next_b[2];
    slice_fetch<A>(next_a, a, begin);
    slice_fetch<B>(next_b, b, begin);
    __syncthreads(); /* an earlier product may still be read */
    slice_put<A>(own.a[0], next_a);
    slice_put<B>(own.b[0], next_b);
    __syncthreads();
    for (int k = begin + DEPTH, now = 0; k <= end; k += DEPTH, now ^= 1) {
        if (k < end) {
            slice_fetch<A>(next_a, a, k);
            slice_fetch<B>(next_b, b, k);
        }
#pragma unroll
        for (int d = 0; d < DEPTH; d++)
            add_outer(sums, own.a[now][d], own.b[now][d]);
        if (k < end) {
            slice_put<A>(own.a[now ^ 1], next_a);
            slice_put<B>(own.b[now ^ 1], next_b);
            __syncthreads();
        }
    }
}

static __device__ void sums_store(float *to, size_t stride, const float sums[8][8], float factor)
{
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            four x;
#pragma unroll
            for (int e = 0; e < 4; e++)
                x.of[e] = sums[i][h * 4 + e] * factor;
            store<float, 4>(to + (size_t)(i / 4 * (SIDE / 2) + row_first() + i % 4) * stride +
                                h * (SIDE / 2) + column_first(),
                            x);
        }
}

/* ---- heads ---------------------------------------------------------------------------------- */

/* Of the launch's query heads: head `i` of key head `key`. */
static __device__ head_rows<float> head_of_launch(const triangle &t, int key, int i)
{
    const int group = t.shape.heads / t.shape.kv_heads, at = t.first + key;
    return find_head(t.shape, t.qkv, at / t.shape.kv_heads, at % t.shape.kv_heads * group + i);
}

static __device__ size_t square(const triangle &t)
{
    return (size_t)t.shape.length * t.shape.length;
}

/* Tile (blockIdx.y / tiles, blockIdx.y % tiles) of query head blockIdx.x. */
template <bool BACK> __global__ void __launch_bounds__(BLOCK, 2) pairs(triangle t)
{
    const int group = t.shape.heads / t.shape.kv_heads, tiles = t.shape.length / SIDE;
    const size_t query = blockIdx.y / tiles * SIDE, key = blockIdx.y % tiles * SIDE;
    const head_rows<float> at = head_of_launch(t, blockIdx.x / group, blockIdx.x % group);
    float sums[8][8] = {};
    if (key > query)
        return;
    const factor a = BACK ? factor{t.dy + at.y + query * at.y_stride, at.y_stride}
                          : factor{at.q + query * at.packed, at.packed};
    const factor b = {(BACK ? at.v : at.k) + key * at.packed, at.packed};
    add_products<ALONG, ALONG>(sums, a, b, 0, SIDE);
    sums_store((BACK ? t.ds : t.p) + blockIdx.x * square(t) + query * t.shape.length + key,
               t.shape.length, sums, BACK ? 1 : rsqrtf((float)SIDE));
}

/* Queries of query head blockIdx.x, those with the most keys first: y, or dq. */
template <bool BACK> __global__ void __launch_bounds__(BLOCK, 2) mix_keys(triangle t)
{
    const int group = t.shape.heads / t.shape.kv_heads;
    const size_t query = (size_t)(gridDim.y - 1 - blockIdx.y) * SIDE;
    const head_rows<float> at = head_of_launch(t, blockIdx.x / group, blockIdx.x % group);
    const size_t length = t.shape.length, place = blockIdx.x * square(t) + query * length;
    float sums[8][8] = {};
    add_products<ALONG, DOWN>(sums, {(BACK ? t.ds : t.p) + place, length},
                              {BACK ? at.k : at.v, at.packed}, 0, (int)query + SIDE);
    if (BACK)
        sums_store(t.d_qkv + (at.q - t.qkv) + query * at.packed, at.packed, sums, 1);
    else
        sums_store(t.y + at.y + query * at.y_stride, at.y_stride, sums, 1);
}

/* Keys of key head blockIdx.x, those with the most queries first: dv, or dk. */
template <bool VALUES> __global__ void __launch_bounds__(BLOCK, 2) mix_queries(triangle t)
{
    const int group = t.shape.heads / t.shape.kv_heads, key = blockIdx.y * SIDE;
    const head_rows<float> first = head_of_launch(t, blockIdx.x, 0);
    float sums[8][8] = {};
    for (int i = 0; i < group; i++) {
        const head_rows<float> at = head_of_launch(t, blockIdx.x, i);
        const size_t place = (blockIdx.x * (size_t)group + i) * square(t) + key;
        const factor b = VALUES ? factor{t.dy + at.y, at.y_stride} : factor{at.q, at.packed};
        add_products<DOWN, DOWN>(sums, {(VALUES ? t.p : t.ds) + place, (size_t)t.shape.length}, b,
                                 key, t.shape.length);
    }
    sums_store(t.d_qkv + ((VALUES ? first.v : first.k) - t.qkv) + key * first.packed, first.packed,
               sums, 1);
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* One row of scores: a warp's, four keys a lane at a time. */
struct score_row {
    size_t place, statistics;
    int last, end; /* its last key, and where the tiles with it end */
    float slope;
};

static __device__ score_row row_of_warp(const triangle &t)
{
    const size_t row = (size_t)blockIdx.x * (BLOCK / WARP) + threadIdx.x / WARP;
    const int length = t.shape.length, group = t.shape.heads / t.shape.kv_heads;
    const int last = (int)(row % length);
    const size_t head = (size_t)t.first * group + row / length;
    return {row * length, head * length + last, last, last / SIDE * SIDE + SIDE,
            t.shape.slopes ? t.shape.slopes[head % t.shape.heads] : 0};
}

/* With what the slope adds for the distance; -inf for keys behind the query. */
static __device__ four scores_at(const triangle &t, const score_row &r, int key)
{
    four x = load<float, 4>(t.p + r.place + key);
#pragma unroll
    for (int e = 0; e < 4; e++)
        x.of[e] = key + e > r.last ? -CUDART_INF_F : x.of[e] + r.slope * (key + e - r.last);
    return x;
}

template <typename Combine> __device__ float warp_combine(float x, Combine combine)
{
    for (int distance = WARP / 2; distance; distance /= 2)
        x = combine(x, __shfl_xor_sync(ALL_LANES, x, distance));
    return x;
}

static __global__ void __launch_bounds__(BLOCK) soften_rows(triangle t)
{
    const score_row r = row_of_warp(t);
    const int begin = threadIdx.x % WARP * 4;
    float top = -CUDART_INF_F, sum = 0;
    for (int key = begin; key < r.end; key += WARP * 4) {
        const four x = scores_at(t, r, key);
        top = fmaxf(top, fmaxf(fmaxf(x.of[0], x.of[1]), fmaxf(x.of[2], x.of[3])));
    }
    top = warp_combine(top, larger());
    for (int key = begin; key < r.end; key += WARP * 4) {
        const four x = scores_at(t, r, key);
#pragma unroll
        for (int e = 0; e < 4; e++)
            sum += expf(x.of[e] - top);
    }
    sum = warp_combine(sum, add());
    for (int key = begin; key < r.end; key += WARP * 4) {
        four x = scores_at(t, r, key);
#pragma unroll
        for (int e = 0; e < 4; e++)
            x.of[e] = expf(x.of[e] - top) / sum;
        store<float, 4>(t.p + r.place + key, x);
    }
    if (begin == 0)
        t.log_sum_exp[r.statistics] = top + logf(sum);
}

static __global__ void __launch_bounds__(BLOCK) soften_rows_backward(triangle t)
{
    const score_row r = row_of_warp(t);
    const float log_sum_exp = t.log_sum_exp[r.statistics], delta = t.delta[r.statistics];
    for (int key = threadIdx.x % WARP * 4; key < r.end; key += WARP * 4) {
        four p = scores_at(t, r, key), ds = load<float, 4>(t.ds + r.place + key);
#pragma unroll
        for (int e = 0; e < 4; e++) {
            p.of[e] = expf(p.of[e] - log_sum_exp);
            ds.of[e] = rsqrtf((float)SIDE) * p.of[e] * (ds.of[e] - delta);
        }
        store<float, 4>(t.p + r.place + key, p);
        store<float, 4>(t.ds + r.place + key, ds);
    }
}

/* ---- launching ------------------------------------------------------------------------------ */

/* Floats of the scores of a key head. */
static size_t scores_of_key(const struct attention_shape *s)
{
    return (size_t)(s->heads / s->kv_heads) * s->length * s->length;
}

static int triangle_keys_at_once(const struct attention_shape *s)
{
    return key_heads_at_once(s, scores_of_key(s) * sizeof(float), SCORES_MAX);
}

bool kernel_triangle_fits(const struct attention_shape *s)
{
    size_t rows = (size_t)s->batch * s->heads * s->length;
    return s->head_width == SIDE && s->length % SIDE == 0 && s->length / SIDE < 256 &&
           rows * sizeof(float) <= KERNEL_SCRATCH;
}

size_t kernel_triangle_bytes(const struct attention_shape *s)
{
    return 2 * triangle_keys_at_once(s) * scores_of_key(s) * sizeof(float);
}

/* Calls `launch` with key heads [t.first, …) and their number until all were there. */
template <typename Launch>
static void each_part(const struct attention_shape *s, triangle t, Launch launch)
{
    const int all = s->batch * s->kv_heads, at_once = triangle_keys_at_once(s);
    for (; t.first < all; t.first += at_once)
        launch(t, all - t.first < at_once ? all - t.first : at_once);
}

void kernel_triangle_forward(const struct launch *l, const struct attention_forward *f,
                             float *scores)
{
    const struct attention_shape *s = &f->shape;
    const unsigned tiles = s->length / SIDE, group = s->heads / s->kv_heads;
    triangle all = {*s};
    all.qkv = (const float *)f->qkv, all.y = (float *)f->y, all.log_sum_exp = f->log_sum_exp;
    all.p = scores;
    each_part(s, all, [&](triangle t, int keys) {
        const unsigned heads = keys * group;
        launch_blocks(l, pairs<false>, dim3(heads, tiles * tiles), BLOCK, sizeof(slices), t);
        launch_blocks(l, soften_rows, dim3(heads * s->length / (BLOCK / WARP)), BLOCK, 0, t);
        launch_blocks(l, mix_keys<false>, dim3(heads, tiles), BLOCK, sizeof(slices), t);
    });
}

void kernel_triangle_backward(const struct launch *l, const struct attention_backward *b,
                              float *scores)
{
    const struct attention_shape *s = &b->shape;
    const unsigned tiles = s->length / SIDE, group = s->heads / s->kv_heads;
    triangle all = {*s};
    kernel_row_dots(l, (float *)l->scratch, s, b->dy, b->y);
    all.qkv = (const float *)b->qkv, all.dy = (const float *)b->dy;
    all.delta = (const float *)l->scratch, all.d_qkv = (float *)b->d_qkv;
    all.log_sum_exp = (float *)b->log_sum_exp;
    all.p = scores, all.ds = scores + triangle_keys_at_once(s) * scores_of_key(s);
    each_part(s, all, [&](triangle t, int keys) {
        const unsigned heads = keys * group;
        launch_blocks(l, pairs<false>, dim3(heads, tiles * tiles), BLOCK, sizeof(slices), t);
        launch_blocks(l, pairs<true>, dim3(heads, tiles * tiles), BLOCK, sizeof(slices), t);
        launch_blocks(l, soften_rows_backward, dim3(heads * s->length / (BLOCK / WARP)), BLOCK, 0,
                      t);
        launch_blocks(l, mix_queries<true>, dim3(keys, tiles), BLOCK, sizeof(slices), t);
        launch_blocks(l, mix_keys<true>, dim3(heads, tiles), BLOCK, sizeof(slices), t);
        launch_blocks(l, mix_queries<false>, dim3(keys, tiles), BLOCK, sizeof(slices), t);
    });
}
