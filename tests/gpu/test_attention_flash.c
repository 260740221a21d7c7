/*
 * Our fused attention against float64 on the host, against itself for the same bits, and against
 * the clock and cuDNN's. Needs a GPU; prints TAP. With the argument "speed" only the measurements
 * are made; with "small" only what a memory checker gets through in time.
 */
#include "tests/gpu/attention_data.h"
#include "tests/gpu/tap.h"
#include "trainer/device/cuda/device_cuda.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tap tap;

static struct device *open_device(enum number number, enum attention_choice attention)
{
    const struct device_cuda_options options = {
        .number = number, .fixed = true, .attention = attention};
    struct device *device;
    struct err err = ERR_INIT;
    tap_must(device_cuda_open(&device, &options, &err), &err);
    return device;
}

static void forward(struct device *device, const struct data *d)
{
    const struct attention_forward f = {d->shape, d->dev_qkv, d->dev_y, d->dev_lse};
    device->operations->attend_forward(device, &f);
}

static void backward(struct device *device, const struct data *d)
{
    const struct attention_backward b = {d->shape,  d->dev_qkv, d->dev_y,
                                         d->dev_dy, d->dev_lse, d->dev_d_qkv};
    device->operations->attend_backward(device, &b);
}

/* There and back over outputs full of NaN, and to the host. */
static void run(struct device *device, struct data *d)
{
    struct err err = ERR_INIT;
    cuda(cudaMemset(d->dev_y, 0xFF, 2 * d->plain));
    cuda(cudaMemset(d->dev_lse, 0xFF, sizeof(float) * d->stats));
    cuda(cudaMemset(d->dev_d_qkv, 0xFF, 2 * d->packed));
    cuda(cudaDeviceSynchronize()); /* the device's stream waits for no other */
    forward(device, d);
    backward(device, d);
    tap_must(device->operations->download(device, d->y, d->dev_y, 2 * d->plain, &err), &err);
    tap_must(
        device->operations->download(device, d->lse, d->dev_lse, sizeof(float) * d->stats, &err),
        &err);
    tap_must(device->operations->download(device, d->d_qkv, d->dev_d_qkv, 2 * d->packed, &err),
             &err);
}

/* How far a result may be from float64, relative to its size. */
static const double limits[][PARTS] = {
    [NUMBER_BF16] = {5e-3, 5e-3, 5e-3, 5e-3, 1e-6},
    [NUMBER_FP16] = {7e-4, 7e-4, 7e-4, 7e-4, 1e-6},
};

static void test_random(struct device *device, struct attention_shape s)
{
    struct data d;
    struct errors e = {{0}, {0}};
    char what[200];
    data_init(&d, s, device->number);
    data_random(&d, 1);
    run(device, &d);
    compare_all(&d, &e);
    for (int part = 0; part < PARTS; part++) {
        double relative = sqrt(e.difference[part] / e.size[part]);
        snprintf(what, sizeof what, "%s %dx%d, %d:%d heads of %d%s: %s is off by %.2e of its size",
                 number_name(device->number), s.batch, s.length, s.heads, s.kv_heads, s.head_width,
                 s.slopes ? " with slopes" : "", part_names[part], relative);
        tap_tell(&tap, relative <= limits[device->number][part], "%s", what);
    }
    data_release(&d);
}

/* What comes later changes nothing before it, to the bit. */
static void test_causal(struct device *device)
{
    const struct attention_shape s = {1, 512, 4, 2, 128, NULL};
    const size_t cut = 300, width = (size_t)(s.heads * s.head_width);
    struct data d;
    data_init(&d, s, device->number);
    data_random(&d, 3);
    run(device, &d);
    uint16_t *before = malloc(2 * d.plain);
    memcpy(before, d.y, 2 * d.plain);
    fill(d.qkv + cut * d.packed / d.rows, d.packed - cut * d.packed / d.rows, d.number, 5);
    upload(&d);
    run(device, &d);
    tap_tell(&tap, memcmp(before, d.y, 2 * cut * width) == 0,
             "later tokens do not change earlier rows");
    tap_tell(&tap, memcmp(before, d.y, 2 * d.plain) != 0, "and change later ones");
    free(before);
    data_release(&d);
}

/* Gradients after one pass; after one whose dy was NaN, which leaves NaN wherever anything is kept;
 * and of each sequence alone. With enough heads the first is done in parts. */
