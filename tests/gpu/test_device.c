/*
 * Every operation of trainer/device/device.h on the GPU beside the processor's twin: the same
 * random inputs (rounded to the format under test), results compared as |gpu - cpu| / |cpu| in the
 * Euclidean norm. Outputs begin as NaN on both sides, so that an element that was not written
 * shows. test_exact.c has the inputs whose exact result is known.
 *
 * Needs an NVIDIA GPU; one TAP line per operation, shape and format.
 */
#include "tests/gpu/twin.h"
#include "trainer/device/cuda/device_cuda.h"
#include "trainer/device/precision.h"
#include "trainer/device/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- operations ----------------------------------------------------------------------------- */

static void multiply(struct twin *t, bool ta, bool tb, int m, int n, int k, float beta, bool wide)
{
    char what[100];
    struct pair a = pair_random(t, (size_t)m * k, false, 1);
    struct pair b = pair_random(t, (size_t)k * n, false, 1);
    struct pair c = beta != 0 ? pair_random(t, (size_t)m * n, wide, 1)
                              : pair_filled(t, (size_t)m * n, wide, NAN);
    struct matrix_product p = {.transpose_a = ta, .transpose_b = tb, .m = m, .n = n, .k = k};
    p.alpha = 0.5f;
    p.beta = beta;
    p.c_fp32 = wide;
    p.a = a.cpu, p.b = b.cpu, p.c = c.cpu;
    t->cpu->operations->multiply(t->cpu, &p);
    p.a = a.gpu, p.b = b.gpu, p.c = c.gpu;
    t->gpu->operations->multiply(t->gpu, &p);
    snprintf(what, sizeof what, "product %s%s [%d, %d, %d] beta %g%s", ta ? "T" : "N",
             tb ? "T" : "N", m, n, k, beta, wide ? " into fp32" : "");
    pair_compare(t, &c, what, t->limit);
    pair_release(t, &a);
    pair_release(t, &b);
}

static void products(struct twin *t)
{
    for (int i = 0; i < 4; i++) {
        multiply(t, i & 1, i & 2, 128, 256, 64, 0, false);
        multiply(t, i & 1, i & 2, 70, 30, 50, 0, false);
        multiply(t, i & 1, i & 2, 128, 96, 160, 1, true);
    }
}

static void norm(struct twin *t, int rows, int width, bool residual)
{
    char what[100];
    size_t n = (size_t)rows * width;
    struct pair x = pair_random(t, n, false, 1), r = pair_random(t, n, false, 1);
    struct pair w = pair_random(t, width, false, 1), sum = pair_filled(t, n, false, NAN);
    struct pair y = pair_filled(t, n, false, NAN), inverse = pair_filled(t, rows, true, NAN);
    struct norm_forward f = {.rows = rows, .width = width, .eps = 1e-5f};
    f.x = x.cpu, f.residual = residual ? r.cpu : NULL, f.weight = w.cpu;
    f.sum = sum.cpu, f.y = y.cpu, f.inverse_rms = inverse.cpu;
    t->cpu->operations->norm_forward(t->cpu, &f);
    f.x = x.gpu, f.residual = residual ? r.gpu : NULL, f.weight = w.gpu;
    f.sum = sum.gpu, f.y = y.gpu, f.inverse_rms = inverse.gpu;
    t->gpu->operations->norm_forward(t->gpu, &f);

    struct pair dy = pair_random(t, n, false, 1), past = pair_random(t, n, false, 1);
    struct pair ds = pair_filled(t, n, false, NAN), dw = pair_random(t, width, true, 1);
    struct norm_backward b = {.rows = rows, .width = width};
    b.sum = sum.cpu, b.weight = w.cpu, b.dy = dy.cpu, b.d_stream = residual ? past.cpu : NULL;
    b.inverse_rms = inverse.cpu, b.ds = ds.cpu, b.d_weight = dw.cpu;
    t->cpu->operations->norm_backward(t->cpu, &b);
    b.sum = sum.gpu, b.weight = w.gpu, b.dy = dy.gpu, b.d_stream = residual ? past.gpu : NULL;
    b.inverse_rms = inverse.gpu, b.ds = ds.gpu, b.d_weight = dw.gpu;
    b.y_again = dy.gpu;
    t->gpu->operations->norm_backward(t->gpu, &b);

    snprintf(what, sizeof what, "norm [%d, %d]%s", rows, width, residual ? " with residual" : "");
    pair_compare_again(t, &dy, &y, what);
    pair_compare(t, &sum, what, t->limit);
    pair_compare(t, &y, what, t->limit);
    pair_compare(t, &inverse, what, t->limit);
    pair_compare(t, &ds, what, t->limit);
    pair_compare(t, &dw, what, t->limit);
    struct pair *rest[] = {&x, &r, &w, &dy, &past};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        pair_release(t, rest[i]);
}

