#include "tests/gpu/exact.h"

#include "tests/gpu/numbers.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- arrays -------------------------------------------------------------------------------- */

float *exact_host(struct exact *b, size_t n)
{
    float *values = calloc(n, sizeof *values);
    if (!values || b->n_hosts == EXACT_ARRAYS_MAX)
        exit(1);
    b->hosts[b->n_hosts++] = values;
    return values;
}

void *exact_room(struct exact *b, size_t bytes)
{
    struct err err = ERR_INIT;
    void *memory;
    if (b->n_held == EXACT_ARRAYS_MAX)
        exit(1);
    if (b->o->alloc(b->device, &memory, bytes, &err) < 0)
        tap_stop(&err);
    b->held[b->n_held++] = memory;
    return memory;
}

void *exact_put_bytes(struct exact *b, const void *bytes, size_t n)
{
    void *memory = exact_room(b, n);
    b->o->upload(b->device, memory, bytes, n);
    return memory;
}

float *exact_put_wide(struct exact *b, const float *values, size_t n)
{
    return exact_put_bytes(b, values, n * sizeof *values);
}

void *exact_put(struct exact *b, const float *values, size_t n)
{
    if (b->device->number == NUMBER_FP32)
        return exact_put_wide(b, values, n);
    uint16_t *narrow = (uint16_t *)exact_host(b, n);
    for (size_t i = 0; i < n; i++)
        narrow[i] = narrow_one(b->device->number, values[i]);
    return exact_put_bytes(b, narrow, n * sizeof *narrow);
}

float *exact_nans(struct exact *b, size_t n)
{
    float *values = exact_host(b, n);
    for (size_t i = 0; i < n; i++)
        values[i] = NAN;
    return values;
}

void exact_get_bytes(struct exact *b, void *to, const void *from, size_t n)
{
    struct err err = ERR_INIT;
    if (b->o->download(b->device, to, from, n, &err) < 0)
        tap_stop(&err);
}

static const float *get_wide(struct exact *b, const void *from, size_t n)
{
    float *values = exact_host(b, n);
    exact_get_bytes(b, values, from, n * sizeof *values);
    return values;
}

static const float *get(struct exact *b, const void *from, size_t n)
{
    if (b->device->number == NUMBER_FP32)
        return get_wide(b, from, n);
    float *values = exact_host(b, n);
    uint16_t *narrow = (uint16_t *)exact_host(b, n);
    exact_get_bytes(b, narrow, from, n * sizeof *narrow);
    for (size_t i = 0; i < n; i++)
        values[i] = widen_one(b->device->number, narrow[i]);
    return values;
}

void exact_done(struct exact *b)
{
    while (b->n_held > 0)
        b->o->release(b->device, b->held[--b->n_held]);
    while (b->n_hosts > 0)
        free(b->hosts[--b->n_hosts]);
}

/* ---- judgement ------------------------------------------------------------------------------ */

void exact_tell(struct exact *b, bool ok, const char *what)
{
    tap_tell(&b->tap, ok, "%s %s", b->name, what);
}

static void compare(struct exact *b, const float *found, const float *expected, size_t n,
                    const char *what)
{
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < n; i++)
        if (!(found[i] == expected[i]) && wrong++ == 0)
            first = i;
    exact_tell(b, wrong == 0, what);
    if (wrong)
        printf("# %zu of %zu differ; element %zu: found %.9g, expected %.9g\n", wrong, n, first,
               found[first], expected[first]);
}

void exact_expect(struct exact *b, const void *at, const float *expected, size_t n,
                  const char *what)
{
    compare(b, get(b, at, n), expected, n, what);
}

void exact_expect_wide(struct exact *b, const void *at, const float *expected, size_t n,
                       const char *what)
{
    compare(b, get_wide(b, at, n), expected, n, what);
}

/* Small whole numbers from -most to most, without a pattern that shapes could share. */
float exact_whole(size_t i, int most)
{
    uint32_t x = (uint32_t)i * 2654435761u;
    return (float)((int)((x ^ x >> 15) % (uint32_t)(2 * most + 1)) - most);
}

float *exact_wholes(struct exact *b, size_t n, int most, size_t from)
{
    float *values = exact_host(b, n);
    for (size_t i = 0; i < n; i++)
        values[i] = exact_whole(from + i, most);
    return values;
}
