/*
 * device_cpu: the slow twin. Memory is the host's, an operation is done when it returns, and every
 * loop is the formula of device.h. Only matrix products are left to a library (OpenBLAS), held to
 * one thread so that the order of its additions does not depend on the number of cores.
 *
 * Elements are fp32. Sums along a row (norms, softmax) and over whole arrays are taken in double:
 * they cost nothing beside the products, and then the rounding of the result, not the order of
 * addition, is all that a faster device can differ by.
 */
#include "trainer/device/device_cpu_memory.h"

#include "base/arena.h"
#include "base/calendar.h"
#include "trainer/device/blas.h"
#include "trainer/device/device_cpu_pictures.h"
#include "trainer/device/device_cpu_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cpu {
    struct device device; /* first, so that the one is the other */
    struct blas blas;
    float *scores;      /* scratch of attention: two [length, length] matrices */
    size_t scores_room; /* floats */
    double started;     /* the timer */
};

/* ---- memory -------------------------------------------------------------------------------- */

static void cpu_close(struct device *d)
{
    struct cpu *cpu = (struct cpu *)d;
    free(cpu->scores);
    free(cpu);
}

/* Operations are done when they return. */
static void cpu_timer_start(struct device *d)
{
    ((struct cpu *)d)->started = clock_seconds();
}

static int cpu_timer_stop(struct device *d, double *seconds, struct err *err)
{
    (void)err;
    *seconds = clock_seconds() - ((struct cpu *)d)->started;
    return 0;
}

/* ---- matrix products and embedding --------------------------------------------------------- */

static CBLAS_TRANSPOSE transposed(bool yes)
{
    return yes ? CblasTrans : CblasNoTrans;
}

static void cpu_multiply(struct device *d, const struct matrix_product *p)
{
    const struct blas *blas = &((struct cpu *)d)->blas;
    int lda = p->lda ? p->lda : p->transpose_a ? p->m : p->k;
    int ldb = p->ldb ? p->ldb : p->transpose_b ? p->k : p->n;
    int ldc = p->ldc ? p->ldc : p->n;
    const float *a = p->a, *b = p->b;
    float *c = p->c;
    for (int i = 0; i < (p->batch ? p->batch : 1); i++)
        blas->sgemm(CblasRowMajor, transposed(p->transpose_a), transposed(p->transpose_b), p->m,
                    p->n, p->k, p->alpha, a + i * p->stride_a, lda, b + i * p->stride_b, ldb,
                    p->beta, c + i * p->stride_c, ldc);
}

static void cpu_embed_forward(struct device *d, void *y, const int32_t *tokens, const void *table,
                              int rows, int width)
{
    (void)d;
    const float *from = table;
    float *to = y;
    for (int r = 0; r < rows; r++)
        if (tokens[r] < 0)
            memset(to + (size_t)r * width, 0, width * sizeof *to);
        else
            memcpy(to + (size_t)r * width, from + (size_t)tokens[r] * width, width * sizeof *to);
}

static void cpu_embed_backward(struct device *d, float *d_table, const int32_t *tokens,
                               const void *dy_, int rows, int width)
{
    (void)d;
    const float *dy = dy_;
    for (int r = 0; r < rows; r++)
        for (int i = 0; tokens[r] >= 0 && i < width; i++)
            d_table[(size_t)tokens[r] * width + i] += dy[(size_t)r * width + i];
}

/* ---- norm ---------------------------------------------------------------------------------- */

static void cpu_norm_forward(struct device *d, const struct norm_forward *f)
{
    (void)d;
    const float *weight = f->weight;
    for (int r = 0; r < f->rows; r++) {
        size_t at = (size_t)r * f->width;
        const float *x = (const float *)f->x + at;
        float *s = (float *)f->sum + at, *y = (float *)f->y + at;
        double squares = 0;
        for (int i = 0; i < f->width; i++) {
            s[i] = f->residual ? x[i] + ((const float *)f->residual)[at + i] : x[i];
            squares += (double)s[i] * s[i];
        }
        float inverse = (float)(1 / sqrt(squares / f->width + f->eps));
        for (int i = 0; i < f->width; i++)
            y[i] = s[i] * inverse * weight[i];
        f->inverse_rms[r] = inverse;
    }
}

