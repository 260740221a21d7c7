/*
 * Causal attention by tensor cores, tile by tile: backward (attention_flash.cu is the way there).
 *
 *   keys, values   a block takes TILE keys, 16 a warp, and walks over queries from the diagonal on,
 *                  for every query head that reads them. Scores are transposed, rows are keys: so
 *                  dk and dv stay in registers. ds is stored on the way, 2 bytes.
 *   queries        dq = ds k: a block takes 128 queries and walks over the ds of its rows
 *
 * No two blocks add to the same place: the same bits, always. Of ds there are tiles up to the
 * diagonal only, row by row of tiles; in a tile, matrices of 8 by 8 lie one after the other, rows
 * are keys: as they come from products and as they are taken as factors, with no bank in conflict.
 * To bound that memory, key heads are done as many at a time as fit.
 */
#include "trainer/device/cuda/kernels/attention_tiles.cuh"

#define DS_TILE (TILE * TILE)
#define DS_MAX ((size_t)2 << 30) /* bytes at a time, if one key head does not need more */

static __host__ __device__ size_t ds_tile(size_t query_tile, size_t key_tile)
{
    return query_tile * (query_tile + 1) / 2 + key_tile;
}

/* Elements of a query head's ds. */
static __host__ __device__ size_t ds_head(int length)
{
    return ds_tile((length + TILE - 1) / TILE, 0) * DS_TILE;
}

/* Place in a tile of row 0 of the matrix of 8 keys and 8 queries. */
static __device__ int ds_matrix(int keys, int queries)
{
    return (keys * (TILE / 8) + queries) * 64;
}

/* Heads of one launch: key heads [first, …) of all sequences together. */
struct backward_part {
    const float *delta;
    void *ds;
    int first;
};

/* ---- keys and values ---------------------------------------------------------------------------
 */

template <typename T, int WIDTH> struct keys_tiles {
    T k[tile_elements<WIDTH>], v[tile_elements<WIDTH>];
    struct {
        T q[tile_elements<WIDTH>], dy[tile_elements<WIDTH>];
        float log_sum_exp[TILE], delta[TILE];
    } stage[2];
};

/* Queries of a tile, their dy and statistics. Behind the end everything is 0: ds is, and weights
 * meet a dy of 0. */
template <typename T, typename Stage, int WIDTH>
__device__ void queries_fetch(Stage &to, const struct attention_backward &b, const float *delta,
                              int sequence, int head, int first)
{
    head_rows<T> at = find_head(b.shape, (const T *)b.qkv, sequence, head);
    tile_fetch<T, WIDTH>(to.q, at.q, at.packed, first, b.shape.length);
    tile_fetch<T, WIDTH>(to.dy, (const T *)b.dy + at.y, at.y_stride, first, b.shape.length);
    int i = threadIdx.x % TILE;
    bool there = first + i < b.shape.length;
    size_t place = at.statistics + (there ? first + i : 0);
    if (threadIdx.x < TILE)
        copy_4(&to.log_sum_exp[i], &b.log_sum_exp[place], there);
    else
        copy_4(&to.delta[i], &delta[place], there);
    copies_close();
}

/* Scores and dp of 16 keys by TILE queries become weights and ds. */
template <int WIDTH>
__device__ void scores_backward(result p[TILE / 8], result ds[TILE / 8], const float *log_sum_exp,
                                const float *delta, int query, int key, float lean, int length)
{
    const float scale = rsqrtf((float)WIDTH), scale2 = LOG2_E * scale;
    bool all = key + 15 <= query;
#pragma unroll
    for (int n = 0; n < TILE / 8; n++) {
        const float2 offsets = *(const float2 *)(log_sum_exp + column_of(n, 0));
        const float2 deltas = *(const float2 *)(delta + column_of(n, 0));
#pragma unroll
        for (int e = 0; e < 4; e++) {
            float offset = LOG2_E * (e % 2 ? offsets.y : offsets.x);
            if (lean != 0)
                p[n].x[e] = fmaf(lean, key + row_of(e) - (query + column_of(n, e)), p[n].x[e]);
            float x = power_of_two(fmaf(p[n].x[e], scale2, -offset));
            if (!all && key + row_of(e) > query + column_of(n, e))
                x = 0;
            if (lean != 0 && query + column_of(n, e) >= length) /* a slope may have made it large */
                x = 0;
            p[n].x[e] = x;
            ds[n].x[e] = x * scale * (ds[n].x[e] - (e % 2 ? deltas.y : deltas.x));
        }
    }
}

/* Four matrices of ds, as they lie in a left factor, to a tile in memory. */
template <typename T> __device__ void ds_store(T *tile, const left &a, int keys, int queries)
{
#pragma unroll
    for (int i = 0; i < 4; i++)
        *(uint32_t *)(tile + ds_matrix(keys + i % 2, queries + i / 2) + threadIdx.x % WARP * 2) =
            a.x[i];
}

