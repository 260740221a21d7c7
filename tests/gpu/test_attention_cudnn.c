/*
 * cuDNN's attention against float64 on the host, against inputs whose answer is known exactly,
 * against itself for the same bits, and against the clock. Needs a GPU and cuDNN; prints TAP.
 * With the argument "speed" only the measurements are made; with "small" only what a memory checker
 * gets through in time; with "once" one pass each way at a large shape, for a profiler.
 */
#include "tests/gpu/attention_data.h"
#include "tests/gpu/tap.h"
#include "trainer/device/cuda/attention_cudnn.h"
#include "trainer/device/cuda/cudnn_api.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct tap tap;

/* Forward and backward over outputs full of NaN, and back to the host. */
static void run(struct attention_cudnn *a, const struct data *d, cudaStream_t stream)
{
    struct err err = ERR_INIT;
    const struct attention_forward f = {d->shape, d->dev_qkv, d->dev_y, d->dev_lse};
    const struct attention_backward b = {d->shape,  d->dev_qkv, d->dev_y,
                                         d->dev_dy, d->dev_lse, d->dev_d_qkv};
    tap_must(attention_cudnn_prepare(a, &d->shape, &err), &err);
    cuda(cudaMemsetAsync(d->dev_y, 0xFF, 2 * d->plain, stream));
    cuda(cudaMemsetAsync(d->dev_lse, 0xFF, sizeof(float) * d->stats, stream));
    cuda(cudaMemsetAsync(d->dev_d_qkv, 0xFF, 2 * d->packed, stream));
    tap_must(attention_cudnn_forward(a, &f, &err), &err);
    tap_must(attention_cudnn_backward(a, &b, &err), &err);
    cuda(cudaMemcpyAsync(d->y, d->dev_y, 2 * d->plain, cudaMemcpyDeviceToHost, stream));
    cuda(cudaMemcpyAsync(d->d_qkv, d->dev_d_qkv, 2 * d->packed, cudaMemcpyDeviceToHost, stream));
    cuda(cudaMemcpyAsync(d->lse, d->dev_lse, sizeof(float) * d->stats, cudaMemcpyDeviceToHost,
                         stream));
    cuda(cudaStreamSynchronize(stream));
}

/* How far a result may be from float64, relative to its size; measured on an H200: up to 3.1e-3 and
 * 4.1e-4, log_sum_exp 6e-8. */
static const double limits[][PARTS] = {
    [NUMBER_BF16] = {5e-3, 5e-3, 5e-3, 5e-3, 1e-6},
    [NUMBER_FP16] = {7e-4, 7e-4, 7e-4, 7e-4, 1e-6},
};

static void test_random(struct attention_cudnn *a, cudaStream_t stream, struct attention_shape s,
                        enum number number)
{
    struct data d;
    struct errors e = {{0}, {0}};
    char what[200];
    data_init(&d, s, number);
    data_random(&d, 1);
    run(a, &d, stream);
    compare_all(&d, &e);
    for (int part = 0; part < PARTS; part++) {
        double relative = sqrt(e.difference[part] / e.size[part]);
        snprintf(what, sizeof what, "%s %dx%d, %d:%d heads of %d%s: %s is off by %.2e of its size",
                 number_name(number), s.batch, s.length, s.heads, s.kv_heads, s.head_width,
                 s.slopes ? " with slopes" : "", part_names[part], relative);
        tap_tell(&tap, relative <= limits[number][part], "%s", what);
    }
    data_release(&d);
}

/*
 * Every query points with all its weight at one token, so that p is 0 or 1 and every sum is over
 * small integers: y is that token's value, dv the sum of the dy that point at it, dq and dk are 0.
 */
static void test_exact(struct attention_cudnn *a, cudaStream_t stream, enum number number)
{
    const struct attention_shape s = {1, 128, 1, 1, 128, NULL};
    struct data d;
    double dv[128] = {0};
    int wrong = 0;
    data_init(&d, s, number);
    for (int i = 0; i < s.length; i++) {
        int target = i / 3;
        d.qkv[i * 384 + target] = narrow(64, number);
        d.qkv[i * 384 + 128 + i] = narrow(64, number);
        for (int c = 0; c < s.head_width; c++) {
            d.qkv[i * 384 + 256 + c] = narrow((float)(i % 16 - 8), number);
            d.dy[i * 128 + c] = narrow((float)(i % 5 - 2), number);
        }
        dv[target] += i % 5 - 2;
    }
    upload(&d);
    run(a, &d, stream);
    for (int i = 0; i < s.length; i++) {
        for (int c = 0; c < s.head_width; c++) {
            wrong += wide(d.y[i * 128 + c], number) != i / 3 % 16 - 8;
            wrong += wide(d.d_qkv[i * 384 + c], number) != 0;
            wrong += wide(d.d_qkv[i * 384 + 128 + c], number) != 0;
            wrong += wide(d.d_qkv[i * 384 + 256 + c], number) != dv[i];
        }
        wrong += fabs(d.lse[i] - 4096 / sqrt(128)) > 1e-4;
    }
    tap_tell(&tap, wrong == 0, "%s one-hot attention: difference 0",
             number == NUMBER_BF16 ? "bf16" : "fp16");
    data_release(&d);
}