static void turn(struct twin *t, struct attention_shape s)
{
    size_t rows = (size_t)s.batch * s.length, packed = (s.heads + 2 * s.kv_heads) * s.head_width;
    size_t angles = (size_t)s.length * (s.head_width / 2);
    struct pair qkv = pair_random(t, rows * packed, false, 1);
    struct pair cosine = pair_random(t, angles, true, 1), sine = pair_random(t, angles, true, 1);
    struct rotation r = {.shape = s};
    r.cosine = cosine.cpu, r.sine = sine.cpu, r.qkv = qkv.cpu;
    t->cpu->operations->rotate_forward(t->cpu, &r);
    t->cpu->operations->rotate_backward(t->cpu, &r);
    t->cpu->operations->rotate_forward(t->cpu, &r);
    r.cosine = cosine.gpu, r.sine = sine.gpu, r.qkv = qkv.gpu;
    t->gpu->operations->rotate_forward(t->gpu, &r);
    t->gpu->operations->rotate_backward(t->gpu, &r);
    t->gpu->operations->rotate_forward(t->gpu, &r);
    pair_compare(t, &qkv, "rotation there, back and there", t->limit);
    pair_release(t, &cosine);
    pair_release(t, &sine);
}

static void attend(struct twin *t, struct attention_shape s, bool alibi)
{
    char what[120];
    size_t rows = (size_t)s.batch * s.length, packed = (s.heads + 2 * s.kv_heads) * s.head_width;
    size_t width = (size_t)s.heads * s.head_width;
    struct pair qkv = pair_random(t, rows * packed, false, 1);
    struct pair y = pair_filled(t, rows * width, false, NAN);
    struct pair lse = pair_filled(t, rows * s.heads, true, NAN);
    struct pair slopes = pair_random(t, s.heads, true, 0.25f);
    struct attention_forward f = {.shape = s};
    struct attention_backward b = {.shape = s};
    f.shape.slopes = b.shape.slopes = alibi ? slopes.cpu : NULL;
    f.qkv = qkv.cpu, f.y = y.cpu, f.log_sum_exp = lse.cpu;
    t->cpu->operations->attend_forward(t->cpu, &f);
    f.shape.slopes = alibi ? slopes.gpu : NULL;
    f.qkv = qkv.gpu, f.y = y.gpu, f.log_sum_exp = lse.gpu;
    t->gpu->operations->attend_forward(t->gpu, &f);

    struct pair dy = pair_random(t, rows * width, false, 1);
    struct pair dqkv = pair_filled(t, rows * packed, false, NAN);
    b.qkv = qkv.cpu, b.y = y.cpu, b.dy = dy.cpu, b.log_sum_exp = lse.cpu, b.d_qkv = dqkv.cpu;
    t->cpu->operations->attend_backward(t->cpu, &b);
    b.shape.slopes = f.shape.slopes;
    b.qkv = qkv.gpu, b.y = y.gpu, b.dy = dy.gpu, b.log_sum_exp = lse.gpu, b.d_qkv = dqkv.gpu;
    t->gpu->operations->attend_backward(t->gpu, &b);
    snprintf(what, sizeof what, "attention%s %d x %d, %d heads on %d, %d wide",
             alibi ? " with slopes" : "", s.batch, s.length, s.heads, s.kv_heads, s.head_width);
    pair_compare(t, &y, what, t->limit);
    pair_compare(t, &lse, what, t->limit);
    pair_compare(t, &dqkv, what, 2 * t->limit);
    pair_release(t, &slopes);
    pair_release(t, &qkv);
    pair_release(t, &dy);
}

