/*
 * Thin products of adapters in 16 bits, on tensor cores: a thin row of 8 is just as wide as the
 * right factor of a warp's product, so that a pass takes little longer than its wide rows take to
 * come.
 *
 * A warp has tiles of 16 rows by 32 columns. Which of a tile's columns is which of a product's does
 * not matter as long as both factors agree; so thread (line, place) has rows `line` and line + 8 of
 * the tile, and of both the eight columns from 8 * place on, in one pack. Word i of a pack holds
 * two neighbours, and is what the thread has to bring to the i-th product of 8 columns.
 */
#include "trainer/device/cuda/kernels/matrix_units.cuh"
#include "trainer/device/cuda/kernels/thin.cuh"

#define WORDS 4 /* of a pack */
#define TILE_COLUMNS 32
#define DOWN_WARPS 16
#define DOWN_AHEAD 2
#define WARPS 4
#define UP_TILES 4  /* of a warp, one after the other */
#define UP_BLOCKS 6 /* of a multiprocessor at a time */
#define AHEAD 4     /* tiles of a warp whose wide rows are on the way at a time */

struct alignas(16) words {
    uint32_t x[WORDS];
};

/* Where a thread stands. */
static __device__ int line_of_lane()
{
    return threadIdx.x % WARP / 4;
}

static __device__ int place_of_lane()
{
    return threadIdx.x % 4;
}

/* Column of the tile that is number `line` of the i-th product. */
static __device__ int column_of_line(int i)
{
    const int line = line_of_lane();
    return line / 2 * EIGHT + i * 2 + line % 2;
}

static __device__ words load_four_words(const void *from, bool there)
{
    return there ? *(const words *)from : words{};
}

static __device__ uint32_t load_pair(const void *from, bool there)
{
    return there ? *(const uint32_t *)from : 0;
}

static __device__ words turned(const words &w)
{
    words turn;
#pragma unroll
    for (int i = 0; i < WORDS; i++)
        turn.x[i] = turned(w.x[i]);
    return turn;
}

static __device__ void keep_words(words &w, unsigned kept)
{
#pragma unroll
    for (int i = 0; i < WORDS; i++)
        w.x[i] &= (kept >> 2 * i & 1 ? 0xffffu : 0) | (kept >> 2 * i & 2 ? 0xffff0000u : 0);
}

/* w as it lies, elements first … first + 7 of thin rows. Not across: word i has columns 2 i and
 * 2 i + 1 of the thread's eight, of element first + line. Across: elements first + 2 place and the
 * next, of column column_of_line(i). Each is the other, turned. */
template <typename T>
static __device__ words factor_as_it_lies(const struct thin &t, int first, int begin)
{
    const T *w = (const T *)t.w;
    const int column = begin + place_of_lane() * EIGHT;
    if (!t.across)
        return load_four_words(w + (size_t)(first + line_of_lane()) * t.width + column,
                               first < t.r && column < t.width);
    words lies;
#pragma unroll
    for (int i = 0; i < WORDS; i++) {
        const int of_line = begin + column_of_line(i);
        lies.x[i] = load_pair(w + (size_t)of_line * t.r + first + place_of_lane() * 2,
                              first < t.r && of_line < t.width);
    }
    return lies;
}

/* ---- down ----------------------------------------------------------------------------------- */

/* Of dropout, some of eight are kept: drawn, and written down. `place` of the first is a multiple
 * of eight, so that those of the others differ from it in three bits. */
static __device__ void keep_drawn(words &x, const struct thin &t, int row, int column, bool writes)
{
    if (!t.bits || row >= t.rows || column >= t.width)
        return;
    const uint64_t first = t.key ^ ((t.first_row + row) * (uint64_t)t.width + column);
    const uint32_t below = (uint32_t)(t.keep * (1 << 24)) << 8;
    uint32_t kept = 0;
#pragma unroll
    for (int i = 0; i < WORDS; i++) {
        const uint32_t mask = (mix_upper(first ^ (2 * i)) < below ? 0xffffu : 0) |
                              (mix_upper(first ^ (2 * i + 1)) < below ? 0xffff0000u : 0);
        x.x[i] &= mask;
        kept |= mask & 0x20001u << 2 * i;
    }
    if (writes)
        *bits_at(t, row, column) = (uint8_t)(kept | kept >> 16);
}

