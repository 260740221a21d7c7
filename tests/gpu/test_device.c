/*
 * Every operation of trainer/device/device.h on the GPU beside the processor's twin: the same
 * random inputs (rounded to the format under test), results compared as |gpu - cpu| / |cpu| in the
 * Euclidean norm. Outputs begin as NaN on both sides, so that an element that was not written
 * shows. test_exact.c has the inputs whose exact result is known.
 *
 * Needs an NVIDIA GPU; one TAP line per operation, shape and format.
 */
#include "tests/gpu/numbers.h"
#include "tests/gpu/tap.h"
#include "trainer/device/cuda/device_cuda.h"
#include "trainer/device/precision.h"
#include "trainer/device/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct twin {
    struct device *cpu, *gpu;
    const struct precision *precision;
    struct rng rng;
    struct tap *tap;
    float limit; /* of the relative difference */
};

/* One array on both devices. */
struct pair {
    size_t n;
    bool wide; /* fp32 whatever the format */
    void *cpu, *gpu;
};

static float rounded(const struct twin *t, float x)
{
    enum number number = t->precision->number;
    return number == NUMBER_FP32 ? x : widen_one(number, narrow_one(number, x));
}

/* ---- arrays --------------------------------------------------------------------------------- */

static bool is_wide(const struct twin *t, const struct pair *p)
{
    return p->wide || t->precision->number == NUMBER_FP32;
}

static void gpu_upload(struct twin *t, const struct pair *p, const float *from)
{
    if (is_wide(t, p)) {
        t->gpu->operations->upload(t->gpu, p->gpu, from, p->n * sizeof *from);
        return;
    }
    uint16_t *narrow = malloc(p->n * sizeof *narrow);
    for (size_t i = 0; i < p->n; i++)
        narrow[i] = narrow_one(t->precision->number, from[i]);
    t->gpu->operations->upload(t->gpu, p->gpu, narrow, p->n * sizeof *narrow);
    free(narrow);
}

static void gpu_download(struct twin *t, const struct pair *p, float *to)
{
    struct err err = ERR_INIT;
    size_t size = is_wide(t, p) ? sizeof(float) : sizeof(uint16_t);
    void *raw = malloc(p->n * size);
    if (t->gpu->operations->download(t->gpu, raw, p->gpu, p->n * size, &err) < 0)
        tap_stop(&err);
    for (size_t i = 0; i < p->n; i++)
        to[i] = size == sizeof(float) ? ((float *)raw)[i]
                                      : widen_one(t->precision->number, ((uint16_t *)raw)[i]);
    free(raw);
}

static struct pair pair_of(struct twin *t, size_t n, bool wide, const float *values)
{
    struct err err = ERR_INIT;
    struct pair p = {.n = n, .wide = wide};
    size_t size = is_wide(t, &p) ? sizeof(float) : sizeof(uint16_t);
    if (t->cpu->operations->alloc(t->cpu, &p.cpu, n * sizeof(float), &err) < 0 ||
        t->gpu->operations->alloc(t->gpu, &p.gpu, n * size, &err) < 0)
        tap_stop(&err);
    memcpy(p.cpu, values, n * sizeof *values);
    gpu_upload(t, &p, values);
    return p;
}

static struct pair pair_filled(struct twin *t, size_t n, bool wide, float value)
{
    float *values = malloc(n * sizeof *values);
    for (size_t i = 0; i < n; i++)
        values[i] = value;
    struct pair p = pair_of(t, n, wide, values);
    free(values);
    return p;
}

static struct pair pair_random(struct twin *t, size_t n, bool wide, float scale)
{
    float *values = malloc(n * sizeof *values);
    for (size_t i = 0; i < n; i++) {
        values[i] = scale * rng_bell(&t->rng);
        values[i] = wide ? values[i] : rounded(t, values[i]);
    }
    struct pair p = pair_of(t, n, wide, values);
    free(values);
    return p;
}

