/*
 * The operations of models that see on the GPU beside the processor's twin, as test_device.c has
 * it for the others. Needs an NVIDIA GPU; one TAP line per operation, shape and format.
 */
#include "tests/gpu/twin.h"
#include "trainer/device/cuda/device_cuda.h"
#include "trainer/device/precision.h"
#include "trainer/device/rng.h"

#include <math.h>
#include <stdio.h>

static struct device *device_on(struct twin *t, bool gpu)
{
    return gpu ? t->gpu : t->cpu;
}

static void *place_on(const struct pair *p, bool gpu)
{
    return gpu ? p->gpu : p->cpu;
}

static void layer_norms(struct twin *t, int rows, int width, bool residual)
{
    size_t n = (size_t)rows * width;
    struct pair x = pair_random(t, n, false, 1), r = pair_random(t, n, false, 1);
    struct pair w = pair_random(t, width, false, 1), b = pair_random(t, width, false, 1);
    struct pair sum = pair_filled(t, n, false, NAN), y = pair_filled(t, n, false, NAN);
    for (int gpu = 0; gpu < 2; gpu++) {
        const struct layer_norm norm = {rows,
                                        width,
                                        1e-5f,
                                        place_on(&x, gpu),
                                        residual ? place_on(&r, gpu) : NULL,
                                        place_on(&w, gpu),
                                        place_on(&b, gpu),
                                        place_on(&sum, gpu),
                                        place_on(&y, gpu)};
        device_on(t, gpu)->operations->layer_norm(device_on(t, gpu), &norm);
    }
    pair_compare(t, &sum, "layer norm's sum", t->limit);
    pair_compare(t, &y, "layer norm", t->limit);
    pair_release(t, &x);
    pair_release(t, &r);
    pair_release(t, &w);
    pair_release(t, &b);
}

static void biases(struct twin *t, int rows, int width, enum activation f)
{
    size_t n = (size_t)rows * width;
    struct pair x = pair_random(t, n, false, 1), bias = pair_random(t, width, false, 1);
    struct pair y = pair_filled(t, n, false, NAN), dy = pair_random(t, n, false, 1);
    struct pair dx = pair_filled(t, n, false, NAN), d_bias = pair_random(t, width, true, 1);
    for (int gpu = 0; gpu < 2; gpu++) {
        struct device *d = device_on(t, gpu);
        const struct bias_forward forward = {
            rows, width, f, place_on(&bias, gpu), place_on(&x, gpu), place_on(&y, gpu)};
        const struct bias_backward backward = {rows,
                                               width,
                                               f,
                                               place_on(&x, gpu),
                                               place_on(&dy, gpu),
                                               place_on(&dx, gpu),
                                               place_on(&d_bias, gpu)};
        d->operations->bias_forward(d, &forward);
        d->operations->bias_backward(d, &backward);
    }
    pair_compare(t, &x, "bias", t->limit);
    pair_compare(t, &y, "activation", t->limit);
    pair_compare(t, &dx, "activation backward", t->limit);
    pair_compare(t, &d_bias, "bias backward", t->limit);
    pair_release(t, &bias);
    pair_release(t, &dy);
}