static void cpu_norm_backward(struct device *d, const struct norm_backward *b)
{
    (void)d;
    const float *weight = b->weight, *d_stream = b->d_stream;
    for (int r = 0; r < b->rows; r++) {
        size_t at = (size_t)r * b->width;
        const float *s = (const float *)b->sum + at, *dy = (const float *)b->dy + at;
        float *ds = (float *)b->ds + at, inverse = b->inverse_rms[r];
        float *y = b->y_again ? (float *)b->y_again + at : NULL;
        double gs = 0;
        for (int i = 0; i < b->width; i++)
            gs += (double)dy[i] * weight[i] * s[i];
        float along = (float)(gs / b->width * inverse * inverse);
        for (int i = 0; i < b->width; i++) {
            float past = d_stream ? d_stream[at + i] : 0;
            if (b->d_weight)
                b->d_weight[i] += dy[i] * s[i] * inverse;
            ds[i] = past + inverse * (dy[i] * weight[i] - s[i] * along);
            if (y)
                y[i] = s[i] * inverse * weight[i];
        }
    }
}

/* ---- attention ----------------------------------------------------------------------------- */

static int packed_width(const struct attention_shape *s)
{
    return (s->heads + 2 * s->kv_heads) * s->head_width;
}

/* Turn every query and key vector by direction (+1 or -1) times its angle. */
static void rotate(const struct rotation *r, float direction)
{
    const struct attention_shape *s = &r->shape;
    int half = s->head_width / 2;
    for (int row = 0; row < s->batch * s->length; row++) {
        const float *cosine = r->cosine + (size_t)(row % s->length) * half;
        const float *sine = r->sine + (size_t)(row % s->length) * half;
        for (int head = 0; head < s->heads + s->kv_heads; head++) {
            float *x = (float *)r->qkv + (size_t)row * packed_width(s) + head * s->head_width;
            for (int i = 0; i < half; i++) {
                float a = x[i], b = x[i + half], sin = direction * sine[i];
                x[i] = a * cosine[i] - b * sin;
                x[i + half] = b * cosine[i] + a * sin;
            }
        }
    }
}

static void cpu_rotate_forward(struct device *d, const struct rotation *r)
{
    (void)d;
    rotate(r, 1);
}

static void cpu_rotate_backward(struct device *d, const struct rotation *r)
{
    (void)d;
    rotate(r, -1);
}

/* Offsets of one query head of one sequence, in floats. */
struct head_places {
    size_t q, k, v; /* in qkv and d_qkv, whose rows are packed_width apart */
    size_t y;       /* in y and dy, whose rows are heads * head_width apart */
    size_t row;     /* in log_sum_exp */
};

static struct head_places head_find(const struct attention_shape *s, int sequence, int head)
{
    size_t row = (size_t)sequence * s->length, packed = row * packed_width(s);
    int kv = head / (s->heads / s->kv_heads);
    return (struct head_places){
        .q = packed + (size_t)head * s->head_width,
        .k = packed + (size_t)(s->heads + kv) * s->head_width,
        .v = packed + (size_t)(s->heads + s->kv_heads + kv) * s->head_width,
        .y = (row * s->heads + head) * s->head_width,
        .row = ((size_t)sequence * s->heads + head) * s->length,
    };
}

static size_t scores_room(const struct attention_shape *s)
{
    return 2 * (size_t)s->length * s->length;
}

static float *scores_reserve(struct device *d, const struct attention_shape *s)
{
    struct cpu *cpu = (struct cpu *)d;
    size_t room = scores_room(s);
    if (cpu->scores_room < room) {
        cpu->scores = memory_grow(cpu->scores, room * sizeof *cpu->scores);
        cpu->scores_room = room;
    }
    return cpu->scores;
}

/* C = alpha A B^T: rows of A and B are vectors of one head, C is [length, length]. */
static void cpu_rows_by_rows(const struct blas *blas, const struct attention_shape *s, float alpha,
                             const float *a, int lda, const float *b, int ldb, float *c)
{
    blas->sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, s->length, s->length, s->head_width, alpha,
                a, lda, b, ldb, 0, c, s->length);
}

