/* The processor's device and numbers to try it with: what the tests of its operations stand on. */
#pragma once

#include "tests/unit/unit.h"

#include "base/arena.h"
#include "trainer/device/device.h"
#include "trainer/device/rng.h"

#include <stdlib.h>
#include <string.h>

struct fixture {
    struct device *device;
    const struct device_operations *op;
    struct arena arena;
    struct rng rng;
};

static inline int setup(void **state)
{
    struct err err = ERR_INIT;
    struct fixture *f = memory_alloc(sizeof *f);
    assert_int_equal(device_cpu_open(&f->device, &err), 0);
    f->op = f->device->operations;
    rng_init(&f->rng, 1, RNG_WEIGHTS, 0);
    *state = f;
    return 0;
}

static inline int teardown(void **state)
{
    struct fixture *f = *state;
    device_close(f->device);
    arena_release(&f->arena);
    free(f);
    return 0;
}

static inline float *zeros(struct fixture *f, size_t n)
{
    return arena_array(&f->arena, n, sizeof(float));
}

static inline float *randoms(struct fixture *f, size_t n)
{
    float *x = zeros(f, n);
    for (size_t i = 0; i < n; i++)
        x[i] = rng_bell(&f->rng);
    return x;
}

static inline float *copy(struct fixture *f, const float *x, size_t n)
{
    return memcpy(zeros(f, n), x, n * sizeof *x);
}

static inline double dot(const float *a, const float *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)a[i] * b[i];
    return sum;
}

#define ON_DEVICE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
