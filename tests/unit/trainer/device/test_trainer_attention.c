/*
 * Rotation and attention of the CPU device: against the formula written out in double, and
 * backward passes against finite differences.
 */
#include "tests/unit/device_bench.h"
#include "tests/unit/gradient.h"

/* ---- rotation ------------------------------------------------------------------------------ */

static const struct attention_shape small = {
    .batch = 2, .length = 5, .heads = 4, .kv_heads = 2, .head_width = 6};

static size_t rows_of(const struct attention_shape *s)
{
    return (size_t)s->batch * s->length;
}

static size_t packed(const struct attention_shape *s)
{
    return (size_t)(s->heads + 2 * s->kv_heads) * s->head_width;
}

static struct rotation rotation_make(struct fixture *f, const struct attention_shape *s, float *qkv)
{
    int half = s->head_width / 2;
    float *cosine = zeros(f, s->length * half), *sine = zeros(f, s->length * half);
    for (int i = 0; i < s->length * half; i++) {
        double angle = i / half * pow(10000, -(double)(i % half) / half);
        cosine[i] = (float)cos(angle);
        sine[i] = (float)sin(angle);
    }
    return (struct rotation){*s, cosine, sine, qkv};
}

/* A rotation keeps lengths, leaves position 0 and the values alone, and is undone by its
 * backward pass. Each element is two products and a sum: 4 * 2^-24 of the vector's length. */
static void rotation_keeps_norms_and_is_undone(void **state)
{
    struct fixture *f = *state;
    const struct attention_shape *s = &small;
    size_t n = rows_of(s) * packed(s);
    float *qkv = randoms(f, n), *before = copy(f, qkv, n);
    struct rotation r = rotation_make(f, s, qkv);
    f->op->rotate_forward(f->device, &r);
    for (size_t at = 0; at < n; at += s->head_width) {
        double norm = dot(before + at, before + at, s->head_width);
        assert_float_equal(dot(qkv + at, qkv + at, s->head_width) / norm, 1, 1e-6);
        bool still = at / packed(s) % s->length == 0 ||
                     at % packed(s) >= (size_t)(s->heads + s->kv_heads) * s->head_width;
        assert_int_equal(still, memcmp(qkv + at, before + at, s->head_width * 4) == 0);
    }
    f->op->rotate_backward(f->device, &r);
    for (size_t i = 0; i < n; i++)
        assert_float_equal(qkv[i], before[i], 2e-6);
}

/* What rotary embedding is for: a score depends on how far apart the two positions are. */
static void rotated_scores_depend_on_distance_only(void **state)
{
    struct fixture *f = *state;
    const struct attention_shape s = {1, 8, 1, 1, 6, NULL};
    float *qkv = zeros(f, 8 * packed(&s)), *q = randoms(f, 6), *k = randoms(f, 6);
    for (int row = 0; row < 8; row++) {
        memcpy(qkv + row * 18, q, 6 * sizeof *q);
        memcpy(qkv + row * 18 + 6, k, 6 * sizeof *k);
    }
    struct rotation r = rotation_make(f, &s, qkv);
    f->op->rotate_forward(f->device, &r);
    for (int distance = 0; distance < 8; distance++)
        for (int row = distance; row < 8; row++)
            assert_float_equal(dot(qkv + row * 18, qkv + (row - distance) * 18 + 6, 6),
                               dot(qkv + distance * 18, qkv + 6, 6), 1e-5);
}

/* ---- attention ----------------------------------------------------------------------------- */

struct attention_case {
    struct fixture *f;
    struct attention_forward forward;
    float *cy; /* the loss is cy . y */
};

static double attention_loss(void *context)
{
    struct attention_case *c = context;
    const struct attention_shape *s = &c->forward.shape;
    c->f->op->attend_forward(c->f->device, &c->forward);
    return dot(c->cy, c->forward.y, rows_of(s) * s->heads * s->head_width);
}

static struct attention_case attention_make(struct fixture *f, const struct attention_shape *s,
                                            const float *qkv, float *cy)
{
    size_t n = rows_of(s) * s->heads;
    return (struct attention_case){f, {*s, qkv, zeros(f, n * s->head_width), zeros(f, n)}, cy};
}

static float *attention_gradient(const struct attention_case *c)
{
    const struct attention_forward *a = &c->forward;
    float *d_qkv = randoms(c->f, rows_of(&a->shape) * packed(&a->shape)); /* is overwritten */
    c->f->op->attend_backward(
        c->f->device,
        &(struct attention_backward){a->shape, a->qkv, a->y, c->cy, a->log_sum_exp, d_qkv});
    return d_qkv;
}