/* C = op(P) B + beta C: P is [length, length], rows of B and C are vectors of one head. */
static void cpu_mix_rows(const struct blas *blas, const struct attention_shape *s, bool transpose,
                         const float *p, const float *b, int ldb, float beta, float *c, int ldc)
{
    blas->sgemm(CblasRowMajor, transposed(transpose), CblasNoTrans, s->length, s->head_width,
                s->length, 1, p, s->length, b, ldb, beta, c, ldc);
}

/* What the distance of each key adds to the scores of row i. */
static void slope_scores(float *p, int i, const float *slope)
{
    for (int j = 0; slope && j <= i; j++)
        p[j] += *slope * (float)(j - i);
}

/* Of a head; NULL: none. */
static const float *slope_of(const float *slopes, int head)
{
    return slopes ? slopes + head : NULL;
}

/* Scores of a row become probabilities in place, zero beyond i; returns log of their sum. */
static float softmax_until(float *p, int i, int length, const float *slope)
{
    slope_scores(p, i, slope);
    float top = p[0];
    for (int j = 1; j <= i; j++)
        top = p[j] > top ? p[j] : top;
    double sum = 0;
    for (int j = 0; j <= i; j++)
        sum += p[j] = expf(p[j] - top);
    for (int j = 0; j <= i; j++)
        p[j] = (float)(p[j] / sum);
    memset(p + i + 1, 0, (length - i - 1) * sizeof *p);
    return (float)(top + log(sum));
}

static void cpu_attend_forward(struct device *d, const struct attention_forward *f)
{
    const struct blas *blas = &((struct cpu *)d)->blas;
    const struct attention_shape *s = &f->shape;
    const float *qkv = f->qkv;
    float *p = scores_reserve(d, s), scale = 1 / sqrtf((float)s->head_width);
    int packed = packed_width(s), y_width = s->heads * s->head_width;
    for (int h = 0; h < s->batch * s->heads; h++) {
        struct head_places at = head_find(s, h / s->heads, h % s->heads);
        cpu_rows_by_rows(blas, s, scale, qkv + at.q, packed, qkv + at.k, packed, p);
        for (int i = 0; i < s->length; i++)
            f->log_sum_exp[at.row + i] = softmax_until(p + (size_t)i * s->length, i, s->length,
                                                       slope_of(s->slopes, h % s->heads));
        cpu_mix_rows(blas, s, false, p, qkv + at.v, packed, 0, (float *)f->y + at.y, y_width);
    }
}

static void cpu_attend_all(struct device *d, const struct attention_forward *f)
{
    const struct blas *blas = &((struct cpu *)d)->blas;
    const struct attention_shape *s = &f->shape;
    const float *qkv = f->qkv;
    float *p = scores_reserve(d, s), scale = 1 / sqrtf((float)s->head_width);
    int packed = packed_width(s), y_width = s->heads * s->head_width;
    for (int h = 0; h < s->batch * s->heads; h++) {
        struct head_places at = head_find(s, h / s->heads, h % s->heads);
        cpu_rows_by_rows(blas, s, scale, qkv + at.q, packed, qkv + at.k, packed, p);
        for (int i = 0; i < s->length; i++)
            softmax_until(p + (size_t)i * s->length, s->length - 1, s->length, NULL);
        cpu_mix_rows(blas, s, false, p, qkv + at.v, packed, 0, (float *)f->y + at.y, y_width);
    }
}

