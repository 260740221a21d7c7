#include "trainer/device/device_cpu_memory.h"

#include "trainer/fingerprint/look.h"

#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 256

int cpu_alloc(struct device *d, void **out, size_t bytes, struct err *err)
{
    (void)d;
    void *memory = NULL;
    if (bytes <= SIZE_MAX - ALIGNMENT)
        memory = aligned_alloc(ALIGNMENT, (bytes / ALIGNMENT + 1) * ALIGNMENT);
    if (!memory)
        return err_set(err, ERR_IO, "cpu: not enough memory for %zu bytes", bytes);
    *out = memset(memory, 0, bytes);
    return 0;
}

void cpu_release(struct device *d, void *memory)
{
    (void)d;
    free(memory);
}

void cpu_zero(struct device *d, void *memory, size_t bytes)
{
    (void)d;
    memset(memory, 0, bytes);
}

void cpu_copy(struct device *d, void *to, const void *from, size_t bytes)
{
    (void)d;
    memcpy(to, from, bytes);
}

int cpu_download(struct device *d, void *host, const void *from, size_t bytes, struct err *err)
{
    (void)d;
    (void)err;
    memcpy(host, from, bytes);
    return 0;
}

int cpu_synchronize(struct device *d, struct err *err)
{
    (void)d;
    (void)err;
    return 0;
}

/* MemAvailable: what programs can have without swapping. */
int cpu_free_bytes(struct device *d, size_t *bytes, struct err *err)
{
    struct arena arena;
    (void)d;
    arena_init(&arena);
    const char *text = sysfile_read("/", "proc/meminfo", &arena);
    const char *kib = text ? sysfile_field(text, "MemAvailable", ':', &arena) : NULL;
    if (kib)
        *bytes = (size_t)strtoull(kib, NULL, 10) * 1024;
    arena_release(&arena);
    return kib ? 0 : err_set(err, ERR_IO, "/proc/meminfo: found no MemAvailable in it");
}
