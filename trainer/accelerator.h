/*
 * accelerator: the cards of this machine, whoever made them.
 *
 * NVIDIA's through NVML (nvml.h); the others' through the vendor's own tool, from one const
 * table: vendor, tool, what to ask it, and the monitor file that FlagPerf writes for it. Only
 * what was looked up is stated: of a vendor whose tool prints a table that we do not take
 * apart, the facts say so, and the monitor file holds the tool's whole output, as FlagPerf's
 * own files for that vendor do.
 */
#ifndef TRAINER_ACCELERATOR_H
#define TRAINER_ACCELERATOR_H

#include "base/arena.h"
#include "base/buf.h"

struct nvml;
struct accelerator_tool;

/* Exactly one of the two is set when there is a card, none when not. */
struct accelerators {
    struct nvml *nvml;
    const struct accelerator_tool *tool;
    const char *reason; /* why there is none */
};

/* `library` is NVML's name (NVML_LIBRARY); tools are looked for in PATH. */
void accelerators_open(struct accelerators *a, const char *library, struct arena *arena);
void accelerators_close(struct accelerators *a);

/* "nvidia_monitor.log"; NULL when there is no card. */
const char *accelerators_log_name(const struct accelerators *a);

/* Append what the cards say now (lines, no time stamp). -1 with the reason when they do not. */
int accelerators_sample(const struct accelerators *a, struct buf *out, struct err *err);

/* "nvidia_clock_monitor.log"; NULL when no card tells its clocks. */
const char *accelerators_clock_log_name(const struct accelerators *a);
void accelerators_sample_clocks(const struct accelerators *a, struct buf *out);

/* A value, or NULL and then the reason in `unknown`. */
struct accelerator_fact {
    const char *value, *unknown;
};

struct accelerator_facts {
    struct accelerator_fact vendor, model, count, memory_mib, driver, runtime;
};
void accelerators_describe(const struct accelerators *a, struct arena *arena,
                           struct accelerator_facts *out);

#endif