template <typename T, int WIDTH>
__global__ void __launch_bounds__(THREADS, 2)
    backward_keys(struct attention_backward b, struct backward_part part)
{
    keys_tiles<T, WIDTH> &own = *(keys_tiles<T, WIDTH> *)shared_memory();
    const struct attention_shape s = b.shape;
    int group = s.heads / s.kv_heads, at_once = part.first + blockIdx.x;
    int sequence = at_once / s.kv_heads, head = at_once % s.kv_heads * group;
    int key = blockIdx.y * TILE, band = threadIdx.x / WARP * 16;
    int tiles = gridDim.y - blockIdx.y; /* of queries, for each head; the longest walks first */
    result dk[1][WIDTH / 8] = {}, dv[1][WIDTH / 8] = {};
    head_rows<T> at = find_head(s, (const T *)b.qkv, sequence, head);
    tile_fetch<T, WIDTH>(own.k, at.k, at.packed, key, s.length);
    tile_fetch<T, WIDTH>(own.v, at.v, at.packed, key, s.length);
    queries_fetch<T, decltype(own.stage[0]), WIDTH>(own.stage[0], b, part.delta, sequence, head,
                                                    key);
    for (int step = 0; step < group * tiles; step++) {
        auto &now = own.stage[step % 2];
        int next = step + 1, query = key + step % tiles * TILE;
        copies_wait<0>();
        __syncthreads(); /* and nobody reads the other stage any more */
        if (next < group * tiles)
            queries_fetch<T, decltype(own.stage[0]), WIDTH>(own.stage[next % 2], b, part.delta,
                                                            sequence, head + next / tiles,
                                                            key + next % tiles * TILE);
        result p[1][TILE / 8], ds[1][TILE / 8];
        products_of_rows<T, WIDTH, 1>(p, own.k, band, now.q);
        products_of_rows<T, WIDTH, 1>(ds, own.v, band, now.dy);
        scores_backward<WIDTH>(p[0], ds[0], now.log_sum_exp, now.delta, query, key + band,
                               lean_of<WIDTH>(s, head + step / tiles), s.length);
        T *tile = (T *)part.ds + (blockIdx.x * group + step / tiles) * ds_head(s.length) +
                  ds_tile(query / TILE, blockIdx.y) * DS_TILE;
#pragma unroll
        for (int n = 0; n < TILE / 16; n++) {
            left a = as_left<T>(p[0][2 * n], p[0][2 * n + 1]);
            mix_rows<T, WIDTH, 1>(dv, &a, now.dy, n * 16);
            a = as_left<T>(ds[0][2 * n], ds[0][2 * n + 1]);
            ds_store(tile, a, band / 8, 2 * n);
            mix_rows<T, WIDTH, 1>(dk, &a, now.q, n * 16);
        }
    }
    T *to = (T *)b.d_qkv + (at.k - (const T *)b.qkv);
    rows_store<T, WIDTH>(to, at.packed, dk[0], 1, key + band, s.length);
    to = (T *)b.d_qkv + (at.v - (const T *)b.qkv);
    rows_store<T, WIDTH>(to, at.packed, dv[0], 1, key + band, s.length);
}

/* ---- queries -----------------------------------------------------------------------------------
 */

#define PAIR 2 /* tiles of queries of a block */
#define STAGES 3

template <typename T, int WIDTH> struct queries_tiles {
    struct {
        T ds[PAIR][DS_TILE], k[tile_elements<WIDTH>];
    } stage[STAGES];
};

/* The tiles of ds of a pair of query tiles that there are, and the keys; without any behind the
 * last. */
template <typename T, typename Stage, int WIDTH>
__device__ void keys_fetch(Stage &to, const head_rows<T> &at, const T *ds, int query_tile,
                           int key_tile, int tiles, int length)
{
    for (int i = 0; i < PAIR; i++) {
        const T *tile = ds + ds_tile(query_tile + i, key_tile) * DS_TILE;
        if (query_tile + i < tiles && key_tile <= query_tile + i)
#pragma unroll
            for (int n = threadIdx.x * 8; n < DS_TILE; n += THREADS * 8)
                copy_16(to.ds[i] + n, tile + n, true);
    }
    if (key_tile < tiles && key_tile < query_tile + PAIR)
        tile_fetch<T, WIDTH>(to.k, at.k, at.packed, key_tile * TILE, length);
    copies_close();
}

/* 16 queries by 16 keys of a tile of ds, as a left factor. */
template <typename T> __device__ left take_ds(const T *tile, int query, int key)
{
    int lane = threadIdx.x % WARP, matrix = lane / 8;
    left a;
    take_four_across(a.x,
                     tile + ds_matrix(key / 8 + matrix / 2, query / 8 + matrix % 2) + lane % 8 * 8);
    return a;
}

