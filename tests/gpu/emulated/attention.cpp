/*
 * Our fused attention on a processor, against float64: the kernels of attention_flash*.cu
 * themselves, under sanitizers (block.h); then the embedding's (embed.cpp). Needs CUDA's headers and no GPU; prints TAP.
 */
extern "C" {
#include "tests/gpu/attention_data.h"
}
#include "tests/gpu/emulated/block.h"
#include "tests/gpu/emulated/tests.h"
#include "trainer/device/cuda/kernels/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <vector>

/* What else of the GPU the test's data and the kernels ask for. */
extern "C" {
cudaError_t cudaMalloc(void **out, size_t bytes)
{
    *out = malloc(bytes);
    return cudaSuccess;
}

cudaError_t cudaFree(void *memory)
{
    free(memory);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind)
{
    memcpy(to, from, bytes);
    return cudaSuccess;
}

const char *cudaGetErrorString(cudaError_t)
{
    return "";
}

void kernel_row_dots(const struct launch *l, float *delta, const struct attention_shape *s,
                     const void *dy, const void *y)
{
    const uint16_t *a = (const uint16_t *)dy, *b = (const uint16_t *)y;
    const float *a4 = (const float *)dy, *b4 = (const float *)y;
    for (int i = 0; i < s->batch * s->length * s->heads; i++) {
        int row = i / s->heads, sequence = row / s->length;
        double sum = 0;
        for (int c = 0; c < s->head_width; c++)
            if (size_t at = (size_t)i * s->head_width + c; l->number == NUMBER_FP32)
                sum += (double)a4[at] * b4[at];
            else
                sum += wide(a[at], l->number) * wide(b[at], l->number);
        delta[(sequence * s->heads + i % s->heads) * s->length + row % s->length] = (float)sum;
    }
}
}

static int tests, failures;

/* As on a GPU (test_attention_flash.c). */
static const double limits[] = {[NUMBER_FP32] = 0, [NUMBER_BF16] = 5e-3, [NUMBER_FP16] = 7e-4};

static void both_ways(struct data *d)
{
    std::vector<char> scratch(sizeof(float) * d->stats);
    std::vector<char> ds(kernel_flash_bytes(&d->shape), (char)0xFF);
    struct launch l = {};
    l.number = d->number;
    l.scratch = scratch.data();
    struct attention_forward f = {d->shape, d->dev_qkv, d->dev_y, d->dev_lse};
    struct attention_backward b = {d->shape,  d->dev_qkv, d->dev_y,
                                   d->dev_dy, d->dev_lse, d->dev_d_qkv};
    kernel_flash_forward(&l, &f);
    kernel_flash_backward(&l, &b, ds.data());
    memcpy(d->y, d->dev_y, 2 * d->plain);
    memcpy(d->lse, d->dev_lse, sizeof(float) * d->stats);
    memcpy(d->d_qkv, d->dev_d_qkv, 2 * d->packed);
}

static void test_shape(struct attention_shape s, enum number number)
{
    struct data d;
    struct errors e = {};
    data_init(&d, s, number);
    data_random(&d, 3);
    both_ways(&d);
    compare_all(&d, &e);
    for (int part = 0; part < PARTS; part++) {
        double off = sqrt(e.difference[part] / e.size[part]);
        bool good = off <= (part == PART_LSE ? 1e-6 : limits[number]);
        printf("%sok %d - %s %dx%d, %d:%d heads of %d%s, emulated: %s is off by %.2e\n",
               good ? "" : "not ", ++tests, number_name(number), s.batch, s.length, s.heads,
               s.kv_heads, s.head_width, s.slopes ? " with slopes" : "", part_names[part], off);
        failures += !good;
    }
    data_release(&d);
}

int main()
{
    test_shape({1, 16, 1, 1, 128}, NUMBER_FP16);
    test_shape({1, 200, 2, 1, 64}, NUMBER_FP16);
    test_shape({2, 77, 4, 2, 128}, NUMBER_BF16);
    static const float slopes[] = {0.8409f, -0.25f, 0.7071f, 0.00390625f};
    test_shape({1, 200, 2, 1, 64, slopes}, NUMBER_FP16);
    test_shape({2, 77, 4, 2, 128, slopes}, NUMBER_BF16);
    failures += test_triangle(&tests);
    failures += test_embedding(&tests);
    failures += test_thin(&tests);
    failures += test_pictures(&tests);
    printf("1..%d\n", tests);
    return failures != 0;
}
