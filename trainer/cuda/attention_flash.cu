/*
 * Causal attention by tensor cores, tile by tile, nothing of [length, length] ever stored (Dao 2023,
 * "FlashAttention-2"). bf16 and fp16, heads 64 or 128 wide. What the trainer uses where cuDNN is
 * missing, and what needs no memory beside its operands.
 *
 * Every warp owns 16 rows of a tile. Products are mma.m16n8k16: a product's result lies in the
 * registers of its warp just as the next one wants its left factor, so scores and their gradients
 * stay there.
 *
 *   forward        a block takes TILE queries and walks over keys and values up to the diagonal
 *   keys, values   a block takes TILE keys and walks over queries from the diagonal on, for every
 *                  query head that reads them
 *   queries        a block takes TILE queries and walks over keys once more
 *
 * Scores are thus computed three times, and no two blocks add to the same place: the same bits,
 * always.
 */
#include "trainer/cuda/kernels.h"
#include "trainer/cuda/pack.cuh"

#include <math_constants.h>

#define TILE 64
#define WARPS 4
#define THREADS (WARPS * WARP)
#define LOG2_E 1.4426950408889634f

/* ---- tiles in shared memory ------------------------------------------------------------------ */

/* Rows are 16 bytes longer than their elements, so that eight rows one below the other lie in
 * different banks. */
template <int WIDTH> constexpr int pitch = WIDTH + 8;
template <int WIDTH> constexpr int tile_elements = TILE * pitch<WIDTH>;

/* Rows [first, first + TILE) of one head, `apart` elements from one row to the next; rows behind
 * the end are zeros. */
template <typename T, int WIDTH>
__device__ void tile_load(T *to, const T *from, size_t apart, int first, int length)
{
    constexpr int packs = WIDTH / 8;
    for (int i = threadIdx.x; i < TILE * packs; i += THREADS) {
        int row = i / packs, column = i % packs * 8;
        pack<T, 8> p = {};
        if (first + row < length)
            p = load<T, 8>(from + (first + row) * apart + column);
        store<T, 8>(to + row * pitch<WIDTH> + column, p);
    }
}

/* ---- matrix units ---------------------------------------------------------------------------- */

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

static __device__ uint32_t shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

/* Rows [row, row + 16), columns [column, column + 16) of a tile, as a left factor. */
template <typename T, int WIDTH> __device__ left take_left(const T *tile, int row, int column)
{
    int lane = threadIdx.x % WARP;
    const T *at = tile + (row + lane % 16) * pitch<WIDTH> + column + lane / 16 * 8;
    left a;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a.x[0]), "=r"(a.x[1]), "=r"(a.x[2]), "=r"(a.x[3])
                 : "r"(shared_address(at)));
    return a;
}

/* The tile's rows [row, row + 8) are the right factor's columns, its columns the rows. */
template <typename T, int WIDTH> __device__ right take_across(const T *tile, int row, int column)
{
    int lane = threadIdx.x % 16;
    const T *at = tile + (row + lane % 8) * pitch<WIDTH> + column + lane / 8 * 8;
    right b;
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(b.x[0]), "=r"(b.x[1])
                 : "r"(shared_address(at)));
    return b;
}

/* Rows [row, row + 16), columns [column, column + 8) of a tile, as a right factor. */
template <typename T, int WIDTH> __device__ right take_right(const T *tile, int row, int column)
{
    int lane = threadIdx.x % 16;
    const T *at = tile + (row + lane) * pitch<WIDTH> + column;
    right b;
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(b.x[0]), "=r"(b.x[1])
                 : "r"(shared_address(at)));
    return b;
}

static __device__ void multiply_add(result &c, const left &a, const right &b, __nv_bfloat16)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c.x[0]), "+f"(c.x[1]), "+f"(c.x[2]), "+f"(c.x[3])
                 : "r"(a.x[0]), "r"(a.x[1]), "r"(a.x[2]), "r"(a.x[3]), "r"(b.x[0]), "r"(b.x[1]));
}

static __device__ void multiply_add(result &c, const left &a, const right &b, __half)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c.x[0]), "+f"(c.x[1]), "+f"(c.x[2]), "+f"(c.x[3])
                 : "r"(a.x[0]), "r"(a.x[1]), "r"(a.x[2]), "r"(a.x[3]), "r"(b.x[0]), "r"(b.x[1]));
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

/* Where element e of result n of this thread lies: row below the warp's first, and column. */
static __device__ int row_of(int e)
{
    return (threadIdx.x % WARP) / 4 + e / 2 * 8;
}

static __device__ int column_of(int n, int e)
{
    return n * 8 + threadIdx.x % 4 * 2 + e % 2;
}