static void swiglu(struct twin *t, int rows, int width)
{
    size_t n = (size_t)rows * width;
    struct pair in = pair_random(t, 2 * n, false, 1), dy = pair_random(t, n, false, 1);
    struct pair y = pair_filled(t, n, false, NAN), din = pair_filled(t, 2 * n, false, NAN);
    t->cpu->operations->swiglu_forward(t->cpu, y.cpu, in.cpu, rows, width);
    t->gpu->operations->swiglu_forward(t->gpu, y.gpu, in.gpu, rows, width);
    struct swiglu_backward b = {rows, width, in.cpu, dy.cpu, din.cpu, NULL};
    t->cpu->operations->swiglu_backward(t->cpu, &b);
    b = (struct swiglu_backward){rows, width, in.gpu, dy.gpu, din.gpu, dy.gpu};
    t->gpu->operations->swiglu_backward(t->gpu, &b);
    pair_compare_again(t, &dy, &y, "swiglu");
    pair_compare(t, &y, "swiglu", t->limit);
    pair_compare(t, &din, "swiglu backward", t->limit);
    pair_release(t, &in);
    pair_release(t, &dy);
}

static void embed(struct twin *t, int rows, int width, int vocabulary)
{
    struct pair tokens = pair_tokens(t, rows, 0, vocabulary);
    struct pair table = pair_random(t, (size_t)vocabulary * width, false, 1);
    struct pair y = pair_filled(t, (size_t)rows * width, false, NAN);
    struct pair dy = pair_random(t, (size_t)rows * width, false, 1);
    struct pair dtable = pair_random(t, (size_t)vocabulary * width, true, 1);
    t->cpu->operations->embed_forward(t->cpu, y.cpu, tokens.cpu, table.cpu, rows, width);
    t->gpu->operations->embed_forward(t->gpu, y.gpu, tokens.gpu, table.gpu, rows, width);
    t->cpu->operations->embed_backward(t->cpu, dtable.cpu, tokens.cpu, dy.cpu, rows, width);
    t->gpu->operations->embed_backward(t->gpu, dtable.gpu, tokens.gpu, dy.gpu, rows, width);
    pair_compare(t, &y, "embedding", 0);
    pair_compare(t, &dtable, "embedding backward, rows in order", 0);
    pair_release(t, &tokens);
    pair_release(t, &table);
    pair_release(t, &dy);
}

static void entropy(struct twin *t, int rows, int vocabulary)
{
    struct pair logits = pair_random(t, (size_t)rows * vocabulary, false, 3);
    struct pair targets = pair_tokens(t, rows, 0, vocabulary);
    struct pair losses = pair_filled(t, rows, true, NAN);
    struct cross_entropy c = {.rows = rows, .vocabulary = vocabulary, .scale = 0.25f};
    c.logits = logits.cpu, c.targets = targets.cpu, c.losses = losses.cpu;
    t->cpu->operations->cross_entropy(t->cpu, &c);
    c.logits = logits.gpu, c.targets = targets.gpu, c.losses = losses.gpu;
    t->gpu->operations->cross_entropy(t->gpu, &c);
    pair_compare(t, &losses, "cross-entropy", 1e-6);
    pair_compare(t, &logits, "cross-entropy backward", t->limit);
    pair_release(t, &targets);
}

/* A row whose token is elsewhere (-1) becomes 0, and adds nothing. */
static void embed_divided(struct twin *t, int rows, int width, int vocabulary)
{
    struct pair tokens = pair_tokens(t, rows, -1, vocabulary);
    struct pair table = pair_random(t, (size_t)vocabulary * width, false, 1);
    struct pair y = pair_filled(t, (size_t)rows * width, false, NAN);
    struct pair dy = pair_random(t, (size_t)rows * width, false, 1);
    struct pair dtable = pair_random(t, (size_t)vocabulary * width, true, 1);
    t->cpu->operations->embed_forward(t->cpu, y.cpu, tokens.cpu, table.cpu, rows, width);
    t->gpu->operations->embed_forward(t->gpu, y.gpu, tokens.gpu, table.gpu, rows, width);
    t->cpu->operations->embed_backward(t->cpu, dtable.cpu, tokens.cpu, dy.cpu, rows, width);
    t->gpu->operations->embed_backward(t->gpu, dtable.gpu, tokens.gpu, dy.gpu, rows, width);
    pair_compare(t, &y, "embedding of a divided vocabulary", 0);
    pair_compare(t, &dtable, "its backward", 0);
    pair_release(t, &tokens);
    pair_release(t, &table);
    pair_release(t, &dy);
}

