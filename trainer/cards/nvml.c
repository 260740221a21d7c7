#include "trainer/cards/nvml_own.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CARDS_MAX 1024
#define TEMPERATURE_OF_GPU 0 /* nvmlTemperatureSensors_t */
#define CLOCK_SM 1           /* nvmlClockType_t */
#define CLOCK_MEMORY 2

#define MEMORY_VERSION ((unsigned)sizeof(struct nvml_memory) | 2u << 24)

bool nvml_find(const struct nvml *n, const char *name, void *slot)
{
    void *f = dlsym(n->library, name);
    memcpy(slot, &f, sizeof f); /* POSIX: a function fits into a void pointer */
    return f != NULL;
}

/* Look up all functions; the name of the first that is missing, or NULL. */
static const char *find_nvml_functions(struct nvml *n)
{
    const struct {
        const char *name;
        void *slot;
    } rows[] = {
        {"nvmlInit_v2", &n->init},
        {"nvmlShutdown", &n->shutdown},
        {"nvmlDeviceGetCount_v2", &n->count},
        {"nvmlDeviceGetHandleByIndex_v2", &n->card},
        {"nvmlDeviceGetName", &n->name},
        {"nvmlDeviceGetMemoryInfo", &n->memory_v1},
        {"nvmlSystemGetDriverVersion", &n->driver},
        {"nvmlSystemGetCudaDriverVersion_v2", &n->cuda},
        {"nvmlDeviceGetTemperature", &n->temperature},
        {"nvmlDeviceGetPowerUsage", &n->power},
        {"nvmlDeviceGetUtilizationRates", &n->use},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!nvml_find(n, rows[i].name, rows[i].slot))
            return rows[i].name;
    }
    nvml_find(n, "nvmlDeviceGetMemoryInfo_v2", &n->memory);
    nvml_find(n, "nvmlDeviceGetClockInfo", &n->clock);
    /* The same under its name since driver 535, and before. */
    if (!nvml_find(n, "nvmlDeviceGetCurrentClocksEventReasons", &n->clock_limits))
        nvml_find(n, "nvmlDeviceGetCurrentClocksThrottleReasons", &n->clock_limits);
    return NULL;
}

static const char *start_nvml(struct nvml *n, struct arena *arena)
{
    const char *missing = find_nvml_functions(n);
    if (missing)
        return arena_printf(arena, "the NVIDIA library lacks %s", missing);
    int rc = n->init();
    if (rc != 0)
        return arena_printf(arena, "NVIDIA's driver does not answer (NVML error %d)", rc);
    if (n->count(&n->n) == 0 && n->n > 0 && n->n <= CARDS_MAX)
        return NULL;
    n->shutdown();
    return "NVIDIA's driver is installed, but finds no card";
}

struct nvml *nvml_open(const char *library, struct arena *arena, const char **reason)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char *said = dlerror();
        *reason = strstr(said, strerror(ENOENT))
                      ? arena_printf(arena, "no NVIDIA driver: %s not found", library)
                      : arena_printf(arena, "NVIDIA's driver cannot be loaded: %s", said);
        return NULL;
    }
    struct nvml *n = memory_alloc(sizeof *n);
    n->library = handle;
    *reason = start_nvml(n, arena);
    if (!*reason)
        return n;
    dlclose(handle);
    free(n);
    return NULL;
}

void nvml_close(struct nvml *n)
{
    if (!n)
        return;
    n->shutdown();
    dlclose(n->library);
    free(n);
}

bool nvml_read_memory(const struct nvml *n, card_t card, struct nvml_memory *out)
{
    struct nvml_memory_v1 old;
    *out = (struct nvml_memory){.version = MEMORY_VERSION};
    if (n->memory && n->memory(card, out) == 0)
        return true;
    if (n->memory_v1(card, &old) != 0)
        return false;
    *out = (struct nvml_memory){.total = old.total, .free = old.free, .used = old.used};
    return true;
}

static void sample_number(struct buf *out, bool known, unsigned long long value, const char *unit,
                          char after)
{
    if (known)
        buf_printf(out, "%llu%s%c", value, unit, after);
    else
        buf_printf(out, "-%c", after);
}

void nvml_sample(const struct nvml *n, struct buf *out)
{
    for (unsigned i = 0; i < n->n; i++) {
        card_t card;
        unsigned celsius = 0, milliwatts = 0;
        struct nvml_memory memory = {0};
        struct nvml_use use = {0};
        bool there = n->card(i, &card) == 0;
        bool warm = there && n->temperature(card, TEMPERATURE_OF_GPU, &celsius) == 0;
        bool power = there && n->power(card, &milliwatts) == 0;
        bool sized = there && nvml_read_memory(n, card, &memory);
        bool used = there && n->use(card, &use) == 0;
        sample_number(out, warm, celsius, "C", ' ');
        sample_number(out, power, (milliwatts + 500) / 1000, "W", ' ');
        sample_number(out, sized, memory.used / MIB, "MiB", ' ');
        sample_number(out, sized, memory.total / MIB, "MiB", ' ');
        sample_number(out, used, use.gpu, "%", '\n');
    }
}

/* nvmlClocksEventReason…: why a card does not run at its highest clock. */
static const struct {
    unsigned long long bit;
    const char *name;
} limits[] = {
    {0x1, "idle"},     {0x2, "set"},         {0x4, "power"},     {0x8, "slowdown"},  {0x10, "sync"},
    {0x20, "thermal"}, {0x40, "hw_thermal"}, {0x80, "hw_power"}, {0x100, "display"},
};

static void sample_limits(struct buf *out, bool known, unsigned long long bits)
{
    const char *between = "";
    for (size_t i = 0; known && i < sizeof limits / sizeof *limits; i++) {
        if (!(bits & limits[i].bit))
            continue;
        buf_printf(out, "%s%s", between, limits[i].name);
        between = "+";
    }
    if (!*between)
        buf_str(out, known ? "none" : "-");
    buf_char(out, '\n');
}

void nvml_sample_clocks(const struct nvml *n, struct buf *out)
{
    for (unsigned i = 0; i < n->n; i++) {
        card_t card;
        unsigned sm = 0, memory = 0;
        unsigned long long bits = 0;
        bool there = n->card(i, &card) == 0;
        bool sm_known = there && n->clock && n->clock(card, CLOCK_SM, &sm) == 0;
        bool memory_known = there && n->clock && n->clock(card, CLOCK_MEMORY, &memory) == 0;
        bool limited = there && n->clock_limits && n->clock_limits(card, &bits) == 0;
        sample_number(out, sm_known, sm, "MHz", ' ');
        sample_number(out, memory_known, memory, "MHz", ' ');
        sample_limits(out, limited, bits);
    }
}