static struct pair pair_tokens(struct twin *t, size_t n, int vocabulary)
{
    struct pair p = {.n = n, .wide = true};
    struct err err = ERR_INIT;
    int32_t *tokens = malloc(n * sizeof *tokens);
    for (size_t i = 0; i < n; i++)
        tokens[i] = (int32_t)rng_below(&t->rng, (uint64_t)vocabulary);
    if (t->cpu->operations->alloc(t->cpu, &p.cpu, n * sizeof *tokens, &err) < 0 ||
        t->gpu->operations->alloc(t->gpu, &p.gpu, n * sizeof *tokens, &err) < 0)
        tap_stop(&err);
    t->cpu->operations->upload(t->cpu, p.cpu, tokens, n * sizeof *tokens);
    t->gpu->operations->upload(t->gpu, p.gpu, tokens, n * sizeof *tokens);
    free(tokens);
    return p;
}

static void pair_release(struct twin *t, struct pair *p)
{
    t->cpu->operations->release(t->cpu, p->cpu);
    t->gpu->operations->release(t->gpu, p->gpu);
}

/* ---- judgement ------------------------------------------------------------------------------ */

static void tell(struct twin *t, bool ok, const char *what, double difference, double limit)
{
    tap_tell(t->tap, ok, "%s %s: difference %.2e, at most %.0e", t->precision->name, what,
             difference, limit);
}

/* Compares, and releases both. */
static void compare(struct twin *t, struct pair *p, const char *what, double limit)
{
    float *gpu = malloc(p->n * sizeof *gpu);
    const float *cpu = p->cpu;
    double apart = 0, size = 0;
    gpu_download(t, p, gpu);
    for (size_t i = 0; i < p->n; i++) {
        apart += ((double)gpu[i] - cpu[i]) * ((double)gpu[i] - cpu[i]);
        size += (double)cpu[i] * cpu[i];
    }
    double difference = size > 0 ? sqrt(apart / size) : sqrt(apart);
    tell(t, difference <= limit, what, difference, limit);
    free(gpu);
    pair_release(t, p);
}

/* What a backward pass wrote once more equals what the forward pass wrote, to the bit. */
static void compare_again(struct twin *t, const struct pair *again, const struct pair *first,
                          const char *what)
{
    float *a = malloc(again->n * sizeof *a), *b = malloc(first->n * sizeof *b);
    char text[150];
    double most = 0;
    gpu_download(t, again, a);
    gpu_download(t, first, b);
    for (size_t i = 0; i < first->n; i++)
        most = fmax(most, a[i] == b[i] ? 0 : isnan(a[i]) ? INFINITY : fabs(a[i] - b[i]));
    snprintf(text, sizeof text, "%s, once more", what);
    tell(t, most == 0, text, most, 0);
    free(a);
    free(b);
}

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
    compare(t, &c, what, t->limit);
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
    compare_again(t, &dy, &y, what);
    compare(t, &sum, what, t->limit);
    compare(t, &y, what, t->limit);
    compare(t, &inverse, what, t->limit);
    compare(t, &ds, what, t->limit);
    compare(t, &dw, what, t->limit);
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
    compare(t, &qkv, "rotation there, back and there", t->limit);
    pair_release(t, &cosine);
    pair_release(t, &sine);
}

static void attend(struct twin *t, struct attention_shape s)
{
    char what[100];
    size_t rows = (size_t)s.batch * s.length, packed = (s.heads + 2 * s.kv_heads) * s.head_width;
    size_t width = (size_t)s.heads * s.head_width;
    struct pair qkv = pair_random(t, rows * packed, false, 1);
    struct pair y = pair_filled(t, rows * width, false, NAN);
    struct pair lse = pair_filled(t, rows * s.heads, true, NAN);
    struct attention_forward f = {.shape = s};
    f.qkv = qkv.cpu, f.y = y.cpu, f.log_sum_exp = lse.cpu;
    t->cpu->operations->attend_forward(t->cpu, &f);
    f.qkv = qkv.gpu, f.y = y.gpu, f.log_sum_exp = lse.gpu;
    t->gpu->operations->attend_forward(t->gpu, &f);

    struct pair dy = pair_random(t, rows * width, false, 1);
    struct pair dqkv = pair_filled(t, rows * packed, false, NAN);
    struct attention_backward b = {.shape = s};
    b.qkv = qkv.cpu, b.y = y.cpu, b.dy = dy.cpu, b.log_sum_exp = lse.cpu, b.d_qkv = dqkv.cpu;
    t->cpu->operations->attend_backward(t->cpu, &b);
    b.qkv = qkv.gpu, b.y = y.gpu, b.dy = dy.gpu, b.log_sum_exp = lse.gpu, b.d_qkv = dqkv.gpu;
    t->gpu->operations->attend_backward(t->gpu, &b);
    snprintf(what, sizeof what, "attention %d x %d, %d heads on %d, %d wide", s.batch, s.length,
             s.heads, s.kv_heads, s.head_width);
    compare(t, &y, what, t->limit);
    compare(t, &lse, what, t->limit);
    compare(t, &dqkv, what, 2 * t->limit);
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
    compare_again(t, &dy, &y, "swiglu");
    compare(t, &y, "swiglu", t->limit);
    compare(t, &din, "swiglu backward", t->limit);
    pair_release(t, &in);
    pair_release(t, &dy);
}

