#include "trainer/nvml.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define MIB (1024 * 1024)
#define CARDS_MAX 1024
#define TEMPERATURE_OF_GPU 0 /* nvmlTemperatureSensors_t */
#define CLOCK_SM 1           /* nvmlClockType_t */
#define CLOCK_MEMORY 2

/* nvmlMemory_t and nvmlMemory_v2_t, bytes. In the older one, what the driver keeps for itself
 * counts as used; nvidia-smi prints the newer one's. */
struct nvml_memory_v1 {
    unsigned long long total, free, used;
};

struct nvml_memory {
    unsigned version;
    unsigned long long total, reserved, free, used;
};
#define MEMORY_VERSION ((unsigned)sizeof(struct nvml_memory) | 2u << 24)

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

static bool find_function(struct nvml *n, const char *name, void *slot)
{
    void *f = dlsym(n->library, name);
    memcpy(slot, &f, sizeof f); /* POSIX: a function fits into a void pointer */
    return f != NULL;
}

/* Look up all functions; the name of the first that is missing, or NULL. */
static const char *find_functions(struct nvml *n)
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
        if (!find_function(n, rows[i].name, rows[i].slot))
            return rows[i].name;
    }
    find_function(n, "nvmlDeviceGetMemoryInfo_v2", &n->memory);
    find_function(n, "nvmlDeviceGetClockInfo", &n->clock);
    /* The same under its name since driver 535, and before. */
    if (!find_function(n, "nvmlDeviceGetCurrentClocksEventReasons", &n->clock_limits))
        find_function(n, "nvmlDeviceGetCurrentClocksThrottleReasons", &n->clock_limits);
    return NULL;
}

static const char *start(struct nvml *n, struct arena *arena)
{
    const char *missing = find_functions(n);
    if (missing)
        return arena_printf(arena, "the NVIDIA library lacks %s", missing);
    int rc = n->init();
    if (rc != 0)
        return arena_printf(arena, "NVIDIA's driver does not answer (NVML error %d)", rc);
    if (n->count(&n->n) == 0 && n->n > 0 && n->n <= CARDS_MAX)
        return NULL;
    n->shutdown();
    return "NVIDIA's driver is there, but no card";
}

struct nvml *nvml_open(const char *library, struct arena *arena, const char **reason)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        *reason = arena_printf(arena, "no NVIDIA driver: %s not found", library);
        return NULL;
    }
    struct nvml *n = memory_alloc(sizeof *n);
    n->library = handle;
    *reason = start(n, arena);
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

unsigned nvml_count(const struct nvml *n)
{
    return n->n;
}

static bool read_memory(const struct nvml *n, card_t card, struct nvml_memory *out)
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

/* "a", then "a, b"; what is there already is not added again. */
static const char *joined(const char *list, const char *item, struct arena *arena)
{
    if (!list)
        return arena_strdup(arena, item);
    return strstr(list, item) ? list : arena_printf(arena, "%s, %s", list, item);
}

void nvml_describe(const struct nvml *n, struct arena *arena, struct nvml_facts *out)
{
    char text[128] = "";
    int cuda;
    *out = (struct nvml_facts){0};
    for (unsigned i = 0; i < n->n; i++) {
        card_t card;
        struct nvml_memory memory;
        if (n->card(i, &card) != 0)
            continue;
        if (n->name(card, text, sizeof text - 1) == 0)
            out->model = joined(out->model, text, arena);
        if (read_memory(n, card, &memory))
            out->memory_mib =
                joined(out->memory_mib, arena_printf(arena, "%llu", memory.total / MIB), arena);
    }
    if (n->driver(text, sizeof text - 1) == 0)
        out->driver = arena_strdup(arena, text);
    if (n->cuda(&cuda) == 0) /* 12040: 12.4 */
        out->cuda = arena_printf(arena, "%d.%d", cuda / 1000, cuda % 1000 / 10);
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
        bool sized = there && read_memory(n, card, &memory);
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