/* What comes later changes nothing before it, to the bit. */
static void test_causal(struct attention_cudnn *a, cudaStream_t stream, enum number number)
{
    const struct attention_shape s = {1, 512, 4, 2, 128, NULL};
    const size_t cut = 300, width = (size_t)(s.heads * s.head_width);
    struct data d;
    data_init(&d, s, number);
    data_random(&d, 3);
    run(a, &d, stream);
    uint16_t *before = malloc(2 * d.plain);
    memcpy(before, d.y, 2 * d.plain);
    fill(d.qkv + cut * d.packed / d.rows, d.packed - cut * d.packed / d.rows, number, 5);
    upload(&d);
    run(a, &d, stream);
    tap_tell(&tap, memcmp(before, d.y, 2 * cut * width) == 0,
             "later tokens do not change earlier rows");
    tap_tell(&tap, memcmp(before, d.y, 2 * d.plain) != 0, "and change later ones");
    free(before);
    data_release(&d);
}

static uint64_t hash(const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 1099511628211u;
    return h;
}

static uint64_t hash_results(const struct data *d)
{
    return hash(d->y, 2 * d->plain) ^ 3 * hash(d->d_qkv, 2 * d->packed) ^
           5 * hash(d->lse, sizeof(float) * d->stats);
}

/* The same bits 6 times, every other time with copies on two more streams at once. */
static uint64_t run_busy(struct attention_cudnn *a, struct data *d, cudaStream_t stream, bool *same)
{
    const size_t noise = (size_t)512 << 20;
    cudaStream_t others[2];
    char *buffer = device_memory(2 * noise);
    uint64_t first = 0;
    *same = true;
    for (int i = 0; i < 2; i++)
        cuda(cudaStreamCreateWithFlags(&others[i], cudaStreamNonBlocking));
    for (int round = 0; round < 6; round++) {
        for (int i = 0; i < 40 && round % 2; i++)
            cuda(cudaMemcpyAsync(buffer + noise, buffer, noise, cudaMemcpyDeviceToDevice,
                                 others[i % 2]));
        run(a, d, stream);
        uint64_t h = hash_results(d);
        *same = *same && (round == 0 || h == first);
        first = h;
        cuda(cudaDeviceSynchronize());
    }
    for (int i = 0; i < 2; i++)
        cuda(cudaStreamDestroy(others[i]));
    cuda(cudaFree(buffer));
    return first;
}

/* Forward and backward as one CUDA graph. */
static void run_captured(struct attention_cudnn *a, struct data *d, cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    run(a, d, stream); /* what is made at first use is made */
    cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    const struct attention_forward f = {d->shape, d->dev_qkv, d->dev_y, d->dev_lse};
    const struct attention_backward b = {d->shape,  d->dev_qkv, d->dev_y,
                                         d->dev_dy, d->dev_lse, d->dev_d_qkv};
    struct err err = ERR_INIT;
    tap_must(attention_cudnn_forward(a, &f, &err), &err);
    tap_must(attention_cudnn_backward(a, &b, &err), &err);
    cuda(cudaStreamEndCapture(stream, &graph));
    cuda(cudaGraphInstantiate(&exec, graph, 0));
    cuda(cudaMemset(d->dev_y, 0xFF, 2 * d->plain));
    cuda(cudaMemset(d->dev_d_qkv, 0xFF, 2 * d->packed));
    for (int i = 0; i < 2; i++)
        cuda(cudaGraphLaunch(exec, stream));
    cuda(cudaStreamSynchronize(stream));
    cuda(cudaMemcpy(d->y, d->dev_y, 2 * d->plain, cudaMemcpyDeviceToHost));
    cuda(cudaMemcpy(d->d_qkv, d->dev_d_qkv, 2 * d->packed, cudaMemcpyDeviceToHost));
    cuda(cudaGraphExecDestroy(exec));
    cuda(cudaGraphDestroy(graph));
}

