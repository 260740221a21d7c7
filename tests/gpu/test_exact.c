/*
 * Every operation of trainer/device/device.h on inputs made so that the exact answer is known and
 * every value on the way there is one of the format's numbers: the difference has to be 0, in every
 * format and with every attention. Outputs begin as NaN, so that what was not written shows.
 *
 *   test_exact [cpu]       cpu: on the processor's device alone, which needs no GPU
 *
 * One TAP line per operation, shape and format.
 */
#include "tests/gpu/exact.h"
#include "tests/gpu/numbers.h"
#include "trainer/device/cuda/device_cuda.h"
#include "trainer/device/precision.h"
#include "trainer/device/rng.h"

#include <stdio.h>

/* ---- memory --------------------------------------------------------------------------------- */

static void memory(struct exact *b)
{
    enum { N = 1001 };
    struct err err = ERR_INIT;
    const struct attention_shape shape = {1, 64, 2, 2, 64, NULL};
    size_t free_bytes = 0, workspace;
    float *zeros = exact_host(b, N), *values = exact_wholes(b, N, 100, 0),
          *mixed = exact_host(b, N);
    float *fresh = exact_room(b, N * sizeof *fresh), *at = exact_put_wide(b, values, N);
    float *copied = exact_put_wide(b, exact_nans(b, N), N);
    exact_expect_wide(b, fresh, zeros, N, "new memory is zeros");
    exact_expect_wide(b, at, values, N, "what was carried there comes back");
    b->o->copy(b->device, copied, at, N * sizeof *at);
    exact_expect_wide(b, copied, values, N, "copy");
    b->o->zero(b->device, copied + 10, 500 * sizeof *copied);
    for (int i = 0; i < N; i++)
        mixed[i] = i >= 10 && i < 510 ? 0 : values[i];
    exact_expect_wide(b, copied, mixed, N, "zero, a part");
    exact_tell(b,
               b->o->synchronize(b->device, &err) == 0 &&
                   b->o->free_bytes(b->device, &free_bytes, &err) == 0 && free_bytes > 0 &&
                   b->o->workspace_bytes(b->device, &shape, 0, &workspace, &err) == 0,
               "synchronize, free_bytes and workspace_bytes answer");
    exact_done(b);
}

/* ---- norm ----------------------------------------------------------------------------------- */

/* s = 2 sigma with sigma = 1 or -1, so that 1 / rms = 1/2; weight w = 1, 2 or 4; and dy so that
 * g * s = 8 a with a = 1, 1, 1, -1, …, whose mean is 1/2. */
static float sigma(size_t i)
{
    return exact_whole(i, 100) < 0 ? -1 : 1;
}

static float slope(size_t i)
{
    return i % 4 == 3 ? -1 : 1;
}

static float norm_weight(size_t i)
{
    return (float)(1 << i % 3);
}

static void norm_forward(struct exact *b, int rows, int width, bool residual)
{
    size_t n = (size_t)rows * width;
    float *x = exact_host(b, n), *r = exact_host(b, n), *w = exact_host(b, width),
          *sum = exact_host(b, n);
    float *y = exact_host(b, n), *inverse = exact_host(b, rows);
    for (size_t i = 0; i < n; i++) {
        r[i] = residual ? exact_whole(i, 3) : 0;
        sum[i] = 2 * sigma(i);
        x[i] = sum[i] - r[i];
        y[i] = sigma(i) * norm_weight(i % width);
    }
    for (int i = 0; i < width; i++)
        w[i] = norm_weight(i);
    for (int i = 0; i < rows; i++)
        inverse[i] = 0.5f;
    struct norm_forward f = {.rows = rows, .width = width};
    f.x = exact_put(b, x, n), f.residual = residual ? exact_put(b, r, n) : NULL,
    f.weight = exact_put(b, w, width);
    f.sum = exact_put(b, exact_nans(b, n), n), f.y = exact_put(b, exact_nans(b, n), n);
    f.inverse_rms = exact_put_wide(b, exact_nans(b, rows), rows);
    b->o->norm_forward(b->device, &f);
    exact_expect(b, f.sum, sum, n, residual ? "norm's sum with the residual" : "norm's sum");
    exact_expect(b, f.y, y, n, "norm");
    exact_expect_wide(b, f.inverse_rms, inverse, rows, "norm's 1 / rms");
    exact_done(b);
}

