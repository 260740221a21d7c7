#include "tests/gpu/attention_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cuda(cudaError_t rc)
{
    if (rc == cudaSuccess)
        return;
    printf("Bail out! %s\n", cudaGetErrorString(rc));
    exit(1);
}

#define EIGHT(x) x, (x) / 2, (x) / 4, (x) / 8, (x) / 16, (x) / 32, (x) / 64, (x) / 128
const float slopes_steep_to_flat[64] = {
    EIGHT(0.84089642f), EIGHT(0.7071068f),  EIGHT(0.59460356f), EIGHT(0.5f),
    EIGHT(0.9170040f),  EIGHT(0.77110541f), EIGHT(0.64841978f), EIGHT(0.5452539f),
};

static float from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t to_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* To nearest, ties to even; no infinities or NaN come here. */
static uint16_t to_fp16(float x)
{
    const uint16_t sign = (uint16_t)(to_bits(x) >> 16 & 0x8000);
    const float size = fabsf(x);
    if (size < 0x1p-14f)
        return (uint16_t)(sign + (uint16_t)rintf(ldexpf(size, 24)));
    const int exponent = ilogbf(size);
    const int fraction = (int)rintf(ldexpf(size, 10 - exponent)) - 1024;
    return (uint16_t)(sign + ((exponent + 15) << 10) + fraction);
}

static double from_fp16(uint16_t x)
{
    const int exponent = x >> 10 & 31, fraction = x & 1023;
    const double size = exponent == 31 ? fraction ? NAN : INFINITY
                        : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                       : ldexp(fraction, -24);
    return x & 0x8000 ? -size : size;
}