static void test_bits(struct device *device, struct attention_shape s)
{
    struct data d;
    char what[200];
    data_init(&d, s, device->number);
    data_random(&d, 6);
    run(device, &d);
    uint16_t *first = malloc(2 * d.packed);
    memcpy(first, d.d_qkv, 2 * d.packed);
    run(device, &d);
    snprintf(what, sizeof what, "%s %dx%d, %d:%d heads of %d: the same bits twice",
             number_name(d.number), s.batch, s.length, s.heads, s.kv_heads, s.head_width);
    tap_tell(&tap, memcmp(first, d.d_qkv, 2 * d.packed) == 0, "%s", what);
    cuda(cudaMemset(d.dev_dy, 0xFF, 2 * d.plain));
    run(device, &d);
    tap_tell(&tap, isnan(wide(d.d_qkv[0], d.number)), "NaN in, NaN out");
    upload(&d);
    run(device, &d);
    tap_tell(&tap, memcmp(first, d.d_qkv, 2 * d.packed) == 0, "and it leaves nothing behind");
    struct data one = d;
    one.shape.batch = 1;
    one.packed /= (size_t)s.batch, one.plain /= (size_t)s.batch, one.stats /= (size_t)s.batch;
    bool same = true;
    for (int i = 0; i < s.batch; i++) {
        run(device, &one);
        same = same && memcmp(first + (size_t)i * one.packed, d.d_qkv, 2 * one.packed) == 0;
        one.dev_qkv = (uint16_t *)one.dev_qkv + one.packed;
        one.dev_dy = (uint16_t *)one.dev_dy + one.plain;
    }
    tap_tell(&tap, same, "each sequence alone: the same bits");
    free(first);
    data_release(&d);
}

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The median of several runs, ms. */
static float measure(struct device *device, const struct data *d,
                     void (*pass)(struct device *, const struct data *))
{
    enum { WARM = 3, RUNS = 15 };
    cudaStream_t stream = device_cuda_stream(device);
    cudaEvent_t from, to;
    float ms[RUNS];
    cuda(cudaEventCreate(&from));
    cuda(cudaEventCreate(&to));
    for (int i = -WARM; i < RUNS; i++) {
        cuda(cudaEventRecord(from, stream));
        pass(device, d);
        cuda(cudaEventRecord(to, stream));
        cuda(cudaEventSynchronize(to));
        if (i >= 0)
            cuda(cudaEventElapsedTime(&ms[i], from, to));
    }
    cuda(cudaEventDestroy(from));
    cuda(cudaEventDestroy(to));
    qsort(ms, RUNS, sizeof *ms, ascending);
    return ms[RUNS / 2];
}

/* Two products of the lower triangle forward, five backward. */
static void speed(enum number number, struct attention_shape s)
{
    static const struct {
        const char *name;
        enum attention_choice choice;
    } kinds[] = {{"ours", ATTENTION_FLASH}, {"cuDNN", ATTENTION_CUDNN}};
    const double product = 1.0 * s.batch * s.heads * s.length * s.length * s.head_width;
    struct data d;
    data_init(&d, s, number);
    data_random(&d, 8);
    printf("# %s %dx%d, %d:%d heads of %d%s:", number_name(number), s.batch, s.length, s.heads,
           s.kv_heads, s.head_width, s.slopes ? " with slopes" : "");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct device *device = open_device(number, kinds[i].choice);
        float there = measure(device, &d, forward), back = measure(device, &d, backward);
        printf(" %s forward %.3f ms %.0f TFLOP/s, backward %.3f ms %.0f TFLOP/s%s", kinds[i].name,
               there, 2 * product / there * 1e-9, back, 5 * product / back * 1e-9, i ? "\n" : ";");
        device_close(device);
    }
    data_release(&d);
}

static void speed_all(enum number number)
{
    static const struct attention_shape shapes[] = {
        {1, 4096, 32, 32, 128, NULL},
        {2, 4096, 32, 32, 128, NULL},
        {4, 4096, 32, 32, 128, NULL},
        {1, 4096, 64, 8, 128, NULL},
        {8, 1024, 20, 20, 64, NULL},
        {4, 2048, 40, 40, 128, NULL},
        {4, 2048, 40, 40, 128, slopes_steep_to_flat},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        speed(number, shapes[i]);
}

static void test_small(struct device *device)
{
    static const struct attention_shape shapes[] = {
        {2, 128, 4, 4, 128, NULL},
        {2, 512, 4, 2, 128, NULL},
        {1, 512, 8, 1, 64, NULL},
        {2, 200, 6, 3, 64, NULL},
        {1, 333, 2, 1, 128, NULL},
        {2, 77, 4, 2, 128, NULL},
        {1, 65, 2, 2, 64, NULL},
        {2, 333, 4, 2, 128, slopes_steep_to_flat},
        {1, 200, 6, 3, 64, slopes_steep_to_flat},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        test_random(device, shapes[i]);
    test_causal(device);
    test_bits(device, (struct attention_shape){2, 333, 4, 2, 128, NULL});
}

int main(int argc, char **argv)
{
    static const enum number numbers[] = {NUMBER_BF16, NUMBER_FP16};
    const char *only = argc > 1 ? argv[1] : "";
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 0; i < 2; i++) {
        struct device *device = open_device(numbers[i], ATTENTION_FLASH);
        if (strcmp(only, "speed") != 0)
            test_small(device);
        if (!*only) /* more than fits at a time: in parts */
            test_bits(device, (struct attention_shape){2, 8192, 20, 20, 64, NULL});
        device_close(device);
        if (strcmp(only, "small") != 0)
            speed_all(numbers[i]);
    }
    return tap_end(&tap);
}
