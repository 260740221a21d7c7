#include "trainer/run/sampler.h"

#include "base/calendar.h"
#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/text.h"
#include "trainer/cards/accelerator.h"
#include "trainer/cards/nvml.h"
#include "trainer/fingerprint/look.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SAMPLE_MAX ((size_t)2 << 20)
#define CPU_FIELDS 8 /* user nice system idle iowait irq softirq steal; guests are in user */
#define CPU_IDLE 3
#define TICK_NS 10000000L
#define TICKS_WAITED 10

struct cpu_time {
    unsigned long long all, idle; /* ticks */
    bool known;
};

struct energy {
    double joules, range; /* range: where the counters begin again at 0, added up */
    long long ms;
    bool known;
};

struct sampler {
    struct arena arena; /* as long as the sampler */
    const char *folder, *root;
    struct accelerators cards;
    struct cpu_time cpu;
    struct energy energy;
};

static struct cpu_time cpu_read(const char *root, struct arena *arena)
{
    struct cpu_time t = {0};
    const char *text = sysfile_read(root, "/proc/stat", arena);
    if (!text || strncmp(text, "cpu ", 4) != 0)
        return t;
    char *at = (char *)(uintptr_t)(text + 4);
    for (int i = 0; i < CPU_FIELDS; i++) {
        unsigned long long ticks = strtoull(at, &at, 10);
        t.all += ticks;
        t.idle += i == CPU_IDLE ? ticks : 0;
    }
    t.known = true;
    return t;
}

static double number_in_sysfs(const char *root, const char *folder, const char *name,
                              struct arena *arena)
{
    const char *text = sysfile_read(root, path_join(arena, folder, name), arena);
    return text ? strtod(text, NULL) : -1;
}

static struct energy energy_read(const char *root, struct arena *arena)
{
    static const char folder[] = "/sys/class/powercap";
    struct energy e = {.ms = clock_ms()};
    struct dir_entry *entries;
    struct err ignored = ERR_INIT;
    size_t n = 0;
    if (dir_list(sysfile_path(root, folder, arena), arena, &entries, &n, &ignored) < 0)
        return e;
    for (size_t i = 0; i < n; i++) {
        /* Packages are "intel-rapl:0", "intel-rapl:1" …; "intel-rapl:0:0" is a part of one. */
        if (!text_starts(entries[i].name, "intel-rapl:") ||
            strchr(entries[i].name + strlen("intel-rapl:"), ':'))
            continue;
        const char *package = path_join(arena, folder, entries[i].name);
        double micro = number_in_sysfs(root, package, "energy_uj", arena);
        double range = number_in_sysfs(root, package, "max_energy_range_uj", arena);
        if (micro < 0)
            continue;
        e.joules += micro * 1e-6;
        e.range += range > 0 ? range * 1e-6 : 0;
        e.known = true;
    }
    return e;
}

struct sampler *sampler_new(const struct monitor_options *options)
{
    struct sampler *s = memory_alloc(sizeof *s);
    s->folder = arena_strdup(&s->arena, options->folder);
    s->root = arena_strdup(&s->arena, options->root ? options->root : "/");
    accelerators_open(&s->cards, options->library ? options->library : NVML_LIBRARY, options->salt,
                      &options->declared, &s->arena);
    struct arena now = ARENA_INIT;
    s->cpu = cpu_read(s->root, &now);
    s->energy = energy_read(s->root, &now);
    arena_release(&now);
    return s;
}

void sampler_free(struct sampler *s)
{
    accelerators_close(&s->cards);
    arena_release(&s->arena);
    free(s);
}

/* ---- one sample each: append its text, or nothing -------------------------------------------- */

struct sample {
    struct sampler *s;
    struct arena *arena;
    char time[24]; /* 2023-03-27-11:20:05 */
    struct buf *out;
};

/* A run of milliseconds may end within the tick it began in: its sample waits for the next. */
static struct cpu_time cpu_read_after(const struct cpu_time *before, const struct sample *now)
{
    const struct timespec tick = {.tv_nsec = TICK_NS};
    struct cpu_time t = cpu_read(now->s->root, now->arena);
    for (int i = 0; i < TICKS_WAITED && t.known && t.all <= before->all; i++) {
        nanosleep(&tick, NULL);
        t = cpu_read(now->s->root, now->arena);
    }
    return t;
}