static void norm_backward(struct exact *b, int rows, int width, bool past)
{
    size_t n = (size_t)rows * width;
    float *sum = exact_host(b, n), *w = exact_host(b, width), *dy = exact_host(b, n),
          *stream = exact_host(b, n);
    float *y = exact_host(b, n), *ds = exact_host(b, n), *dw = exact_wholes(b, width, 5, 3),
          *inverse = exact_host(b, rows);
    struct norm_backward n_b = {.rows = rows, .width = width};
    n_b.d_weight = exact_put_wide(b, dw, width);
    for (int i = 0; i < width; i++)
        w[i] = norm_weight(i);
    for (size_t i = 0; i < n; i++) {
        float weight = norm_weight(i % width);
        sum[i] = 2 * sigma(i);
        y[i] = sigma(i) * weight;
        dy[i] = 4 * slope(i) * sigma(i) / weight;
        stream[i] = past ? exact_whole(i, 4) : 0;
        ds[i] = stream[i] + sigma(i) * (2 * slope(i) - 1);
        dw[i % width] += 4 * slope(i) / weight;
        inverse[i / width] = 0.5f;
    }
    n_b.sum = exact_put(b, sum, n), n_b.weight = exact_put(b, w, width),
    n_b.dy = exact_put(b, dy, n);
    n_b.d_stream = past ? exact_put(b, stream, n) : NULL;
    n_b.inverse_rms = exact_put_wide(b, inverse, rows), n_b.ds = exact_put(b, exact_nans(b, n), n);
    n_b.y_again = past ? exact_put(b, exact_nans(b, n), n) : (void *)n_b.dy;
    b->o->norm_backward(b->device, &n_b);
    exact_expect(b, n_b.y_again, y, n, past ? "norm once more" : "norm once more, for dy");
    exact_expect(b, n_b.ds, ds, n, past ? "norm backward beside the stream" : "norm backward");
    exact_expect_wide(b, n_b.d_weight, dw, width, "norm's gradient of the weight");
    exact_done(b);
}

static void norms(struct exact *b)
{
    static const int widths[] = {64, 1024, 4096, 12};
    for (size_t i = 0; i < COUNT(widths); i++) {
        norm_forward(b, 6, widths[i], i % 2);
        norm_backward(b, 6, widths[i], i % 2);
        norm_backward(b, 301, widths[i], i % 2 == 0);
    }
}

/* ---- the rest of the model ------------------------------------------------------------------ */

/* Gates of 0, where the sigmoid is 1/2, of 64, where it is 1, and of -200, where it is 0. */
static void swiglu(struct exact *b, int rows, int width, bool again)
{
    static const float gates[] = {0, 64, -200}, sigmoids[] = {0.5f, 1, 0}, slopes[] = {0.5f, 1, 0};
    size_t n = (size_t)rows * width;
    float *in = exact_host(b, 2 * n), *dy = exact_wholes(b, n, 2, 9), *y = exact_host(b, n),
          *d_in = exact_host(b, 2 * n);
    for (size_t i = 0; i < n; i++) {
        size_t gate = i / width * 2 * width + i % width, up = gate + width, kind = i % 3;
        in[gate] = gates[kind];
        in[up] = exact_whole(i, 2);
        y[i] = gates[kind] * sigmoids[kind] * in[up];
        d_in[gate] = dy[i] * in[up] * slopes[kind];
        d_in[up] = dy[i] * gates[kind] * sigmoids[kind];
    }
    struct swiglu_backward back = {.rows = rows, .width = width};
    back.gate_up = exact_put(b, in, 2 * n), back.dy = exact_put(b, dy, n);
    back.d_gate_up = exact_put(b, exact_nans(b, 2 * n), 2 * n);
    back.y_again = again ? (void *)back.dy : NULL;
    void *out = exact_put(b, exact_nans(b, n), n);
    b->o->swiglu_forward(b->device, out, back.gate_up, rows, width);
    b->o->swiglu_backward(b->device, &back);
    exact_expect(b, out, y, n, "swiglu");
    exact_expect(b, back.d_gate_up, d_in, 2 * n, "swiglu backward");
    exact_expect(b, back.dy, again ? y : dy, n,
                 again ? "swiglu once more" : "swiglu's dy as it was");
    exact_done(b);
}