/* What a thread has of a tile's wide rows: `line` and line + 8. */
struct wide_pair {
    words upper, lower;
};

template <typename T>
static __device__ wide_pair load_wide(const struct thin &t, int row, int column)
{
    const bool there = column < t.width;
    return {load_four_words(row_at<T>(t, row) + column, there && row < t.rows),
            load_four_words(row_at<T>(t, row + 8) + column, there && row + 8 < t.rows)};
}

template <typename T>
static __device__ void add_tile(result &sum, const wide_pair &x, const words &w)
{
#pragma unroll
    for (int i = 0; i < WORDS; i += 2)
        multiply_add(sum, left{{x.upper.x[i], x.lower.x[i], x.upper.x[i + 1], x.lower.x[i + 1]}},
                     right{{w.x[i], w.x[i + 1]}}, T());
}

template <typename T>
__global__ void __launch_bounds__(DOWN_WARPS *WARP) units_down(struct thins all)
{
    const struct thin &t = all.of[blockIdx.y % all.n];
    const int first = blockIdx.y / all.n * EIGHT, top = blockIdx.x * THIN_TILE;
    const int warp = threadIdx.x / WARP, me = threadIdx.x, line = top + line_of_lane();
    const int step = DOWN_WARPS * TILE_COLUMNS;
    float *of_warp = (float *)shared_memory();
    result sum = {};
    for (int from = warp * TILE_COLUMNS; from < t.width; from += DOWN_AHEAD * step) {
        wide_pair x[DOWN_AHEAD];
        words w[DOWN_AHEAD];
#pragma unroll
        for (int i = 0; i < DOWN_AHEAD; i++) {
            const int begin = from + i * step;
            x[i] = load_wide<T>(t, line, begin + place_of_lane() * EIGHT);
            w[i] = factor_as_it_lies<T>(t, first, begin);
        }
#pragma unroll
        for (int i = 0; i < DOWN_AHEAD; i++) {
            const int column = from + i * step + place_of_lane() * EIGHT;
            keep_drawn(x[i].upper, t, line, column, first == 0);
            keep_drawn(x[i].lower, t, line + 8, column, first == 0);
            add_tile<T>(sum, x[i], t.across ? turned(w[i]) : w[i]);
        }
    }
    for (int e = 0; e < 4; e++)
        of_warp[(warp * THIN_TILE + row_of(e)) * EIGHT + column_of(0, e)] = sum.x[e];
    __syncthreads();
    const int row = top + me / EIGHT, j = first + me % EIGHT;
    if (me >= THIN_TILE * EIGHT || row >= t.rows)
        return;
    float total = 0;
    for (int i = 0; i < DOWN_WARPS; i++)
        total += of_warp[i * THIN_TILE * EIGHT + me];
    ((T *)t.thin)[(size_t)row * t.r + j] = round_to<T>(factor_of(t) * total);
}

template <typename T> void thin_units_down(const struct launch *l, const struct thins &all)
{
    const struct thin &t = all.of[0];
    const dim3 blocks(blocks_for(t.rows, THIN_TILE), all.n * blocks_for(t.r, EIGHT));
    launch_blocks(l, units_down<T>, blocks, DOWN_WARPS * WARP,
                  DOWN_WARPS * THIN_TILE * EIGHT * sizeof(float), all);
}

/* ---- up ------------------------------------------------------------------------------------- */

/* Thin rows `row` and row + 8, elements first … first + 15. */
template <typename T> static __device__ left thin_rows(const struct thin &t, int row, int first)
{
    left a;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int of = row + i % 2 * 8, j = first + i / 2 * EIGHT;
        a.x[i] = load_pair((const T *)t.thin + (size_t)of * t.r + j + place_of_lane() * 2,
                           of < t.rows && j < t.r);
    }
    return a;
}

/* Elements first … first + 7 of w as the right factor of a product of thin rows. */
template <typename T>
static __device__ words factor_upward(const struct thin &t, int first, int begin)
{
    const words w = factor_as_it_lies<T>(t, first, begin);
    return t.across ? w : turned(w);
}

