/*
 * exact: a device held to answers that are known exactly (test_exact.c): arrays there and back in
 * the device's format, whole numbers to fill them with, and verdicts in TAP.
 *
 * Arrays, on the host and on the device, live until exact_done, with which a test ends. Values are
 * fp32 on the host whatever the device's format is; `wide` ones are fp32 there, too. A failure of
 * the device ends the program.
 */
#pragma once

#include "tests/gpu/tap.h"
#include "trainer/device/device.h"

#define EXACT_ARRAYS_MAX 32
#define COUNT(array) (sizeof(array) / sizeof *(array))

struct exact {
    struct device *device;
    const struct device_operations *o; /* the device's */
    char name[64];                     /* what lines begin with */
    struct tap tap;
    void *held[EXACT_ARRAYS_MAX]; /* device memory */
    float *hosts[EXACT_ARRAYS_MAX];
    int n_held, n_hosts;
};

void exact_done(struct exact *b);

/* Host memory: zeros; NaNs; numbers from -most to most, the same for the same index, without a
 * pattern that shapes could share. */
float *exact_host(struct exact *b, size_t n);
float *exact_nans(struct exact *b, size_t n);
float exact_whole(size_t i, int most);
float *exact_wholes(struct exact *b, size_t n, int most, size_t from);

/* Device memory; nothing is carried there by exact_room. */
void *exact_room(struct exact *b, size_t bytes);
void *exact_put_bytes(struct exact *b, const void *bytes, size_t n);
float *exact_put_wide(struct exact *b, const float *values, size_t n);
void *exact_put(struct exact *b, const float *values, size_t n);
void exact_get_bytes(struct exact *b, void *to, const void *from, size_t n);

/* One line of TAP: the array is what was expected, every element of it (0 and -0 are the same). */
void exact_tell(struct exact *b, bool ok, const char *what);
void exact_expect(struct exact *b, const void *at, const float *expected, size_t n,
                  const char *what);
void exact_expect_wide(struct exact *b, const void *at, const float *expected, size_t n,
                       const char *what);

/* Parts of test_exact.c that are files of their own. */
void exact_products(struct exact *b);
void exact_attention(struct exact *b);
