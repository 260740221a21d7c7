/*
 * accelerator: the cards of this machine, whoever made them.
 *
 * NVIDIA's through NVML (nvml.h); the others' through the vendor's own tool, from one const
 * table (base/cards/card_tool.h): vendor, tool, what to ask it, where its output has which fact,
 * and the monitor file that FlagPerf writes for it, which holds the tool's whole output where
 * FlagPerf's own does.
 */
#pragma once

#include "base/arena.h"
#include "base/records/facts.h"
#include "trainer/cards/salt.h"

struct nvml;
struct card_tool;

/* Card tools that records declare (base/cards/declared.h): looked for behind those of the table. */
struct declared_tools {
    const struct card_tool *const *rows; /* borrowed */
    size_t n;
};

/* Exactly one of the two is set when there is a card, none when not. */
struct accelerators {
    struct nvml *nvml;
    const struct card_tool *tool;
    const char *reason; /* why there is none */
    struct salt salt;   /* of names in a tool's output */
};

/* `library` is NVML's name (NVML_LIBRARY), `salt` the salt's file or NULL (salt.h); tools are
 * looked for in PATH. What is opened lives as long as the arena. */
void accelerators_open(struct accelerators *a, const char *library, const char *salt,
                       const struct declared_tools *declared, struct arena *arena);
void accelerators_close(struct accelerators *a);

/* "nvidia_monitor.log"; NULL when there is no card. */
const char *accelerators_log_name(const struct accelerators *a);

/* Append what the cards say now (lines, no time stamp), without names (card_facts.h). -1 with the
 * reason when they do not. */
int accelerators_sample(const struct accelerators *a, struct buf *out, struct err *err);

/* "nvidia_clock_monitor.log"; NULL when no card tells its clocks. */
const char *accelerators_clock_log_name(const struct accelerators *a);
void accelerators_sample_clocks(const struct accelerators *a, struct buf *out);

/* A value, or NULL and then the reason in `unknown`. */
struct accelerator_fact {
    const char *value, *unknown;
};

/* By kind of fact; those that are not about accelerators are not looked at. Serial numbers and
 * UUIDs are as the card tells them, those of several cards joined by ", ": they are to be hashed
 * before they go anywhere (trainer/fingerprint/fingerprint.c). */
struct accelerator_facts {
    struct accelerator_fact of[FACT_KINDS];
    const char *bus_ids; /* "0000:1b:00.0, 0000:43:00.0": PCI addresses of the cards; NULL */
};
void accelerators_describe(const struct accelerators *a, struct arena *arena,
                           struct accelerator_facts *out);