static void embed(struct twin *t, int rows, int width, int vocabulary)
{
    struct pair tokens = pair_tokens(t, rows, vocabulary);
    struct pair table = pair_random(t, (size_t)vocabulary * width, false, 1);
    struct pair y = pair_filled(t, (size_t)rows * width, false, NAN);
    struct pair dy = pair_random(t, (size_t)rows * width, false, 1);
    struct pair dtable = pair_random(t, (size_t)vocabulary * width, true, 1);
    t->cpu->operations->embed_forward(t->cpu, y.cpu, tokens.cpu, table.cpu, rows, width);
    t->gpu->operations->embed_forward(t->gpu, y.gpu, tokens.gpu, table.gpu, rows, width);
    t->cpu->operations->embed_backward(t->cpu, dtable.cpu, tokens.cpu, dy.cpu, rows, width);
    t->gpu->operations->embed_backward(t->gpu, dtable.gpu, tokens.gpu, dy.gpu, rows, width);
    compare(t, &y, "embedding", 0);
    compare(t, &dtable, "embedding backward, rows in order", 0);
    pair_release(t, &tokens);
    pair_release(t, &table);
    pair_release(t, &dy);
}

static void entropy(struct twin *t, int rows, int vocabulary)
{
    struct pair logits = pair_random(t, (size_t)rows * vocabulary, false, 3);
    struct pair targets = pair_tokens(t, rows, vocabulary);
    struct pair losses = pair_filled(t, rows, true, NAN);
    struct cross_entropy c = {.rows = rows, .vocabulary = vocabulary, .scale = 0.25f};
    c.logits = logits.cpu, c.targets = targets.cpu, c.losses = losses.cpu;
    t->cpu->operations->cross_entropy(t->cpu, &c);
    c.logits = logits.gpu, c.targets = targets.gpu, c.losses = losses.gpu;
    t->gpu->operations->cross_entropy(t->gpu, &c);
    compare(t, &losses, "cross-entropy", 1e-6);
    compare(t, &logits, "cross-entropy backward", t->limit);
    pair_release(t, &targets);
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
    compare(t, &master, "AdamW master weights", 1e-6);
    compare(t, &m, "AdamW m", 1e-6);
    compare(t, &v, "AdamW v", 1e-6);
    compare(t, &weight, "AdamW weights", t->limit);
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
    tell(t, apart < 1e-10, "sum", apart, 1e-10);
    tell(t, squares < 1e-12, "sum of squares", squares, 1e-12);
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
        ((float *)narrow.cpu)[i] = rounded(t, ((float *)exact.cpu)[i]);
    t->gpu->operations->narrow(t->gpu, narrow.gpu, exact.gpu, n);
    compare(t, &exact, "weights drawn", 0);
    compare(t, &narrow, "weights rounded", 0);
}

static void all_attention(struct twin *t)
{
    const struct attention_shape shapes[] = {{2, 64, 4, 2, 16, NULL},  {1, 33, 2, 2, 10, NULL},
                                             {2, 128, 8, 8, 64, NULL}, {1, 256, 4, 1, 128, NULL},
                                             {1, 200, 6, 3, 64, NULL}, {3, 77, 4, 2, 128, NULL},
                                             {1, 1, 2, 1, 64, NULL}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        turn(t, shapes[i]);
        attend(t, shapes[i]);
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
    return tap_end(&tap);
}