static void test_bits(struct attention_cudnn *a, cudaStream_t stream, struct attention_shape s,
                      enum number number)
{
    struct err err = ERR_INIT;
    struct attention_cudnn *parted;
    struct data d;
    char what[160];
    bool same;
    data_init(&d, s, number);
    data_random(&d, 6);
    uint64_t bits = run_busy(a, &d, stream, &same);
    snprintf(what, sizeof what, "%s %dx%d, %d:%d heads of %d: same bits (%016llx)",
             number_name(number), s.batch, s.length, s.heads, s.kv_heads, s.head_width,
             (unsigned long long)bits);
    tap_tell(&tap, same, "%s", what);
    run_captured(a, &d, stream);
    tap_tell(&tap, hash_results(&d) == bits, "and when it is replayed from a CUDA graph");
    tap_must(attention_cudnn_open(&parted, stream, number, &err), &err);
    attention_cudnn_limit(parted, (size_t)40 << 20);
    run(parted, &d, stream);
    tap_tell(&tap, hash_results(&d) == bits, "and in parts of 40 MiB");
    attention_cudnn_close(parted);
    data_release(&d);
}

/* What another shape left in the workspace changes nothing: NaN, at other places than those that
 * this shape writes, and not only below its diagonals. */
static void test_leftovers(cudaStream_t stream, enum number number)
{
    const struct attention_shape s = {1, 512, 16, 16, 128, NULL},
                                 wide_one = {1, 1024, 4, 4, 128, NULL};
    struct err err = ERR_INIT;
    struct attention_cudnn *fresh, *used;
    struct data d, other;
    data_init(&d, s, number);
    data_random(&d, 7);
    data_init(&other, wide_one, number);
    data_random(&other, 7);
    cuda(cudaMemset(other.dev_dy, 0xFF, 2 * other.plain));
    tap_must(attention_cudnn_open(&fresh, stream, number, &err), &err);
    run(fresh, &d, stream);
    uint64_t bits = hash_results(&d);
    tap_must(attention_cudnn_open(&used, stream, number, &err), &err);
    run(used, &other, stream);
    tap_tell(&tap, isnan(wide(other.d_qkv[0], number)), "NaN in, NaN out");
    run(used, &d, stream);
    tap_tell(&tap, hash_results(&d) == bits, "and nothing of it is left for the next shape");
    attention_cudnn_close(fresh);
    attention_cudnn_close(used);
    data_release(&d);
    data_release(&other);
}

/* What cannot work says so. */
static void test_refusals(cudaStream_t stream)
{
    const struct attention_shape good = {1, 128, 4, 2, 64, NULL}, bad = {1, 128, 4, 3, 64, NULL};
    const struct attention_forward unprepared = {.shape = good};
    struct attention_cudnn *a;
    struct attention_cudnn_plans plans;
    struct cudnn c;
    struct err err = ERR_INIT;
    tap_tell(&tap,
             attention_cudnn_open(&a, stream, NUMBER_FP32, &err) != 0 && err.kind == ERR_USAGE,
             "%s", err.text);
    tap_tell(&tap, cudnn_open(&c, "libcudnn_missing.so.9", stream, &err) != 0 && err.kind == ERR_IO,
             "%s", err.text);
    tap_tell(&tap, cudnn_open(&c, "libm.so.6", stream, &err) != 0 && err.kind == ERR_IO, "%s",
             err.text);
    tap_tell(&tap, cudnn_open_described(&c, CUDNN_LIBRARY, "{}", &err) != 0 && err.kind == ERR_IO,
             "%s", err.text);
    tap_must(attention_cudnn_open(&a, stream, NUMBER_BF16, &err), &err);
    tap_tell(&tap, attention_cudnn_plans(a, &bad, &plans, &err) != 0 && err.kind == ERR_USAGE, "%s",
             err.text);
    tap_tell(&tap, attention_cudnn_forward(a, &unprepared, &err) != 0, "%s", err.text);
    attention_cudnn_close(a);
}

