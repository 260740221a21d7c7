/*
 * nvml_own: what nvml.c and nvml_describe.c share, and nobody else.
 */
#pragma once

#include "trainer/cards/nvml.h"

#include <stdbool.h>

#define MIB (1024 * 1024)

/* nvmlMemory_t and nvmlMemory_v2_t, bytes. In the older one, what the driver keeps for itself
 * counts as used; nvidia-smi prints the newer one's. */
struct nvml_memory_v1 {
    unsigned long long total, free, used;
};

struct nvml_memory {
    unsigned version;
    unsigned long long total, reserved, free, used;
};
struct nvml_use {
    unsigned gpu, memory; /* nvmlUtilization_t, percent */
};

typedef void *card_t; /* nvmlDevice_t */

/* Every function returns 0 (NVML_SUCCESS) or an error number. */
struct nvml {
    void *library;
    unsigned n;
    int (*init)(void);
    int (*shutdown)(void);
    int (*count)(unsigned *);
    int (*card)(unsigned, card_t *);
    int (*name)(card_t, char *, unsigned);
    int (*memory_v1)(card_t, struct nvml_memory_v1 *);
    int (*memory)(card_t, struct nvml_memory *); /* NULL before driver 510 */
    int (*driver)(char *, unsigned);
    int (*cuda)(int *);
    int (*temperature)(card_t, int, unsigned *);
    int (*power)(card_t, unsigned *); /* milliwatts */
    int (*use)(card_t, struct nvml_use *);
    int (*clock)(card_t, int, unsigned *);             /* MHz; NULL: the library has none */
    int (*clock_limits)(card_t, unsigned long long *); /* bits of `limits`; NULL */
};

/* Look up a function by name; false when the library has none. */
bool nvml_find(const struct nvml *n, const char *name, void *slot);

bool nvml_read_memory(const struct nvml *n, card_t card, struct nvml_memory *out);
