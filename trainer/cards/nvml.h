/*
 * nvml: NVIDIA's management library, loaded while the program runs.
 *
 * Nothing of NVIDIA's is needed to build: the few functions that are used are declared here
 * from the public API reference (NVML API, v12) and looked up by name. NVML must not be carried
 * over a fork: open it in the process that uses it.
 */
#pragma once

#include "base/arena.h"

#define NVML_LIBRARY "libnvidia-ml.so.1"

struct nvml;

/* NULL, with the reason, when there is no library, no driver or no card. */
struct nvml *nvml_open(const char *library, struct arena *arena, const char **reason);
void nvml_close(struct nvml *n);

/* What NVML tells of the cards goes into `out`, the rest of which stays as it is. Of stable facts
 * (base/records/facts.h) what is the same for all cards stands there once, else one value a card,
 * joined by
 * ", "; of the others always one a card. What a card does not tell is "-", where others do. */
struct accelerator_facts;
void nvml_describe(const struct nvml *n, struct arena *arena, struct accelerator_facts *out);

/* Append one line per card as FlagPerf has them: "31C 57W 15MiB 40536MiB 0%". What a card does
 * not tell is "-". */
void nvml_sample(const struct nvml *n, struct buf *out);

/* Append one line per card: clocks of its multiprocessors and of its memory, and what keeps it from
 * higher ones: "1980MHz 3201MHz none", "1500MHz 3201MHz power+thermal". What a card does not tell
 * is "-". */
void nvml_sample_clocks(const struct nvml *n, struct buf *out);