/* Targets elsewhere (-1), here, and none (-2); tops and sums are this rank's alone. */
static void entropy_divided(struct twin *t, int rows, int vocabulary)
{
    struct pair logits = pair_random(t, (size_t)rows * vocabulary, false, 3);
    struct pair targets = pair_tokens(t, rows, TARGET_NONE, vocabulary);
    struct pair losses = pair_filled(t, rows, true, NAN), tops = pair_filled(t, rows, true, NAN),
                sums = pair_filled(t, 2 * (size_t)rows, true, NAN);
    struct divided_entropy e = {.of = {.rows = rows, .vocabulary = vocabulary, .scale = 0.25f}};
    for (int i = 0; i < 2; i++) {
        struct device *d = i ? t->gpu : t->cpu;
        e.of.logits = i ? logits.gpu : logits.cpu, e.of.targets = i ? targets.gpu : targets.cpu;
        e.of.losses = i ? losses.gpu : losses.cpu, e.tops = i ? tops.gpu : tops.cpu;
        e.sums = i ? sums.gpu : sums.cpu;
        d->operations->entropy_tops(d, &e);
        d->operations->entropy_sums(d, &e);
        d->operations->entropy_gradients(d, &e);
    }
    pair_compare(t, &tops, "largest of divided logits", 0);
    pair_compare(t, &sums, "sums of divided logits", 1e-6);
    pair_compare(t, &losses, "cross-entropy of divided logits", 1e-6);
    pair_compare(t, &logits, "its backward", t->limit);
    pair_release(t, &targets);
}

/* Thin products of n adapters at a time, between 3 columns of rows that are wider than they are. */
static void thin_products(struct twin *t, int rows, int width, int r, bool across, float keep)
{
    enum { N = 2 };
    const int ld = N * width + 8;
    size_t bytes = rows * thin_bits_bytes(width);
    struct pair x = pair_random(t, (size_t)rows * ld, false, 1),
                w = pair_random(t, N * (size_t)width * r, false, 1);
    struct pair thin = pair_filled(t, N * (size_t)rows * r, false, NAN);
    struct pair bits = pair_filled(t, N * bytes, true, 0);
    struct pair gradient = pair_random(t, N * (size_t)width * r, true, 1);
    for (int side = 0; side < 2; side++) {
        struct device *d = side ? t->gpu : t->cpu;
        struct thin of[N];
        for (int i = 0; i < N; i++)
            of[i] = (struct thin){
                .rows = rows,
                .width = width,
                .r = r,
                .ld = ld,
                .across = across,
                .fresh = i == 1,
                .scale = 0.5f,
                .keep = keep,
                .key = 0x123456789abcdef + (uint64_t)i,
                .first_row = 77,
                .bits = keep < 1 ? (uint8_t *)(side ? bits.gpu : bits.cpu) + i * bytes : NULL,
                .x = device_at(d, side ? x.gpu : x.cpu, (size_t)i * width),
                .w = device_at(d, side ? w.gpu : w.cpu, (size_t)i * width * r),
                .thin = device_at(d, side ? thin.gpu : thin.cpu, (size_t)i * rows * r),
                .gradient = (float *)(side ? gradient.gpu : gradient.cpu) + (size_t)i * width * r,
            };
        d->operations->thin_down(d, of, N);
        d->operations->thin_gradient(d, of, N);
        d->operations->thin_up(d, of, N);
        of[1].x = of[0].x; /* one after the other */
        d->operations->thin_up(d, of, N);
    }
    pair_compare(t, &thin, "thin rows", t->limit);
    pair_compare(t, &gradient, "gradients of thin products", t->limit);
    pair_compare(t, &x, "rows with thin ones on top", t->limit);
    pair_release(t, &bits);
    pair_release(t, &w);
}