/* From scores p and dp = dy v^T: p becomes the probabilities, dp the scaled gradient of scores. */
static void scores_backward(const struct attention_backward *b, const struct head_places *at,
                            float scale, const float *slope, float *p, float *dp)
{
    const struct attention_shape *s = &b->shape;
    for (int i = 0; i < s->length; i++, p += s->length, dp += s->length) {
        size_t y = at->y + (size_t)i * s->heads * s->head_width;
        double mean = 0; /* of dp under p, which is dy . y */
        slope_scores(p, i, slope);
        for (int c = 0; c < s->head_width; c++)
            mean += (double)((const float *)b->dy)[y + c] * ((const float *)b->y)[y + c];
        for (int j = 0; j <= i; j++) {
            p[j] = expf(p[j] - b->log_sum_exp[at->row + i]);
            dp[j] = scale * p[j] * (dp[j] - (float)mean);
        }
        memset(p + i + 1, 0, (s->length - i - 1) * sizeof *p);
        memset(dp + i + 1, 0, (s->length - i - 1) * sizeof *dp);
    }
}

static void cpu_attend_backward(struct device *d, const struct attention_backward *b)
{
    const struct blas *blas = &((struct cpu *)d)->blas;
    const struct attention_shape *s = &b->shape;
    const float *qkv = b->qkv, *dy = b->dy;
    float *p = scores_reserve(d, s), *dp = p + (size_t)s->length * s->length;
    float *dqkv = b->d_qkv, scale = 1 / sqrtf((float)s->head_width);
    int packed = packed_width(s), y_width = s->heads * s->head_width;
    /* k and v of a group are added to by each of its query heads */
    memset(dqkv, 0, (size_t)s->batch * s->length * packed * sizeof *dqkv);
    for (int h = 0; h < s->batch * s->heads; h++) {
        struct head_places at = head_find(s, h / s->heads, h % s->heads);
        cpu_rows_by_rows(blas, s, scale, qkv + at.q, packed, qkv + at.k, packed, p);
        cpu_rows_by_rows(blas, s, 1, dy + at.y, y_width, qkv + at.v, packed, dp);
        scores_backward(b, &at, scale, slope_of(s->slopes, h % s->heads), p, dp);
        cpu_mix_rows(blas, s, true, p, dy + at.y, y_width, 1, dqkv + at.v, packed);
        cpu_mix_rows(blas, s, false, dp, qkv + at.k, packed, 0, dqkv + at.q, packed);
        cpu_mix_rows(blas, s, true, dp, qkv + at.q, packed, 1, dqkv + at.k, packed);
    }
}

/* ---- weights to start from ------------------------------------------------------------------ */

static void cpu_draw(struct device *d, float *out, size_t n, float std, const struct rng *start)
{
    (void)d;
    struct rng r = *start;
    for (size_t i = 0; i < n; i++)
        out[i] = std * rng_bell(&r);
}

static void cpu_narrow(struct device *d, void *to, const float *from, size_t n)
{
    (void)d;
    memmove(to, from, n * sizeof *from);
}

/* ---- optimizer ----------------------------------------------------------------------------- */

static void cpu_add_rows(struct device *d, void *to, const void *a, const void *b, size_t n)
{
    (void)d;
    for (size_t i = 0; i < n; i++)
        ((float *)to)[i] = ((const float *)a)[i] + ((const float *)b)[i];
}

static void cpu_add(struct device *d, float *to, const float *x, size_t n)
{
    (void)d;
    for (size_t i = 0; i < n; i++)
        to[i] += x[i];
}

static void cpu_adamw(struct device *d, const struct adamw_step *a)
{
    (void)d;
    /* Copies, because a store through a float pointer might otherwise change what `a` points to,
     * and then nothing is done four at a time. */
    const struct adamw_step s = *a;
    float *restrict w = s.master, *restrict m = s.m, *restrict v = s.v;
    const float *restrict gradient = s.gradient;
    float keep1 = (float)s.beta1, take1 = (float)(1 - s.beta1);
    float keep2 = (float)s.beta2, take2 = (float)(1 - s.beta2);
    for (size_t i = 0; i < s.n; i++) {
        float g = gradient[i] * s.gradient_scale;
        m[i] = keep1 * m[i] + take1 * g;
        v[i] = keep2 * v[i] + take2 * g * g;
        float step = m[i] / s.correction1 / (sqrtf(v[i] / s.correction2) + s.eps);
        w[i] -= s.lr * (s.decay * w[i] + step);
    }
}

static void cpu_add_sum(struct device *d, double *total, const float *x, size_t n)
{
    (void)d;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    *total += sum;
}

