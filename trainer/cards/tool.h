/*
 * tool: ask a small program for its output, without ever waiting long.
 *
 * For the vendors' monitoring tools. A tool that hangs (as nvidia-smi does on a sick driver) is
 * killed after a time; output beyond a maximum is left out. No shell is involved.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>

#define TOOL_OUTPUT_MAX ((size_t)1 << 20)
#define TOOL_TIMEOUT_MS 10000

/* Is there an executable of this name in PATH? */
bool tool_exists(const char *name);

/* Append the standard output of argv (NULL-terminated) to `out`. ERR_IO with the reason when it
 * cannot be run, exits with something else than 0, or takes longer than timeout_ms. */
int tool_output(const char *const *argv, int timeout_ms, struct buf *out, struct err *err);