/* Of dropout, which of eight are kept. */
static __device__ unsigned load_kept(const struct thin &t, int row, int column)
{
    return t.bits && row < t.rows && column < t.width ? *bits_at(t, row, column) : 0xffu;
}

static __device__ void add_kept(float y[EIGHT], const result sum[WORDS], int half, float factor,
                                unsigned kept)
{
#pragma unroll
    for (int k = 0; k < EIGHT; k++)
        if (kept >> k & 1)
            y[k] += factor * sum[k / 2].x[half * 2 + k % 2];
}

/* y += what goes up from one to a tile: eight of each of a thread's two rows. */
template <typename T>
static __device__ void up_one(float y[2][EIGHT], const struct thin &t, const unsigned kept[2],
                              int row, int begin)
{
    result sum[WORDS] = {};
    for (int first = 0; first < t.r; first += 2 * EIGHT) {
        const left a = thin_rows<T>(t, row, first);
        const words low = factor_upward<T>(t, first, begin);
        words high = {};
        if (first + EIGHT < t.r)
            high = factor_upward<T>(t, first + EIGHT, begin);
#pragma unroll
        for (int k = 0; k < WORDS; k++)
            multiply_add(sum[k], a, right{{low.x[k], high.x[k]}}, T());
    }
    const float factor = factor_of(t);
#pragma unroll
    for (int half = 0; half < 2; half++)
        add_kept(y[half], sum, half, factor, kept[half]);
}

template <typename T> static __device__ void widen_words(float out[EIGHT], const words &w)
{
    const pack<T, EIGHT> &x = (const pack<T, EIGHT> &)w;
#pragma unroll
    for (int k = 0; k < EIGHT; k++)
        out[k] = widen(x.of[k]);
}

template <typename T>
static __device__ void store_row(const struct thin &t, int row, int column, const float y[EIGHT])
{
    pack<T, EIGHT> x;
#pragma unroll
    for (int k = 0; k < EIGHT; k++)
        x.of[k] = round_to<T>(y[k]);
    if (row < t.rows && column < t.width)
        store<T, EIGHT>(row_at<T>(t, row) + column, x);
}

/* What a thread needs of a tile to begin with it, but for thin rows. */
struct up_tile {
    wide_pair x;
    unsigned kept[THIN_MAX][2];
};

/* Of those from `from` to `end`, which go up to the same rows. */
template <typename T>
static __device__ up_tile load_up(const struct thins &all, int from, int end, int row, int column)
{
    up_tile tile;
    tile.x = load_wide<T>(all.of[from], row, column);
#pragma unroll
    for (int k = 0; k < THIN_MAX; k++)
#pragma unroll
        for (int half = 0; half < 2; half++)
            tile.kept[k][half] =
                from + k < end ? load_kept(all.of[from + k], row + half * 8, column) : 0;
    return tile;
}

/* A warp goes down its columns, UP_TILES tiles, each on its way while the one before is added to.
 */
template <typename T>
__global__ void __launch_bounds__(WARPS *WARP, UP_BLOCKS) units_up(struct thins all, bool together)
{
    const int parts = together ? 1 : all.n, from = blockIdx.y % parts;
    const int end = together ? all.n : from + 1;
    const int top = blockIdx.y / parts * UP_TILES * THIN_TILE + line_of_lane();
    const int begin = (blockIdx.x * WARPS + threadIdx.x / WARP) * TILE_COLUMNS;
    const int column = begin + place_of_lane() * EIGHT;
    const struct thin &t = all.of[from];
    if (begin >= t.width)
        return;
    up_tile next = load_up<T>(all, from, end, top, column);
#pragma unroll 1
    for (int i = 0; i < UP_TILES; i++) {
        const int row = top + i * THIN_TILE;
        const up_tile tile = next;
        float y[2][EIGHT];
        if (i + 1 < UP_TILES)
            next = load_up<T>(all, from, end, row + THIN_TILE, column);
        widen_words<T>(y[0], tile.x.upper);
        widen_words<T>(y[1], tile.x.lower);
#pragma unroll
        for (int k = 0; k < THIN_MAX; k++)
            if (from + k < end)
                up_one<T>(y, all.of[from + k], tile.kept[k], row, begin);
        store_row<T>(t, row, column, y[0]);
        store_row<T>(t, row + 8, column, y[1]);
    }
}