static void embedding(struct exact *b, int rows, int width, int vocabulary)
{
    size_t n = (size_t)rows * width, table_n = (size_t)vocabulary * width;
    float *table = exact_wholes(b, table_n, 100, 0), *dy = exact_wholes(b, n, 3, 8),
          *y = exact_host(b, n);
    float *d_table = exact_wholes(b, table_n, 3, 21);
    int32_t *tokens = (int32_t *)exact_host(b, rows);
    float *d_at = exact_put_wide(b, d_table, table_n);
    for (int row = 0; row < rows; row++)
        tokens[row] = (row * 7 + row / 5) % vocabulary;
    for (size_t i = 0; i < n; i++) {
        size_t at = (size_t)tokens[i / width] * width + i % width;
        y[i] = table[at];
        d_table[at] += dy[i];
    }
    const int32_t *on_device = exact_put_bytes(b, tokens, rows * sizeof *tokens);
    void *out = exact_put(b, exact_nans(b, n), n);
    b->o->embed_forward(b->device, out, on_device, exact_put(b, table, table_n), rows, width);
    b->o->embed_backward(b->device, d_at, on_device, exact_put(b, dy, n), rows, width);
    exact_expect(b, out, y, n, "embedding");
    exact_expect_wide(b, d_at, d_table, table_n, "embedding backward");
    exact_done(b);
}

/* Logits alike, but for one that is 200 more, or two: a third of the rows each expects the one,
 * another one, or the second of two. */
static void entropy(struct exact *b, int rows, int vocabulary)
{
    size_t n = (size_t)rows * vocabulary;
    float *logits = exact_host(b, n), *gradients = exact_host(b, n), *losses = exact_host(b, rows);
    int32_t *targets = (int32_t *)exact_host(b, rows);
    for (int row = 0; row < rows; row++) {
        int top = row * 3 % vocabulary, kind = row % 3;
        float shift = kind == 2 ? 0 : 8; /* log 2 more than 8 is no number of fp32 */
        float *x = logits + (size_t)row * vocabulary, *g = gradients + (size_t)row * vocabulary;
        targets[row] = kind == 0 ? top : (top + 1) % vocabulary;
        for (int i = 0; i < vocabulary; i++)
            x[i] = shift - 200;
        x[top] = shift;
        x[targets[row]] = kind == 1 ? shift - 200 : shift;
        g[top] = kind == 2 ? 0.125f : 0.25f;
        g[targets[row]] += kind == 2 ? -0.125f : -0.25f;
        losses[row] = kind == 0 ? 0 : kind == 1 ? 200 : 0.693147181f;
    }
    struct cross_entropy c = {.rows = rows, .vocabulary = vocabulary, .scale = 0.25f};
    c.logits = exact_put(b, logits, n), c.losses = exact_put_wide(b, exact_nans(b, rows), rows);
    c.targets = exact_put_bytes(b, targets, rows * sizeof *targets);
    b->o->cross_entropy(b->device, &c);
    exact_expect_wide(b, c.losses, losses, rows, "cross-entropy");
    exact_expect(b, c.logits, gradients, n, "cross-entropy backward");
    exact_done(b);
}

/* ---- weights -------------------------------------------------------------------------------- */