static void cpu_add_sum_of_squares(struct device *d, double *total, const float *x, size_t n)
{
    (void)d;
    /* Eight sums side by side, added up in order: one sum would wait for itself at every element.
     */
    double sums[8] = {0};
    size_t whole = n - n % 8;
    for (size_t i = 0; i < whole; i += 8)
        for (size_t lane = 0; lane < 8; lane++)
            sums[lane] += (double)x[i + lane] * x[i + lane];
    for (size_t i = whole; i < n; i++)
        sums[0] += (double)x[i] * x[i];
    for (size_t lane = 0; lane < 8; lane++)
        *total += sums[lane];
}

/* ---- the table ----------------------------------------------------------------------------- */

static int cpu_workspace_bytes(struct device *d, const struct attention_shape *s, size_t product,
                               size_t *bytes, struct err *err)
{
    (void)d, (void)product, (void)err;
    *bytes = scores_room(s) * sizeof(float);
    return 0;
}

static size_t cpu_attend_all_bytes(struct device *d, const struct attention_shape *all,
                                   const struct attention_shape *causal)
{
    size_t more = scores_room(all), there = scores_room(causal);
    return d && more > there ? (more - there) * sizeof(float) : 0;
}

static const struct device_operations cpu_operations = {
    .close = cpu_close,
    .alloc = cpu_alloc,
    .release = cpu_release,
    .zero = cpu_zero,
    .copy = cpu_copy,
    .upload = cpu_copy,
    .download = cpu_download,
    .synchronize = cpu_synchronize,
    .timer_start = cpu_timer_start,
    .timer_stop = cpu_timer_stop,
    .free_bytes = cpu_free_bytes,
    .workspace_bytes = cpu_workspace_bytes,
    .attend_all_bytes = cpu_attend_all_bytes,
    .multiply = cpu_multiply,
    .embed_forward = cpu_embed_forward,
    .embed_backward = cpu_embed_backward,
    .put_rows = cpu_put_rows,
    .norm_forward = cpu_norm_forward,
    .norm_backward = cpu_norm_backward,
    .rotate_forward = cpu_rotate_forward,
    .rotate_backward = cpu_rotate_backward,
    .attend_forward = cpu_attend_forward,
    .attend_backward = cpu_attend_backward,
    .attend_all = cpu_attend_all,
    .swiglu_forward = cpu_swiglu_forward,
    .swiglu_backward = cpu_swiglu_backward,
    .layer_norm = cpu_layer_norm,
    .bias_forward = cpu_bias_forward,
    .bias_backward = cpu_bias_backward,
    .patch_rows = cpu_patch_rows,
    .placed_rows = cpu_placed_rows,
    .thin_down = cpu_thin_down,
    .thin_up = cpu_thin_up,
    .thin_gradient = cpu_thin_gradient,
    .unit_rows = cpu_unit_rows,
    .unit_rows_backward = cpu_unit_rows_backward,
    .cross_entropy = cpu_cross_entropy,
    .entropy_tops = cpu_entropy_tops,
    .entropy_sums = cpu_entropy_sums,
    .entropy_gradients = cpu_entropy_gradients,
    .draw = cpu_draw,
    .narrow = cpu_narrow,
    .add_rows = cpu_add_rows,
    .add = cpu_add,
    .adamw = cpu_adamw,
    .add_sum = cpu_add_sum,
    .add_sum_of_squares = cpu_add_sum_of_squares,
};

int device_cpu_open(struct device **out, struct err *err)
{
    struct blas blas;
    if (blas_open(&blas, err) < 0)
        return -1;
    struct cpu *cpu = memory_alloc(sizeof *cpu);
    cpu->device = (struct device){
        .operations = &cpu_operations,
        .name = "cpu",
        .number = NUMBER_FP32,
        .element_bytes = sizeof(float),
    };
    blas.set_threads(1);
    cpu->blas = blas;
    *out = &cpu->device;
    return 0;
}

const char *device_cpu_blas(struct err *err)
{
    struct blas blas;
    return blas_open(&blas, err) < 0 ? NULL : blas.config();
}