/* From a description of the device come the same plans as from the device. */
static void test_described(cudaStream_t stream)
{
    const struct attention_shape s = {2, 512, 8, 4, 128, NULL};
    struct attention_cudnn *at_hand, *described;
    struct attention_cudnn_plans x, y;
    struct cudnn c;
    struct err err = ERR_INIT;
    static char json[8192];
    tap_must(cudnn_open(&c, CUDNN_LIBRARY, stream, &err), &err);
    tap_must(cudnn_describe(&c, json, sizeof json, &err), &err);
    tap_must(attention_cudnn_open(&at_hand, stream, NUMBER_BF16, &err), &err);
    tap_must(attention_cudnn_open_described(&described, json, NUMBER_BF16, &err), &err);
    tap_must(attention_cudnn_plans(at_hand, &s, &x, &err), &err);
    tap_must(attention_cudnn_plans(described, &s, &y, &err), &err);
    tap_tell(&tap,
             strcmp(x.forward, y.forward) == 0 && strcmp(x.backward, y.backward) == 0 &&
                 x.workspace == y.workspace,
             "a description of the device gives the same plans");
    attention_cudnn_close(at_hand);
    attention_cudnn_close(described);
    cudnn_close(&c);
}

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The median of several runs, ms. */
static float measure(struct attention_cudnn *a, const struct data *d, cudaStream_t stream,
                     bool backward)
{
    enum { WARM = 3, RUNS = 15 };
    const struct attention_forward f = {d->shape, d->dev_qkv, d->dev_y, d->dev_lse};
    const struct attention_backward b = {d->shape,  d->dev_qkv, d->dev_y,
                                         d->dev_dy, d->dev_lse, d->dev_d_qkv};
    struct err err = ERR_INIT;
    cudaEvent_t from, to;
    float ms[RUNS];
    cuda(cudaEventCreate(&from));
    cuda(cudaEventCreate(&to));
    for (int i = -WARM; i < RUNS; i++) {
        cuda(cudaEventRecord(from, stream));
        tap_must(backward ? attention_cudnn_backward(a, &b, &err)
                          : attention_cudnn_forward(a, &f, &err),
                 &err);
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

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Two products of the lower triangle forward, five backward. */
static void speed(struct attention_cudnn *a, cudaStream_t stream, struct attention_shape s,
                  enum number number)
{
    struct data d;
    struct err err = ERR_INIT;
    struct attention_cudnn_plans plans;
    const double product = 1.0 * s.batch * s.heads * s.length * s.length * s.head_width;
    data_init(&d, s, number);
    data_random(&d, 8);
    double start = now();
    tap_must(attention_cudnn_prepare(a, &s, &err), &err);
    double made = now() - start;
    tap_must(attention_cudnn_plans(a, &s, &plans, &err), &err);
    float forward = measure(a, &d, stream, false), backward = measure(a, &d, stream, true);
    printf("# %s %dx%d, %d:%d heads of %d%s: forward %.3f ms %.0f TFLOP/s, backward %.3f ms "
           "%.0f TFLOP/s, %d parts, %zu MiB, plans made in %.2f s\n#   %s\n#   %s\n",
           number_name(number), s.batch, s.length, s.heads, s.kv_heads, s.head_width,
           s.slopes ? " with slopes" : "", forward, 2 * product / forward * 1e-9, backward,
           5 * product / backward * 1e-9, plans.backward_parts, plans.workspace >> 20, made,
           plans.forward, plans.backward);
    data_release(&d);
}

/* How long the host takes to queue one pass, us. */
static void queueing(struct attention_cudnn *a, cudaStream_t stream)
{
    enum { RUNS = 200 };
    const struct attention_shape s = {1, 128, 2, 2, 64, NULL};
    struct err err = ERR_INIT;
    struct data d;
    double us[2];
    data_init(&d, s, NUMBER_BF16);
    data_random(&d, 8);
    run(a, &d, stream);
    const struct attention_forward f = {d.shape, d.dev_qkv, d.dev_y, d.dev_lse};
    const struct attention_backward b = {d.shape,  d.dev_qkv, d.dev_y,
                                         d.dev_dy, d.dev_lse, d.dev_d_qkv};
    for (int backward = 0; backward < 2; backward++) {
        double start = now();
        for (int i = 0; i < RUNS; i++)
            tap_must(backward ? attention_cudnn_backward(a, &b, &err)
                              : attention_cudnn_forward(a, &f, &err),
                     &err);
        us[backward] = (now() - start) * 1e6 / RUNS;
        cuda(cudaStreamSynchronize(stream));
    }
    printf("# queueing: forward %.1f us, backward %.1f us of the host\n", us[0], us[1]);
    data_release(&d);
}

/* By an engine of its own, which keeps so many shapes and no more. */
static void measure_all(cudaStream_t stream, enum number number)
{
    struct err err = ERR_INIT;
    struct attention_cudnn *a;
    static const struct {
        struct attention_shape shape;
        size_t limit;
    } rows[] = {
        {{1, 4096, 32, 32, 128, NULL}, (size_t)2 << 30},
        {{2, 4096, 32, 32, 128, NULL}, (size_t)2 << 30},
        {{3, 4096, 32, 32, 128, NULL}, (size_t)4 << 30},
        {{4, 4096, 32, 32, 128, NULL}, (size_t)4 << 30},
        {{1, 4096, 40, 40, 128, NULL}, (size_t)2 << 30},
        {{1, 4096, 32, 8, 128, NULL}, (size_t)2 << 30},
        {{1, 4096, 64, 8, 128, NULL}, (size_t)2 << 30},
        {{8, 1024, 20, 20, 64, NULL}, (size_t)2 << 30},
        {{4, 2048, 40, 40, 128, NULL}, (size_t)2 << 30},
        {{4, 2048, 40, 40, 128, slopes_steep_to_flat}, (size_t)2 << 30},
    };
    tap_must(attention_cudnn_open(&a, stream, number, &err), &err);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        attention_cudnn_limit(a, rows[i].limit);
        speed(a, stream, rows[i].shape, number);
    }
    attention_cudnn_close(a);
}

static void run_once(struct attention_cudnn *a, cudaStream_t stream)
{
    struct data d;
    data_init(&d, (struct attention_shape){1, 4096, 32, 32, 128, NULL}, NUMBER_BF16);
    data_random(&d, 8);
    run(a, &d, stream);
    data_release(&d);
}

/* Between scaling and mask; also where only a part of the heads is done at a time. */
static void test_slopes(struct attention_cudnn *a, cudaStream_t stream, enum number number)
{
    static const struct attention_shape shapes[] = {
        {2, 128, 4, 4, 128, slopes_steep_to_flat},
        {2, 512, 4, 2, 128, slopes_steep_to_flat},
        {1, 512, 10, 10, 64, slopes_steep_to_flat},
    };
    struct attention_cudnn_plans plans;
    struct attention_cudnn *parted;
    struct err err = ERR_INIT;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        bool made = attention_cudnn_plans(a, &shapes[i], &plans, &err) == 0;
        tap_tell(&tap, made, "plans with slopes: %s", made ? plans.forward : err.text);
        if (!made)
            return;
        test_random(a, stream, shapes[i], number);
    }
    tap_must(attention_cudnn_open(&parted, stream, number, &err), &err);
    attention_cudnn_limit(parted, (size_t)1 << 20);
    test_random(parted, stream, shapes[2], number);
    attention_cudnn_close(parted);
}