/* out[16, TILE] = rows of this warp in `rows` times all rows of `others`, both WIDTH long */
template <typename T, int WIDTH>
__device__ void products_of_rows(result out[TILE / 8], const T *rows, const T *others)
{
    int first = threadIdx.x / WARP * 16;
    for (int n = 0; n < TILE / 8; n++)
        out[n] = {};
    for (int k = 0; k < WIDTH; k += 16) {
        left a = take_left<T, WIDTH>(rows, first, k);
        for (int n = 0; n < TILE / 8; n++)
            multiply_add(out[n], a, take_across<T, WIDTH>(others, n * 8, k), T());
    }
}

/* out[16, WIDTH] += weights[16, TILE] times the rows of `tile` */
template <typename T, int WIDTH>
__device__ void mix_rows(result out[WIDTH / 8], const result weights[TILE / 8], const T *tile)
{
    for (int k = 0; k < TILE / 16; k++) {
        left a = as_left<T>(weights[2 * k], weights[2 * k + 1]);
        for (int n = 0; n < WIDTH / 8; n++)
            multiply_add(out[n], a, take_right<T, WIDTH>(tile, k * 16, n * 8), T());
    }
}

/* ---- one head -------------------------------------------------------------------------------- */

template <typename T> struct head_rows {
    const T *q, *k, *v; /* first row of the sequence, in the packed rows */
    size_t packed;      /* elements from row to row of these */
    size_t y, y_apart;  /* first element and distance in y and dy */
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

/* Largest, or sum, of the four threads that share a row. */
template <typename Combine> __device__ float across_row(float x, Combine combine)
{
    x = combine(x, __shfl_xor_sync(ALL_LANES, x, 1));
    return combine(x, __shfl_xor_sync(ALL_LANES, x, 2));
}

/* ---- forward --------------------------------------------------------------------------------- */

/* Softmax so far: for each of a thread's two rows, the largest score and the sum (base 2). */
struct running {
    float top[2], sum[2];
};

/* Scores of a tile become weights; what was gathered before is scaled down to the new top. */
template <int WIDTH>
__device__ void soften(running &r, result scores[TILE / 8], result gathered[WIDTH / 8],
                       float scale2, int query, int key)
{
    for (int h = 0; h < 2; h++) {
        float top = r.top[h], sum = 0;
        for (int n = 0; n < TILE / 8; n++)
            for (int e = 2 * h; e < 2 * h + 2; e++) {
                bool seen = key + column_of(n, e) <= query + row_of(e);
                scores[n].x[e] = seen ? scores[n].x[e] * scale2 : -CUDART_INF_F;
                top = fmaxf(top, scores[n].x[e]);
            }
        top = across_row(top, larger());
        float shrink = exp2f(r.top[h] - top);
        for (int n = 0; n < TILE / 8; n++)
            for (int e = 2 * h; e < 2 * h + 2; e++)
                sum += scores[n].x[e] = exp2f(scores[n].x[e] - top);
        r.sum[h] = r.sum[h] * shrink + across_row(sum, add());
        r.top[h] = top;
        for (int n = 0; n < WIDTH / 8; n++)
            gathered[n].x[2 * h] *= shrink, gathered[n].x[2 * h + 1] *= shrink;
    }
}

template <typename T, int WIDTH>
__global__ void __launch_bounds__(THREADS) forward(struct attention_forward f)
{
    extern __shared__ __align__(16) unsigned char shared[];
    T *q = (T *)shared, *k = q + tile_elements<WIDTH>, *v = k + tile_elements<WIDTH>;
    const struct attention_shape s = f.shape;
    int tile = gridDim.x - 1 - blockIdx.x; /* the longest walks first */
    int query = tile * TILE, warp_query = query + threadIdx.x / WARP * 16;
    head_rows<T> at = find_head(s, (const T *)f.qkv, blockIdx.y / s.heads, blockIdx.y % s.heads);
    result gathered[WIDTH / 8] = {}, scores[TILE / 8];
    running r = {{-CUDART_INF_F, -CUDART_INF_F}, {0, 0}};
    tile_load<T, WIDTH>(q, at.q, at.packed, query, s.length);
    for (int key = 0; key <= query; key += TILE) {
        tile_load<T, WIDTH>(k, at.k, at.packed, key, s.length);
        tile_load<T, WIDTH>(v, at.v, at.packed, key, s.length);
        __syncthreads();
        products_of_rows<T, WIDTH>(scores, q, k);
        soften<WIDTH>(r, scores, gathered, LOG2_E * rsqrtf((float)WIDTH), warp_query, key);
        mix_rows<T, WIDTH>(gathered, scores, v);
        __syncthreads();
    }
    for (int h = 0; h < 2; h++) {
        int row = warp_query + row_of(2 * h);
        if (row >= s.length)
            continue;
        T *y = (T *)f.y + at.y + row * at.y_apart;
        for (int n = 0; n < WIDTH / 8; n++)
            *(uint32_t *)(y + column_of(n, 0)) = two<T>(gathered[n].x[2 * h] / r.sum[h],
                                                        gathered[n].x[2 * h + 1] / r.sum[h]);
        if (threadIdx.x % 4 == 0)
            f.log_sum_exp[at.statistics + row] = (r.top[h] + log2f(r.sum[h])) / LOG2_E;
    }
}

/* ---- backward -------------------------------------------------------------------------------- */

/* Weight and gradient of the score of one query and one key. */
static __device__ void score_backward(float &score, float &d, bool seen, float log_sum_exp,
                                      float delta, float scale)
{
    score = seen ? exp2f(LOG2_E * (score * scale - log_sum_exp)) : 0;
    d = score * (d - delta) * scale;
}

/* log_sum_exp and delta of a tile of queries; behind the end, what makes every weight 0. */
static __device__ void statistics_load(float *lse, float *delta, const struct attention_backward &b,
                                       const float *deltas, size_t at, int first)
{
    for (int i = threadIdx.x; i < TILE; i += THREADS) {
        bool there = first + i < b.shape.length;
        lse[i] = there ? b.log_sum_exp[at + first + i] : CUDART_INF_F;
        delta[i] = there ? deltas[at + first + i] : 0;
    }
}

/* Rounded rows of this warp, to where `apart` elements separate rows. */
template <typename T, int WIDTH>
__device__ void rows_store(T *to, size_t apart, const result rows[WIDTH / 8], int first, int length)
{
    for (int h = 0; h < 2; h++) {
        int row = first + row_of(2 * h);
        for (int n = 0; row < length && n < WIDTH / 8; n++)
            *(uint32_t *)(to + row * apart + column_of(n, 0)) =
                two<T>(rows[n].x[2 * h], rows[n].x[2 * h + 1]);
    }
}

/* Everything transposed: rows are keys, columns queries. */
template <typename T, int WIDTH>
__global__ void __launch_bounds__(THREADS) backward_keys(struct attention_backward b,
                                                         const float *deltas)
{
    extern __shared__ __align__(16) unsigned char shared[];
    T *k = (T *)shared, *v = k + tile_elements<WIDTH>, *q = v + tile_elements<WIDTH>;
    T *dy = q + tile_elements<WIDTH>;
    float *lse = (float *)(dy + tile_elements<WIDTH>), *delta = lse + TILE;
    const struct attention_shape s = b.shape;
    int group = s.heads / s.kv_heads, sequence = blockIdx.y / s.kv_heads;
    int kv = blockIdx.y % s.kv_heads, key = blockIdx.x * TILE;
    int warp_key = key + threadIdx.x / WARP * 16;
    result dk[WIDTH / 8] = {}, dv[WIDTH / 8] = {}, p[TILE / 8], ds[TILE / 8];
    head_rows<T> at = find_head(s, (const T *)b.qkv, sequence, kv * group);
    tile_load<T, WIDTH>(k, at.k, at.packed, key, s.length);
    tile_load<T, WIDTH>(v, at.v, at.packed, key, s.length);
    for (int head = kv * group; head < (kv + 1) * group; head++) {
        at = find_head(s, (const T *)b.qkv, sequence, head);
        for (int query = key; query < s.length; query += TILE) {
            tile_load<T, WIDTH>(q, at.q, at.packed, query, s.length);
            tile_load<T, WIDTH>(dy, (const T *)b.dy + at.y, at.y_apart, query, s.length);
            statistics_load(lse, delta, b, deltas, at.statistics, query);
            __syncthreads();
            products_of_rows<T, WIDTH>(p, k, q);
            products_of_rows<T, WIDTH>(ds, v, dy);
            for (int n = 0; n < TILE / 8; n++)
                for (int e = 0; e < 4; e++) {
                    int i = column_of(n, e);
                    score_backward(p[n].x[e], ds[n].x[e], warp_key + row_of(e) <= query + i, lse[i],
                                   delta[i], rsqrtf((float)WIDTH));
                }
            mix_rows<T, WIDTH>(dv, p, dy);
            mix_rows<T, WIDTH>(dk, ds, q);
            __syncthreads();
        }
    }
    T *to = (T *)b.d_qkv + (at.k - (const T *)b.qkv);
    rows_store<T, WIDTH>(to, at.packed, dk, warp_key, s.length);
    to = (T *)b.d_qkv + (at.v - (const T *)b.qkv);
    rows_store<T, WIDTH>(to, at.packed, dv, warp_key, s.length);
}

template <typename T, int WIDTH>
__global__ void __launch_bounds__(THREADS) backward_queries(struct attention_backward b,
                                                            const float *deltas)
{
    extern __shared__ __align__(16) unsigned char shared[];
    T *q = (T *)shared, *dy = q + tile_elements<WIDTH>, *k = dy + tile_elements<WIDTH>;
    T *v = k + tile_elements<WIDTH>;
    float *lse = (float *)(v + tile_elements<WIDTH>), *delta = lse + TILE;
    const struct attention_shape s = b.shape;
    int query = (gridDim.x - 1 - blockIdx.x) * TILE, warp = threadIdx.x / WARP * 16;
    result dq[WIDTH / 8] = {}, p[TILE / 8], ds[TILE / 8];
    head_rows<T> at = find_head(s, (const T *)b.qkv, blockIdx.y / s.heads, blockIdx.y % s.heads);
    tile_load<T, WIDTH>(q, at.q, at.packed, query, s.length);
    tile_load<T, WIDTH>(dy, (const T *)b.dy + at.y, at.y_apart, query, s.length);
    statistics_load(lse, delta, b, deltas, at.statistics, query);
    for (int key = 0; key <= query; key += TILE) {
        tile_load<T, WIDTH>(k, at.k, at.packed, key, s.length);
        tile_load<T, WIDTH>(v, at.v, at.packed, key, s.length);
        __syncthreads();
        products_of_rows<T, WIDTH>(p, q, k);
        products_of_rows<T, WIDTH>(ds, dy, v);
        for (int n = 0; n < TILE / 8; n++)
            for (int e = 0; e < 4; e++) {
                int i = warp + row_of(e);
                score_backward(p[n].x[e], ds[n].x[e], key + column_of(n, e) <= query + i, lse[i],
                               delta[i], rsqrtf((float)WIDTH));
            }
        mix_rows<T, WIDTH>(dq, ds, k);
        __syncthreads();
    }
    T *to = (T *)b.d_qkv + (at.q - (const T *)b.qkv);
    rows_store<T, WIDTH>(to, at.packed, dq, query + warp, s.length);
}

/* ---- launching ------------------------------------------------------------------------------- */

/* Kernels that want more than 48 KiB of shared memory have to be told so. */
template <typename Kernel> static void allow_shared(Kernel kernel, size_t bytes)
{
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
}

template <typename T, int WIDTH>
static void launch_forward(const struct launch *l, const struct attention_forward *f)
{
    const struct attention_shape *s = &f->shape;
    size_t bytes = 3 * tile_elements<WIDTH> * sizeof(T);
    dim3 blocks(blocks_for(s->length, TILE), s->batch * s->heads);
    allow_shared(forward<T, WIDTH>, bytes);
    forward<T, WIDTH><<<blocks, THREADS, bytes, l->stream>>>(*f);
}

template <typename T, int WIDTH>
static void launch_backward(const struct launch *l, const struct attention_backward *b,
                            float *delta)
{
    const struct attention_shape *s = &b->shape;
    size_t bytes = 4 * tile_elements<WIDTH> * sizeof(T) + 2 * TILE * sizeof(float);
    dim3 keys(blocks_for(s->length, TILE), s->batch * s->kv_heads);
    dim3 queries(blocks_for(s->length, TILE), s->batch * s->heads);
    kernel_row_dots(l, delta, s, b->dy, b->y);
    allow_shared(backward_keys<T, WIDTH>, bytes);
    backward_keys<T, WIDTH><<<keys, THREADS, bytes, l->stream>>>(*b, delta);
    allow_shared(backward_queries<T, WIDTH>, bytes);
    backward_queries<T, WIDTH><<<queries, THREADS, bytes, l->stream>>>(*b, delta);
}

bool kernel_flash_fits(enum number number, const struct attention_shape *s)
{
    size_t rows = (size_t)s->batch * s->heads * s->length;
    return number != NUMBER_FP32 && (s->head_width == 64 || s->head_width == 128) &&
           s->batch * s->heads <= 65535 && rows * sizeof(float) <= KERNEL_SCRATCH;
}

void kernel_flash_forward(const struct launch *l, const struct attention_forward *f)
{
    bool wide = f->shape.head_width == 128;
    if (l->number == NUMBER_BF16)
        (wide ? launch_forward<__nv_bfloat16, 128> : launch_forward<__nv_bfloat16, 64>)(l, f);
    else
        (wide ? launch_forward<__half, 128> : launch_forward<__half, 64>)(l, f);
}

void kernel_flash_backward(const struct launch *l, const struct attention_backward *b)
{
    bool wide = b->shape.head_width == 128;
    float *delta = (float *)l->scratch;
    if (l->number == NUMBER_BF16)
        (wide ? launch_backward<__nv_bfloat16, 128> : launch_backward<__nv_bfloat16, 64>)(l, b,
                                                                                       delta);
    else
        (wide ? launch_backward<__half, 128> : launch_backward<__half, 64>)(l, b, delta);
}