uint16_t narrow(float x, enum number number)
{
    const uint32_t bits = to_bits(x);
    return number == NUMBER_FP16 ? to_fp16(x)
                                 : (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

double wide(uint16_t x, enum number number)
{
    return number == NUMBER_FP16 ? from_fp16(x) : (double)from_bits((uint32_t)x << 16);
}

const char *number_name(enum number number)
{
    return number == NUMBER_BF16 ? "bf16" : "fp16";
}

void *device_memory(size_t bytes)
{
    void *p = NULL;
    cuda(cudaMalloc(&p, bytes));
    return p;
}

void data_init(struct data *d, struct attention_shape s, enum number number)
{
    *d = (struct data){.shape = s, .number = number, .slopes = s.slopes};
    d->rows = (size_t)s.batch * (size_t)s.length;
    d->packed = d->rows * (size_t)((s.heads + 2 * s.kv_heads) * s.head_width);
    d->plain = d->rows * (size_t)(s.heads * s.head_width);
    d->stats = d->rows * (size_t)s.heads;
    d->qkv = calloc(d->packed, 2);
    d->d_qkv = calloc(d->packed, 2);
    d->dy = calloc(d->plain, 2);
    d->y = calloc(d->plain, 2);
    d->lse = calloc(d->stats, sizeof *d->lse);
    d->dev_qkv = device_memory(2 * d->packed);
    d->dev_d_qkv = device_memory(2 * d->packed);
    d->dev_dy = device_memory(2 * d->plain);
    d->dev_y = device_memory(2 * d->plain);
    d->dev_lse = device_memory(sizeof(float) * d->stats);
    if (s.slopes) {
        const size_t bytes = sizeof(float) * (size_t)s.heads;
        d->dev_slopes = device_memory(bytes);
        cuda(cudaMemcpy(d->dev_slopes, s.slopes, bytes, cudaMemcpyHostToDevice));
        d->shape.slopes = d->dev_slopes;
    }
}

void data_release(struct data *d)
{
    void *host[] = {d->qkv, d->d_qkv, d->dy, d->y, d->lse};
    void *dev[] = {d->dev_qkv, d->dev_d_qkv, d->dev_dy, d->dev_y, d->dev_lse};
    for (int i = 0; i < 5; i++) {
        free(host[i]);
        cuda(cudaFree(dev[i]));
    }
    if (d->dev_slopes)
        cuda(cudaFree(d->dev_slopes));
}

void fill(uint16_t *x, size_t n, enum number number, uint64_t seed)
{
    uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
    for (size_t i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < 4; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            sum += (float)(state >> 40) / (1 << 24) - 0.5f;
        }
        x[i] = narrow(sum * 1.732f, number);
    }
}

void upload(const struct data *d)
{
    cuda(cudaMemcpy(d->dev_qkv, d->qkv, 2 * d->packed, cudaMemcpyHostToDevice));
    cuda(cudaMemcpy(d->dev_dy, d->dy, 2 * d->plain, cudaMemcpyHostToDevice));
}

void data_random(struct data *d, uint64_t seed)
{
    fill(d->qkv, d->packed, d->number, seed);
    fill(d->dy, d->plain, d->number, seed + 1);
    upload(d);
}

const char *const part_names[PARTS] = {"dq", "dk", "dv", "y", "log_sum_exp"};

static void compare(struct errors *e, int part, double got, double want)
{
    e->difference[part] += (got - want) * (got - want);
    e->size[part] += want * want;
}

/* One query head of one sequence in float64, after device.h; gradients of k and v are added up. */
struct reference {
    const struct data *d;
    size_t base; /* of the sequence in qkv */
    int head;
    double *p, *ds, *dk, *dv; /* [length, length] twice, [length, width] twice */
};

static double element(const struct data *d, size_t base, int row, int head, int i)
{
    const struct attention_shape *s = &d->shape;
    size_t width = (size_t)((s->heads + 2 * s->kv_heads) * s->head_width);
    return wide(d->qkv[base + (size_t)row * width + (size_t)(head * s->head_width + i)], d->number);
}

static size_t plain_at(const struct attention_shape *s, int sequence, int row, int head)
{
    size_t r = (size_t)sequence * (size_t)s->length + (size_t)row;
    return (r * (size_t)s->heads + (size_t)head) * (size_t)s->head_width;
}

static void reference_row(struct reference *r, int sequence, int i, struct errors *e)
{
    const struct data *d = r->d;
    const struct attention_shape *s = &d->shape;
    const int kv = r->head / (s->heads / s->kv_heads), w = s->head_width;
    const int key = s->heads + kv, value = s->heads + s->kv_heads + kv;
    double *p = r->p, *ds = r->ds, maximum = -INFINITY, sum = 0, delta = 0;
    for (int j = 0; j <= i; j++) {
        p[j] = 0;
        for (int c = 0; c < w; c++)
            p[j] += element(d, r->base, i, r->head, c) * element(d, r->base, j, key, c);
        p[j] = p[j] / sqrt(w) + (d->slopes ? (double)d->slopes[r->head] * (j - i) : 0);
        maximum = fmax(maximum, p[j]);
    }
    for (int j = 0; j <= i; j++)
        sum += p[j] = exp(p[j] - maximum);
    size_t stat = ((size_t)sequence * (size_t)s->heads + (size_t)r->head) * (size_t)s->length;
    compare(e, PART_LSE, d->lse[stat + (size_t)i], maximum + log(sum));
    size_t at = plain_at(s, sequence, i, r->head);
    for (int c = 0; c < w; c++) {
        double y = 0, dy = wide(d->dy[at + (size_t)c], d->number);
        for (int j = 0; j <= i; j++)
            y += p[j] / sum * element(d, r->base, j, value, c);
        compare(e, PART_Y, wide(d->y[at + (size_t)c], d->number), y);
        delta += dy * y;
    }
    for (int j = 0; j <= i; j++) {
        double dp = 0;
        p[j] /= sum;
        for (int c = 0; c < w; c++)
            dp += wide(d->dy[at + (size_t)c], d->number) * element(d, r->base, j, value, c);
        ds[j] = p[j] * (dp - delta) / sqrt(w);
    }
    for (int c = 0; c < w; c++) {
        double dq = 0, q = element(d, r->base, i, r->head, c);
        double dy = wide(d->dy[at + (size_t)c], d->number);
        for (int j = 0; j <= i; j++) {
            dq += ds[j] * element(d, r->base, j, key, c);
            r->dk[j * w + c] += ds[j] * q;
            r->dv[j * w + c] += p[j] * dy;
        }
        size_t packed = (size_t)((s->heads + 2 * s->kv_heads) * w);
        compare(e, PART_Q,
                wide(d->d_qkv[r->base + (size_t)i * packed + (size_t)(r->head * w + c)], d->number),
                dq);
    }
}

static void reference_kv(const struct reference *r, int kv, struct errors *e)
{
    const struct attention_shape *s = &r->d->shape;
    const int w = s->head_width;
    const size_t packed = (size_t)((s->heads + 2 * s->kv_heads) * w);
    for (int j = 0; j < s->length; j++) {
        const uint16_t *row = r->d->d_qkv + r->base + (size_t)j * packed;
        for (int c = 0; c < w; c++) {
            compare(e, PART_K, wide(row[(s->heads + kv) * w + c], r->d->number), r->dk[j * w + c]);
            compare(e, PART_V, wide(row[(s->heads + s->kv_heads + kv) * w + c], r->d->number),
                    r->dv[j * w + c]);
        }
    }
}

void compare_all(const struct data *d, struct errors *e)
{
    const struct attention_shape *s = &d->shape;
    const size_t n = (size_t)s->length, w = (size_t)s->head_width;
    const int group = s->heads / s->kv_heads;
    struct reference r = {.d = d,
                          .p = calloc(n, sizeof(double)),
                          .ds = calloc(n, sizeof(double)),
                          .dk = calloc(n * w, sizeof(double)),
                          .dv = calloc(n * w, sizeof(double))};
    for (int sequence = 0; sequence < s->batch; sequence++) {
        r.base = (size_t)sequence * d->packed / (size_t)s->batch;
        for (int kv = 0; kv < s->kv_heads; kv++) {
            memset(r.dk, 0, n * w * sizeof(double));
            memset(r.dv, 0, n * w * sizeof(double));
            for (r.head = kv * group; r.head < (kv + 1) * group; r.head++) {
                for (int i = 0; i < s->length; i++)
                    reference_row(&r, sequence, i, e);
            }
            reference_kv(&r, kv, e);
        }
    }
    free(r.p);
    free(r.ds);
    free(r.dk);
    free(r.dv);
}