static void test_small(struct attention_cudnn *a, cudaStream_t stream, enum number number)
{
    static const struct attention_shape shapes[] = {
        {2, 128, 4, 4, 128, NULL}, {2, 512, 4, 2, 128, NULL}, {1, 512, 8, 1, 64, NULL},
        {2, 200, 6, 3, 64, NULL},  {1, 77, 2, 1, 32, NULL},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        test_random(a, stream, shapes[i], number);
    test_exact(a, stream, number);
    test_causal(a, stream, number);
    test_slopes(a, stream, number);
}

int main(int argc, char **argv)
{
    static const enum number numbers[] = {NUMBER_BF16, NUMBER_FP16};
    const char *only = argc > 1 ? argv[1] : "";
    const bool all = !*only, small = strcmp(only, "small") == 0, fast = strcmp(only, "speed") == 0;
    struct err err = ERR_INIT;
    cudaStream_t stream;
    setvbuf(stdout, NULL, _IOLBF, 0);
    cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    if (all || small) {
        test_refusals(stream);
        test_described(stream);
    }
    for (int i = 0; i < 2; i++) {
        struct attention_cudnn *a;
        tap_must(attention_cudnn_open(&a, stream, numbers[i], &err), &err);
        if (all || small)
            test_small(a, stream, numbers[i]);
        if (all || small)
            test_leftovers(stream, numbers[i]);
        if (all) {
            test_bits(a, stream, (struct attention_shape){2, 2048, 16, 16, 128, NULL}, numbers[i]);
            test_bits(a, stream, (struct attention_shape){1, 2048, 32, 8, 128, NULL}, numbers[i]);
        }
        if (all || fast)
            measure_all(stream, numbers[i]);
        if (fast && i == 0)
            queueing(a, stream);
        if (!all && !small && !fast && i == 0)
            run_once(a, stream);
        attention_cudnn_close(a);
    }
    cuda(cudaStreamDestroy(stream));
    return tap_end(&tap);
}