/* Powers of two times m = 2 -> 3, v = 16 -> 16: a step of 1 or -1, whatever the power. */
static void adamw(struct exact *b, size_t n)
{
    float *master = exact_host(b, n), *m = exact_host(b, n), *v = exact_host(b, n),
          *g = exact_host(b, n);
    struct adamw_step a = {.n = n, .gradient_scale = 0.5f, .lr = 0.5f, .decay = 0.25f};
    a.correction1 = 0.75f, a.correction2 = 1, a.beta1 = 0.5, a.beta2 = 0.75;
    for (size_t i = 0; i < n; i++) {
        float s = ldexpf(sigma(i), (int)(i % 7) - 3);
        master[i] = 8 * exact_whole(i, 3), m[i] = 2 * s, v[i] = 16 * s * s, g[i] = 8 * s;
    }
    a.master = exact_put_wide(b, master, n), a.m = exact_put_wide(b, m, n),
    a.v = exact_put_wide(b, v, n);
    a.gradient = exact_put_wide(b, g, n);
    a.weight = b->device->number == NUMBER_FP32 ? a.master : exact_put(b, exact_nans(b, n), n);
    for (size_t i = 0; i < n; i++) {
        master[i] -= 0.5f * (0.25f * master[i] + sigma(i));
        m[i] *= 1.5f;
    }
    b->o->adamw(b->device, &a);
    exact_expect_wide(b, a.master, master, n, "AdamW's master weights");
    exact_expect_wide(b, a.m, m, n, "AdamW's m");
    exact_expect_wide(b, a.v, v, n, "AdamW's v");
    exact_expect(b, a.weight, master, n, "AdamW's weights");
    exact_done(b);
}

/* fp32 values, and the bits that they are rounded to. */
static void narrowing(struct exact *b)
{
    static const struct {
        float from;
        uint16_t bf16, fp16;
    } cases[] = {
        {0, 0, 0},
        {-0.0f, 0x8000, 0x8000},
        {1, 0x3f80, 0x3c00},
        {0x1.01p0f, 0x3f80, 0x3c04},   /* bf16: half way, to the even one below */
        {0x1.03p0f, 0x3f82, 0x3c0c},   /* half way, to the even one above */
        {0x1.0101p0f, 0x3f81, 0x3c04}, /* just above half way */
        {0x1.002p0f, 0x3f80, 0x3c00},  /* fp16: half way, to the even one below */
        {-0x1.006p0f, 0xbf80, 0xbc02}, /* half way, to the even one above */
        {65504, 0x4780, 0x7bff},       /* fp16's largest */
        {65520, 0x4780, 0x7c00},       /* half way to what it has not */
        {0x1p-24f, 0x3380, 0x0001},    /* fp16's smallest */
        {0x1p-25f, 0x3300, 0x0000},    /* half of it */
        {0x1p-133f, 0x0001, 0x0000},   /* bf16's smallest */
        {INFINITY, 0x7f80, 0x7c00},
        {-INFINITY, 0xff80, 0xfc00},
    };
    float from[COUNT(cases)], expected[COUNT(cases)];
    for (size_t i = 0; i < COUNT(cases); i++) {
        enum number number = b->device->number;
        from[i] = expected[i] = cases[i].from;
        if (number != NUMBER_FP32)
            expected[i] = widen_one(number, number == NUMBER_BF16 ? cases[i].bf16 : cases[i].fp16);
    }
    void *to = exact_put(b, exact_nans(b, COUNT(cases)), COUNT(cases));
    b->o->narrow(b->device, to, exact_put_wide(b, from, COUNT(cases)), COUNT(cases));
    exact_expect(b, to, expected, COUNT(cases), "rounding to the nearest, ties to even");
    exact_done(b);
}