static void pictures(struct twin *t, int side, int size, int width)
{
    enum { PICTURES = 3 };
    int patches = side / size * (side / size), all = PICTURES * (1 + patches);
    size_t bytes = (size_t)PICTURES * side * side * 3, words = (bytes + 3) / 4;
    struct pair pixels = pair_tokens(t, words, 0, 1 << 30);
    struct pair rows = pair_filled(t, (size_t)PICTURES * patches * 3 * size * size, false, NAN);
    struct pair x = pair_random(t, (size_t)PICTURES * patches * width, false, 1);
    struct pair first = pair_random(t, width, false, 1);
    struct pair places = pair_random(t, (size_t)(1 + patches) * width, false, 1);
    struct pair y = pair_filled(t, (size_t)all * width, false, NAN);
    struct pair to = pair_tokens(t, all, 0, 1), put = pair_filled(t, (size_t)all * width, false, 7);
    struct err err = ERR_INIT;
    for (int i = 0; i < all; i++)
        ((int32_t *)to.cpu)[i] = i % 4 == 1 ? -1 : all - 1 - i;
    t->gpu->operations->upload(t->gpu, to.gpu, to.cpu, (size_t)all * sizeof(int32_t));
    for (int gpu = 0; gpu < 2; gpu++) {
        struct device *d = device_on(t, gpu);
        const struct patch_rows cut = {PICTURES,
                                       side,
                                       size,
                                       place_on(&pixels, gpu),
                                       {0.014f, 0.015f, 0.014f},
                                       {-1.79f, -1.75f, -1.48f},
                                       place_on(&rows, gpu)};
        const struct placed_rows placed = {PICTURES,
                                           patches,
                                           width,
                                           place_on(&x, gpu),
                                           place_on(&first, gpu),
                                           place_on(&places, gpu),
                                           place_on(&y, gpu)};
        d->operations->patch_rows(d, &cut);
        d->operations->placed_rows(d, &placed);
        d->operations->put_rows(d, place_on(&put, gpu), place_on(&y, gpu), place_on(&to, gpu), all,
                                width);
    }
    if (t->gpu->operations->synchronize(t->gpu, &err) < 0)
        tap_stop(&err);
    pair_compare(t, &rows, "patches of pictures", t->limit);
    pair_compare(t, &y, "rows with a class in front", t->limit);
    pair_compare(t, &put, "rows put to places", t->limit);
    pair_release(t, &pixels);
    pair_release(t, &x);
    pair_release(t, &first);
    pair_release(t, &places);
    pair_release(t, &to);
}

static void attention_of_all(struct twin *t, struct attention_shape s)
{
    char what[100];
    size_t rows = (size_t)s.batch * s.length, packed = (size_t)(s.heads * 3) * s.head_width;
    struct pair qkv = pair_random(t, rows * packed, false, 1);
    struct pair y = pair_filled(t, rows * packed / 3, false, NAN);
    for (int gpu = 0; gpu < 2; gpu++) {
        const struct attention_forward f = {s, place_on(&qkv, gpu), place_on(&y, gpu), NULL};
        device_on(t, gpu)->operations->attend_all(device_on(t, gpu), &f);
    }
    snprintf(what, sizeof what, "attention that sees all, %d x %d, %d heads of %d", s.batch,
             s.length, s.heads, s.head_width);
    pair_compare(t, &y, what, t->limit);
    pair_release(t, &qkv);
}

static void seeing(struct twin *t)
{
    layer_norms(t, 300, 64, true);
    layer_norms(t, 577, 1024, false);
    layer_norms(t, 5, 31, true);
    for (int f = ACTIVATION_NONE; f <= ACTIVATION_QUICK_GELU; f++) {
        biases(t, 300, 64, (enum activation)f);
        biases(t, 577, 5120, (enum activation)f);
        biases(t, 3, 21, (enum activation)f);
    }
    pictures(t, 28, 14, 32);
    pictures(t, 336, 14, 1024);
    pictures(t, 9, 3, 13);
    attention_of_all(t, (struct attention_shape){2, 5, 4, 4, 8, NULL});
    attention_of_all(t, (struct attention_shape){2, 577, 16, 16, 64, NULL});
    attention_of_all(t, (struct attention_shape){1, 33, 2, 2, 10, NULL});
}

static void run_seeing(struct tap *tap, const char *name, float limit)
{
    struct err err = ERR_INIT;
    struct twin t = {.precision = precision_find(name), .limit = limit, .tap = tap};
    const struct device_cuda_options options = {.number = t.precision->number,
                                                .tf32 = t.precision->tf32,
                                                .fixed = true,
                                                .attention = ATTENTION_BEST};
    rng_init(&t.rng, 1, RNG_CORPUS, 11);
    if (device_cpu_open(&t.cpu, &err) < 0 || device_cuda_open(&t.gpu, &options, &err) < 0)
        tap_stop(&err);
    seeing(&t);
    device_close(t.gpu);
    device_close(t.cpu);
}

int main(void)
{
    struct tap tap = {0};
    run_seeing(&tap, "fp32", 4e-6f);
    run_seeing(&tap, "tf32", 1e-3f);
    run_seeing(&tap, "bf16", 8e-3f);
    run_seeing(&tap, "fp16", 1e-3f);
    return tap_end(&tap);
}