static void sample_cpu(struct sample *now)
{
    struct cpu_time before = now->s->cpu, t = cpu_read_after(&before, now);
    if (!before.known || !t.known || t.all <= before.all || t.idle < before.idle)
        return;
    double idle = (double)(t.idle - before.idle) / (double)(t.all - before.all);
    now->s->cpu = t;
    buf_printf(now->out, "%s\t%.4f\n", now->time, 1 - idle);
}

static void sample_memory(struct sample *now)
{
    const char *text = sysfile_read(now->s->root, "/proc/meminfo", now->arena);
    const char *total = sysfile_field(text, "MemTotal", ':', now->arena);
    const char *free_now = sysfile_field(text, "MemAvailable", ':', now->arena);
    double all = total ? strtod(total, NULL) : 0;
    if (all > 0 && free_now)
        buf_printf(now->out, "%s\t%.4f\n", now->time, 1 - strtod(free_now, NULL) / all);
}

static void sample_power(struct sample *now)
{
    struct energy before = now->s->energy, e = energy_read(now->s->root, now->arena);
    if (!before.known || !e.known || e.ms <= before.ms)
        return;
    double joules = e.joules - before.joules;
    now->s->energy = e;
    /* Of several packages only one may have begun again; then the sum is not known. */
    if (joules < 0)
        joules += e.range;
    if (joules >= 0)
        buf_printf(now->out, "%s\t%.0f\n", now->time, joules / ((double)(e.ms - before.ms) * 1e-3));
}

static void sample_cards(struct sample *now)
{
    struct err err = ERR_INIT;
    if (!accelerators_log_name(&now->s->cards))
        return;
    buf_printf(now->out, "%s\n", now->time);
    if (accelerators_sample(&now->s->cards, now->out, &err) < 0)
        buf_printf(now->out, "%s\n", err.text);
    buf_char(now->out, '\n');
}

static void sample_clocks(struct sample *now)
{
    if (!accelerators_clock_log_name(&now->s->cards))
        return;
    buf_printf(now->out, "%s\n", now->time);
    accelerators_sample_clocks(&now->s->cards, now->out);
    buf_char(now->out, '\n');
}

/* Opened for every sample: between two of them nobody depends on this process. */
static int append_sample(const char *path, const struct buf *text, struct err *err)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return err_errno(err, ERR_IO, "%s: cannot create", path);
    off_t size = lseek(fd, 0, SEEK_END);
    int rc = 0;
    if (size >= 0 && (size_t)size + text->len <= MONITOR_FILE_MAX)
        rc = file_write_all(fd, text->data, text->len, path, err);
    if (close(fd) < 0 && rc == 0)
        rc = err_errno(err, ERR_IO, "%s: cannot close", path);
    return rc;
}

int sampler_take(struct sampler *s, struct err *err)
{
    const struct {
        const char *file;
        void (*take)(struct sample *);
    } rows[] = {
        {"cpu_monitor.log", sample_cpu},
        {"mem_monitor.log", sample_memory},
        {"pwr_monitor.log", sample_power},
        {accelerators_log_name(&s->cards), sample_cards},
        {accelerators_clock_log_name(&s->cards), sample_clocks},
    };
    struct arena arena = ARENA_INIT;
    struct buf out;
    struct sample now = {.s = s, .arena = &arena, .out = &out};
    time_t clock = time(NULL);
    struct tm utc;
    gmtime_r(&clock, &utc);
    strftime(now.time, sizeof now.time, "%Y-%m-%d-%H:%M:%S", &utc);
    buf_init(&out, SAMPLE_MAX);
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < sizeof rows / sizeof *rows; i++) {
        buf_clear(&out);
        rows[i].take(&now);
        if (out.len)
            rc = append_sample(path_join(&arena, s->folder, rows[i].file), &out, err);
    }
    buf_release(&out);
    arena_release(&arena);
    return rc;
}