static void attention_gradients(void **state)
{
    struct fixture *f = *state;
    const struct attention_shape *s = &small;
    size_t n = rows_of(s) * packed(s);
    float *qkv = randoms(f, n);
    struct attention_case c =
        attention_make(f, s, qkv, randoms(f, rows_of(s) * s->heads * s->head_width));
    attention_loss(&c);
    check_gradient("qkv", qkv, attention_gradient(&c), n, attention_loss, &c);
}

/* The definition, head by head in double. */
static void attention_is_what_the_formula_says(void **state)
{
    struct fixture *f = *state;
    const struct attention_shape *s = &small;
    int w = s->head_width;
    float *qkv = randoms(f, rows_of(s) * packed(s));
    struct attention_case c = attention_make(f, s, qkv, zeros(f, rows_of(s) * s->heads * w));
    attention_loss(&c);
    for (int b = 0; b < s->batch; b++)
        for (int h = 0; h < s->heads; h++)
            for (int i = 0; i < s->length; i++) {
                const float *sequence = qkv + (size_t)b * s->length * packed(s);
                const float *k = sequence + (s->heads + h / 2) * w, *v = k + s->kv_heads * w;
                double p[8], sum = 0, y = 0;
                for (int j = 0; j <= i; j++)
                    sum += p[j] =
                        exp(dot(sequence + i * packed(s) + h * w, k + j * packed(s), w) / sqrt(w));
                for (int j = 0; j <= i; j++)
                    y += p[j] / sum * v[j * packed(s) + 3];
                const float *got = c.forward.y;
                assert_float_equal(got[((b * s->length + i) * s->heads + h) * w + 3], y, 1e-5);
                assert_float_equal(c.forward.log_sum_exp[(b * s->heads + h) * s->length + i],
                                   log(sum), 1e-5);
            }
}

/* Grouped queries are multi-head attention whose k and v are written out once per query head;
 * the gradient of a shared k or v is the sum over those copies. */
static void grouped_queries_equal_repeated_heads(void **state)
{
    struct fixture *f = *state;
    const struct attention_shape *s = &small;
    struct attention_shape full = *s;
    full.kv_heads = full.heads;
    int w = s->head_width;
    float *qkv = randoms(f, rows_of(s) * packed(s));
    float *wide = zeros(f, rows_of(s) * packed(&full));
    for (size_t row = 0; row < rows_of(s); row++)
        for (int h = 0; h < 3 * s->heads; h++) { /* q, then copies of k, then copies of v */
            int from = h < 4 ? h : h < 8 ? 4 + (h - 4) / 2 : 6 + (h - 8) / 2;
            memcpy(wide + row * packed(&full) + h * w, qkv + row * packed(s) + from * w, w * 4);
        }
    size_t y_n = rows_of(s) * s->heads * w;
    float *cy = randoms(f, y_n);
    struct attention_case grouped = attention_make(f, s, qkv, cy);
    struct attention_case repeated = attention_make(f, &full, wide, cy);
    attention_loss(&grouped);
    attention_loss(&repeated);
    assert_memory_equal(grouped.forward.y, repeated.forward.y, y_n * sizeof(float));
    float *d = attention_gradient(&grouped), *d_wide = attention_gradient(&repeated);
    for (size_t row = 0; row < rows_of(s); row++)
        for (int i = 0; i < 4 * w; i++) {
            int at = (4 + i / w * 2) * w + i % w; /* the first copy of this k or v */
            const float *copies = d_wide + row * packed(&full) + at;
            assert_float_equal(d[row * packed(s) + 4 * w + i], copies[0] + copies[w], 2e-6);
        }
}

/* Scores far beyond what exp can hold: the largest is subtracted first. */
static void attention_survives_large_scores(void **state)
{
    struct fixture *f = *state;
    const struct attention_shape s = {1, 3, 1, 1, 2, NULL};
    float qkv[18] = {300,  300, 300, 300, 1,   2,   300, 300, -300,
                     -300, 3,   4,   300, 300, 300, 300, 5,   6};
    struct attention_case c = attention_make(f, &s, qkv, randoms(f, 6));
    attention_loss(&c);
    const float want[6] = {1, 2, 1, 2, 3, 4}; /* rows 0 and 2 attract, row 1 repels */
    assert_memory_equal(c.forward.y, want, sizeof want);
    float *d = attention_gradient(&c);
    for (int i = 0; i < 18; i++)
        assert_true(isfinite(d[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_DEVICE(rotation_keeps_norms_and_is_undone),
        ON_DEVICE(rotated_scores_depend_on_distance_only),
        ON_DEVICE(attention_gradients),
        ON_DEVICE(attention_is_what_the_formula_says),
        ON_DEVICE(grouped_queries_equal_repeated_heads),
        ON_DEVICE(attention_survives_large_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