template <typename T>
void thin_units_up(const struct launch *l, const struct thins &all, int width, bool together)
{
    const int parts = together ? 1 : all.n;
    const dim3 blocks(blocks_for(width, WARPS * TILE_COLUMNS),
                      blocks_for(all.of[0].rows, UP_TILES * THIN_TILE) * parts);
    launch_blocks(l, units_up<T>, blocks, WARPS * WARP, 0, all, together);
}

/* ---- gradients ------------------------------------------------------------------------------ */

/* What a thread has of a tile: wide rows, what was kept of them, thin rows. */
struct gradient_tile {
    wide_pair x;
    unsigned kept_upper, kept_lower;
    uint32_t thin_upper, thin_lower;
};

template <typename T>
static __device__ gradient_tile load_tile(const struct thin &t, int row, int column, int first)
{
    const T *thin = (const T *)t.thin + (size_t)row * t.r + first + place_of_lane() * 2;
    return {load_wide<T>(t, row, column), load_kept(t, row, column), load_kept(t, row + 8, column),
            load_pair(thin, row < t.rows), load_pair(thin + (size_t)8 * t.r, row + 8 < t.rows)};
}

/* sum[h]: its rows are columns of the wide rows, those of products 2 h and 2 h + 1. */
template <typename T> static __device__ void add_gradient(result sum[2], gradient_tile &tile)
{
    keep_words(tile.x.upper, tile.kept_upper);
    keep_words(tile.x.lower, tile.kept_lower);
    const words upper = turned(tile.x.upper), lower = turned(tile.x.lower);
    const right b = {{turned(tile.thin_upper), turned(tile.thin_lower)}};
#pragma unroll
    for (int h = 0; h < 2; h++)
        multiply_add(sum[h],
                     left{{upper.x[2 * h], upper.x[2 * h + 1], lower.x[2 * h], lower.x[2 * h + 1]}},
                     b, T());
}

template <typename T>
__global__ void __launch_bounds__(WARPS *WARP)
    units_sums(struct thins all, float *partial, int chunks, int chunk_rows, int width)
{
    const int chunk = blockIdx.y % chunks, part = blockIdx.y / chunks % all.n;
    const int first = blockIdx.y / chunks / all.n * EIGHT;
    const struct thin &t = all.of[part];
    const int begin = (blockIdx.x * WARPS + threadIdx.x / WARP) * TILE_COLUMNS;
    const int column = begin + place_of_lane() * EIGHT;
    const int end = min(t.rows, (chunk + 1) * chunk_rows);
    result sum[2] = {};
    for (int top = chunk * chunk_rows; top < end; top += AHEAD * THIN_TILE) {
        gradient_tile tile[AHEAD];
#pragma unroll
        for (int i = 0; i < AHEAD; i++)
            tile[i] = load_tile<T>(t, top + i * THIN_TILE + line_of_lane(), column, first);
#pragma unroll
        for (int i = 0; i < AHEAD; i++)
            add_gradient<T>(sum, tile[i]);
    }
    float *to = partial + ((size_t)part * chunks + chunk) * t.r * width;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        const int c = begin + column_of_line(i / 4 * 2 + i % 4 / 2);
        const int j = first + place_of_lane() * 2 + i % 2;
        if (c < t.width)
            to[(size_t)j * width + c] = sum[i / 4].x[i % 4];
    }
}

template <typename T>
void thin_units_sums(const struct launch *l, const struct thins &all, float *partial, int chunks,
                     int chunk_rows, int width)
{
    const dim3 blocks(blocks_for(width, WARPS * TILE_COLUMNS),
                      chunks * all.n * blocks_for(all.of[0].r, EIGHT));
    launch_blocks(l, units_sums<T>, blocks, WARPS * WARP, 0, all, partial, chunks, chunk_rows,
                  width);
}

#define THIN_UNITS_OF(T)                                                                        \
    template void thin_units_down<T>(const struct launch *, const struct thins &);              \
    template void thin_units_up<T>(const struct launch *, const struct thins &, int, bool);     \
    template void thin_units_sums<T>(const struct launch *, const struct thins &, float *, int, \
                                     int, int);
THIN_UNITS_OF(__nv_bfloat16)
THIN_UNITS_OF(__half)