static void drawing(struct exact *b, size_t n)
{
    float *expected = exact_host(b, n);
    struct rng start, rng;
    rng_init(&start, 42, RNG_WEIGHTS, 3);
    rng = start;
    for (size_t i = 0; i < n; i++)
        expected[i] = 0.02f * rng_bell(&rng);
    float *to = exact_put_wide(b, exact_nans(b, n), n);
    b->o->draw(b->device, to, n, 0.02f, &start);
    exact_expect_wide(b, to, expected, n, "weights drawn one after the other");
    exact_done(b);
}

static void sums(struct exact *b, size_t n)
{
    float *x = exact_wholes(b, n, 1000, 4), *y = exact_wholes(b, n, 1000, 99),
          *both = exact_host(b, n);
    double total[2] = {5, 7}, found[2];
    double *on_device = exact_put_bytes(b, total, sizeof total);
    float *at = exact_put_wide(b, x, n), *to = exact_put_wide(b, y, n);
    for (size_t i = 0; i < n; i++) {
        total[0] += x[i];
        total[1] += (double)x[i] * x[i];
        both[i] = x[i] + y[i];
    }
    b->o->add_sum(b->device, &on_device[0], at, n);
    b->o->add_sum_of_squares(b->device, &on_device[1], at, n);
    b->o->add(b->device, to, at, n);
    exact_get_bytes(b, found, on_device, sizeof found);
    exact_tell(b, found[0] == total[0], "sum");
    exact_tell(b, found[1] == total[1], "sum of squares");
    exact_expect_wide(b, to, both, n, "one array added to another");
    exact_done(b);
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void all_operations(struct exact *b)
{
    memory(b);
    exact_products(b);
    norms(b);
    exact_attention(b);
    for (int again = 0; again < 2; again++) {
        swiglu(b, 33, 64, again);
        swiglu(b, 7, 21, again);
    }
    embedding(b, 700, 64, 40);
    embedding(b, 64, 31, 5);
    embedding(b, 3000, 264, 3);
    embedding(b, 257, 2056, 1);
    entropy(b, 12, 1000);
    entropy(b, 9, 31);
    adamw(b, 4096);
    adamw(b, 1001);
    narrowing(b);
    drawing(b, 10007);
    sums(b, 100003);
}

/* The device is closed at the end. */
static void run(struct exact *b, struct device *device, const char *name, bool attention)
{
    b->device = device;
    b->o = device->operations;
    snprintf(b->name, sizeof b->name, "%s:", name);
    (attention ? exact_attention : all_operations)(b);
    device_close(device);
}

static void run_gpu(struct exact *b, const char *precision, enum attention_choice attention,
                    const char *name)
{
    const struct precision *p = precision_find(precision);
    const struct device_cuda_options options = {
        .number = p->number, .tf32 = p->tf32, .fixed = true, .attention = attention};
    struct device *device;
    struct err err = ERR_INIT;
    if (device_cuda_open(&device, &options, &err) < 0)
        tap_stop(&err);
    run(b, device, name, attention != ATTENTION_BEST);
}

static void run_cpu(struct exact *b)
{
    struct device *device;
    struct err err = ERR_INIT;
    if (device_cpu_open(&device, &err) < 0)
        tap_stop(&err);
    run(b, device, "processor", false);
}

int main(int argc, char **argv)
{
    struct exact b = {0};
    run_cpu(&b);
    if (argc < 2 || strcmp(argv[1], "cpu") != 0) {
        run_gpu(&b, "fp32", ATTENTION_BEST, "fp32");
        run_gpu(&b, "tf32", ATTENTION_BEST, "tf32");
        run_gpu(&b, "bf16", ATTENTION_BEST, "bf16");
        run_gpu(&b, "fp16", ATTENTION_BEST, "fp16");
        run_gpu(&b, "bf16", ATTENTION_FLASH, "bf16, our own attention");
        run_gpu(&b, "fp16", ATTENTION_FLASH, "fp16, our own attention");
        run_gpu(&b, "bf16", ATTENTION_PLAIN, "bf16, attention by whole rows");
        run_gpu(&b, "fp16", ATTENTION_PLAIN, "fp16, attention by whole rows");
    }
    return tap_end(&b.tap);
}