static void units(struct twin *t, int rows, int width)
{
    size_t n = (size_t)rows * width;
    struct pair w = pair_random(t, n, false, 1), unit = pair_filled(t, n, false, NAN);
    struct pair inverse = pair_filled(t, rows, true, NAN), gradient = pair_random(t, n, true, 1);
    struct unit_rows u = {rows, width, w.cpu, unit.cpu, inverse.cpu};
    t->cpu->operations->unit_rows(t->cpu, &u);
    t->cpu->operations->unit_rows_backward(t->cpu, &u, gradient.cpu);
    u = (struct unit_rows){rows, width, w.gpu, unit.gpu, inverse.gpu};
    t->gpu->operations->unit_rows(t->gpu, &u);
    t->gpu->operations->unit_rows_backward(t->gpu, &u, gradient.gpu);
    pair_compare(t, &unit, "rows of length 1", t->limit);
    pair_compare(t, &inverse, "their lengths", 1e-6);
    pair_compare(t, &gradient, "their backward", t->limit);
    pair_release(t, &w);
}

static void rows_added(struct twin *t, size_t n)
{
    struct pair a = pair_random(t, n, false, 1), b = pair_random(t, n, false, 1);
    struct pair to = pair_filled(t, n, false, NAN);
    t->cpu->operations->add_rows(t->cpu, to.cpu, a.cpu, b.cpu, n);
    t->gpu->operations->add_rows(t->gpu, to.gpu, a.gpu, b.gpu, n);
    pair_compare(t, &to, "rows added", t->limit);
    pair_release(t, &a);
    pair_release(t, &b);
}

static void adamw(struct twin *t, size_t n)
{
    bool own = t->precision->number == NUMBER_FP32;
    struct pair master = pair_random(t, n, true, 1), m = pair_random(t, n, true, 1);
    struct pair v = pair_filled(t, n, true, 0.5f), g = pair_random(t, n, true, 1);
    struct pair weight = pair_filled(t, n, false, NAN);
    struct adamw_step a = {.n = n, .gradient_scale = 0.5f, .lr = 0.01f, .eps = 1e-8f};
    a.decay = 0.1f, a.correction1 = 0.5f, a.correction2 = 0.25f, a.beta1 = 0.9, a.beta2 = 0.95;
    a.weight = a.master = master.cpu, a.m = m.cpu, a.v = v.cpu, a.gradient = g.cpu;
    t->cpu->operations->adamw(t->cpu, &a);
    memcpy(weight.cpu, master.cpu, n * sizeof(float));
    a.weight = own ? master.gpu : weight.gpu;
    a.master = master.gpu, a.m = m.gpu, a.v = v.gpu, a.gradient = g.gpu;
    t->gpu->operations->adamw(t->gpu, &a);
    if (own)
        t->gpu->operations->copy(t->gpu, weight.gpu, master.gpu, n * sizeof(float));
    pair_compare(t, &master, "AdamW master weights", 1e-6);
    pair_compare(t, &m, "AdamW m", 1e-6);
    pair_compare(t, &v, "AdamW v", 1e-6);
    pair_compare(t, &weight, "AdamW weights", t->limit);
    pair_release(t, &g);
}

static void sums(struct twin *t, size_t n)
{
    struct err err = ERR_INIT;
    struct pair x = pair_random(t, n, true, 1);
    double *on_gpu, cpu[2] = {0}, gpu[2] = {0};
    if (t->gpu->operations->alloc(t->gpu, (void **)&on_gpu, sizeof gpu, &err) < 0)
        tap_stop(&err);
    t->cpu->operations->add_sum(t->cpu, &cpu[0], x.cpu, n);
    t->gpu->operations->add_sum(t->gpu, &on_gpu[0], x.gpu, n);
    t->cpu->operations->add_sum_of_squares(t->cpu, &cpu[1], x.cpu, n);
    t->gpu->operations->add_sum_of_squares(t->gpu, &on_gpu[1], x.gpu, n);
    if (t->gpu->operations->download(t->gpu, gpu, on_gpu, sizeof gpu, &err) < 0)
        tap_stop(&err);
    double apart = fabs(gpu[0] - cpu[0]) / sqrt((double)n), squares = fabs(gpu[1] / cpu[1] - 1);
    twin_tell(t, apart < 1e-10, "sum", apart, 1e-10);
    twin_tell(t, squares < 1e-12, "sum of squares", squares, 1e-12);
    t->gpu->operations->release(t->gpu, on_gpu);
    pair_release(t, &x);
}