/* Two warps share a tile of queries, each takes half of the width. */
template <typename T, int WIDTH>
__global__ void __launch_bounds__(THREADS, 2)
    backward_queries(struct attention_backward b, struct backward_part part)
{
    constexpr int half = WIDTH / 2;
    queries_tiles<T, WIDTH> &own = *(queries_tiles<T, WIDTH> *)shared_memory();
    const struct attention_shape s = b.shape;
    int group = s.heads / s.kv_heads, at_once = part.first * group + blockIdx.x;
    int tiles = (s.length + TILE - 1) / TILE, first = (gridDim.y - 1 - blockIdx.y) * PAIR;
    int mine = threadIdx.x / WARP / 2, column = threadIdx.x / WARP % 2 * half;
    result dq[TILE / 16][half / 8] = {};
    head_rows<T> at = find_head(s, (const T *)b.qkv, at_once / s.heads, at_once % s.heads);
    const T *ds = (const T *)part.ds + blockIdx.x * ds_head(s.length);
    int end = min(first + PAIR, tiles);
    for (int tile = 0; tile < STAGES - 1; tile++)
        keys_fetch<T, decltype(own.stage[0]), WIDTH>(own.stage[tile], at, ds, first, tile, tiles,
                                                     s.length);
    for (int tile = 0; tile < end; tile++) {
        auto &now = own.stage[tile % STAGES];
        copies_wait<STAGES - 2>();
        __syncthreads();
        keys_fetch<T, decltype(own.stage[0]), WIDTH>(own.stage[(tile + STAGES - 1) % STAGES], at,
                                                     ds, first, tile + STAGES - 1, tiles, s.length);
        if (tile > first + mine || first + mine >= tiles)
            continue;
#pragma unroll
        for (int k = 0; k < TILE; k += 16) {
            left a[TILE / 16];
#pragma unroll
            for (int m = 0; m < TILE / 16; m++)
                a[m] = take_ds(now.ds[mine], m * 16, k);
#pragma unroll
            for (int n = 0; n < half / 8; n += 2) {
                right f[2];
                take_right<T, WIDTH>(f, now.k, k, column + n * 8);
#pragma unroll
                for (int m = 0; m < TILE / 16; m++) {
                    multiply_add(dq[m][n], a[m], f[0], T());
                    multiply_add(dq[m][n + 1], a[m], f[1], T());
                }
            }
        }
    }
    T *to = (T *)b.d_qkv + (at.q - (const T *)b.qkv) + column;
#pragma unroll
    for (int m = 0; m < TILE / 16; m++)
        rows_store<T, half>(to, at.packed, dq[m], 1, (first + mine) * TILE + m * 16, s.length);
}

/* ---- launching ---------------------------------------------------------------------------------
 */

template <typename T, int WIDTH>
static void launch_flash_backward(const struct launch *l, const struct attention_backward *b,
                                  void *ds, int at_once)
{
    const struct attention_shape *s = &b->shape;
    int group = s->heads / s->kv_heads, all = s->batch * s->kv_heads;
    unsigned tiles = blocks_for(s->length, TILE);
    for (int first = 0; first < all; first += at_once) {
        struct backward_part part = {(const float *)l->scratch, ds, first};
        int n = all - first < at_once ? all - first : at_once;
        launch_blocks(l, backward_keys<T, WIDTH>, dim3(n, tiles), THREADS,
                      sizeof(keys_tiles<T, WIDTH>), *b, part);
        launch_blocks(l, backward_queries<T, WIDTH>, dim3(n * group, blocks_for(tiles, PAIR)),
                      THREADS, sizeof(queries_tiles<T, WIDTH>), *b, part);
    }
}

static int heads_at_once(const struct attention_shape *s)
{
    return key_heads_at_once(s, (size_t)(s->heads / s->kv_heads) * ds_head(s->length) * 2, DS_MAX);
}

size_t kernel_flash_bytes(const struct attention_shape *s)
{
    return heads_at_once(s) * (size_t)(s->heads / s->kv_heads) * ds_head(s->length) * 2;
}

bool kernel_flash_fits(enum number number, const struct attention_shape *s)
{
    size_t rows = (size_t)s->batch * s->heads * s->length;
    return number != NUMBER_FP32 && (s->head_width == 64 || s->head_width == 128) &&
           (s->length - 1) / TILE < 65535 && rows * sizeof(float) <= KERNEL_SCRATCH;
}

void kernel_flash_backward(const struct launch *l, const struct attention_backward *b, void *ds)
{
    bool wide = b->shape.head_width == 128;
    int n = heads_at_once(&b->shape);
    kernel_row_dots(l, (float *)l->scratch, &b->shape, b->dy, b->y);
    if (l->number == NUMBER_BF16)
        (wide ? launch_flash_backward<__nv_bfloat16, 128>
              : launch_flash_backward<__nv_bfloat16, 64>)(l, b, ds, n);
    else
        (wide ? launch_flash_backward<__half, 128> : launch_flash_backward<__half, 64>)(l, b, ds,
                                                                                        n);
}
