/*
 * sys_info: the environment of a run as FlagPerf's monitors write it into sys_info.log (or
 * sys_info.log.txt), one labelled block after the other:
 *
 *   OS version:
 *   Ubuntu 20.04.6 LTS
 *
 *   Accelerator Model:
 *   GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-…)
 *   GPU 1: …
 *
 * What the commands of a vendor print stands there as it came: of a listing of cards the name of
 * the first is taken and the lines are counted; serial numbers are left out.
 */
#pragma once

#include "base/records/facts.h"
#include "verifier/runs/run_tree.h"

bool sys_info_is(const char *path);

/* Adds what is there to `out`; strings live in the arena. */
void sys_info_read(struct bytes in, struct arena *arena, struct facts *out);

/* What trained, by its own log: "Megatron-LM", "transformers 4.40.1, DeepSpeed 0.14.3".
 *
 * One const table has the frameworks, by what banner or format each is known and which banner has
 * its version (verifier/logs/log_banner.h). What builds on another one stands before it. */

/* NULL: the logs name none that is known. The commit that the fingerprint has is a framework's when
 * the repository's origin is called like it: "Megatron-LM@26cd664". */
const char *framework_of_logs(const struct run_log *const *logs, size_t n,
                              const struct facts *facts, struct arena *arena);