static void weights(struct twin *t, size_t n)
{
    struct rng start;
    struct pair exact = pair_filled(t, n, true, NAN), narrow = pair_filled(t, n, false, NAN);
    rng_init(&start, 42, RNG_WEIGHTS, 3);
    t->cpu->operations->draw(t->cpu, exact.cpu, n, 0.02f, &start);
    t->gpu->operations->draw(t->gpu, exact.gpu, n, 0.02f, &start);
    for (size_t i = 0; i < n; i++)
        ((float *)narrow.cpu)[i] = twin_rounded(t, ((float *)exact.cpu)[i]);
    t->gpu->operations->narrow(t->gpu, narrow.gpu, exact.gpu, n);
    pair_compare(t, &exact, "weights drawn", 0);
    pair_compare(t, &narrow, "weights rounded", 0);
}

static void all_attention(struct twin *t)
{
    const struct attention_shape shapes[] = {{2, 64, 4, 2, 16, NULL},  {1, 33, 2, 2, 10, NULL},
                                             {2, 128, 8, 8, 64, NULL}, {1, 256, 4, 1, 128, NULL},
                                             {1, 200, 6, 3, 64, NULL}, {3, 77, 4, 2, 128, NULL},
                                             {1, 1, 2, 1, 64, NULL},   {2, 384, 4, 2, 128, NULL}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        turn(t, shapes[i]);
        attend(t, shapes[i], false);
        attend(t, shapes[i], true);
    }
}

static void all_operations(struct twin *t)
{
    products(t);
    norm(t, 300, 64, true);
    norm(t, 300, 64, false);
    norm(t, 7, 4096, true);
    norm(t, 5, 30, true);
    all_attention(t);
    swiglu(t, 100, 64);
    swiglu(t, 33, 21);
    embed(t, 700, 48, 40);
    embed(t, 64, 31, 5);
    entropy(t, 100, 1000);
    entropy(t, 9, 32000);
    entropy(t, 17, 31);
    embed_divided(t, 300, 48, 40);
    entropy_divided(t, 100, 1000);
    entropy_divided(t, 17, 31);
    thin_products(t, 33, 64, 8, false, 0.95f);
    thin_products(t, 300, 4096, 8, false, 0.95f);
    thin_products(t, 300, 4096, 8, true, 1);
    thin_products(t, 7, 21, 3, true, 0.5f);
    thin_products(t, 131, 1064, 16, true, 0.9f);
    units(t, 40, 320);
    units(t, 5, 21);
    rows_added(t, 1001);
    adamw(t, 10000);
    adamw(t, 1001);
    sums(t, 1000003);
    weights(t, 300001);
}

static void run(struct tap *tap, const char *name, float limit, enum attention_choice attention)
{
    struct err err = ERR_INIT;
    struct twin t = {.precision = precision_find(name), .limit = limit, .tap = tap};
    const struct device_cuda_options options = {.number = t.precision->number,
                                                .tf32 = t.precision->tf32,
                                                .fixed = true,
                                                .attention = attention};
    rng_init(&t.rng, 1, RNG_CORPUS, 9);
    if (device_cpu_open(&t.cpu, &err) < 0 || device_cuda_open(&t.gpu, &options, &err) < 0)
        tap_stop(&err);
    if (attention == ATTENTION_BEST)
        all_operations(&t);
    else
        all_attention(&t);
    if (attention == ATTENTION_TRIANGLE && t.precision->number == NUMBER_FP32) /* in two parts */
        attend(&t, (struct attention_shape){4, 384, 64, 32, 128, NULL}, true);
    device_close(t.gpu);
    device_close(t.cpu);
}

int main(void)
{
    struct tap tap = {0};
    run(&tap, "fp32", 2e-6f, ATTENTION_BEST);
    run(&tap, "tf32", 1e-3f, ATTENTION_BEST);
    for (enum attention_choice a = ATTENTION_BEST; a <= ATTENTION_PLAIN; a++) {
        run(&tap, "bf16", 8e-3f, a);
        run(&tap, "fp16", 1e-3f, a);
    }
    run(&tap, "fp32", 2e-6f, ATTENTION_TRIANGLE);
    run(&tap, "fp32", 2e-6f, ATTENTION_PLAIN);
    return tap_end(&tap);
}
