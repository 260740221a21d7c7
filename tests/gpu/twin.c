#include "tests/gpu/twin.h"

#include "tests/gpu/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

float twin_rounded(const struct twin *t, float x)
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

struct pair pair_of(struct twin *t, size_t n, bool wide, const float *values)
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

struct pair pair_filled(struct twin *t, size_t n, bool wide, float value)
{
    float *values = malloc(n * sizeof *values);
    for (size_t i = 0; i < n; i++)
        values[i] = value;
    struct pair p = pair_of(t, n, wide, values);
    free(values);
    return p;
}

struct pair pair_random(struct twin *t, size_t n, bool wide, float scale)
{
    float *values = malloc(n * sizeof *values);
    for (size_t i = 0; i < n; i++) {
        values[i] = scale * rng_bell(&t->rng);
        values[i] = wide ? values[i] : twin_rounded(t, values[i]);
    }
    struct pair p = pair_of(t, n, wide, values);
    free(values);
    return p;
}

struct pair pair_tokens(struct twin *t, size_t n, int first, int end)
{
    struct pair p = {.n = n, .wide = true};
    struct err err = ERR_INIT;
    int32_t *tokens = malloc(n * sizeof *tokens);
    for (size_t i = 0; i < n; i++)
        tokens[i] = first + (int32_t)rng_below(&t->rng, (uint64_t)(end - first));
    if (t->cpu->operations->alloc(t->cpu, &p.cpu, n * sizeof *tokens, &err) < 0 ||
        t->gpu->operations->alloc(t->gpu, &p.gpu, n * sizeof *tokens, &err) < 0)
        tap_stop(&err);
    t->cpu->operations->upload(t->cpu, p.cpu, tokens, n * sizeof *tokens);
    t->gpu->operations->upload(t->gpu, p.gpu, tokens, n * sizeof *tokens);
    free(tokens);
    return p;
}

void pair_release(struct twin *t, struct pair *p)
{
    t->cpu->operations->release(t->cpu, p->cpu);
    t->gpu->operations->release(t->gpu, p->gpu);
}

/* ---- judgement ------------------------------------------------------------------------------ */

void twin_tell(struct twin *t, bool ok, const char *what, double difference, double limit)
{
    tap_tell(t->tap, ok, "%s %s: difference %.2e, at most %.0e", t->precision->name, what,
             difference, limit);
}

void pair_compare(struct twin *t, struct pair *p, const char *what, double limit)
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
    twin_tell(t, difference <= limit, what, difference, limit);
    free(gpu);
    pair_release(t, p);
}

void pair_compare_again(struct twin *t, const struct pair *again, const struct pair *first,
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
    twin_tell(t, most == 0, text, most, 0);
    free(a);
    free(b);
}
