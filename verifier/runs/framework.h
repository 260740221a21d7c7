/*
 * framework: what trained, by its own log: "Megatron-LM", "transformers 4.40.1, DeepSpeed 0.14.3".
 *
 * One const table has the frameworks, by what banner or format each is known and which banner has
 * its version (verifier/logs/log_banner.h). What builds on another one stands before it.
 */
#pragma once

#include "base/records/facts.h"
#include "verifier/runs/run_tree.h"

/* NULL: the logs name none that is known. The commit that the fingerprint has is a framework's when
 * the repository's origin is called like it: "Megatron-LM@26cd664". */
const char *framework_of_logs(const struct run_log *const *logs, size_t n,
                              const struct facts *facts, struct arena *arena);
