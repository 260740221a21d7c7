/*
 * env_files: what the vendors' tools say of a machine, whole, as files of the run:
 *
 *     <node>/env/nvidia-smi-q.txt …      one for each command of a const table whose tool is in
 * PATH
 *
 * without serial numbers, UUIDs, addresses and the machine's name (trainer/cards/redact.h). The
 * fingerprint has what is understood of them; these are for people, and for what nobody thought of.
 * A tool that hangs is ended, one that fails leaves its reason, more than TOOL_OUTPUT_MAX is cut.
 */
#pragma once

#include "base/err.h"
#include "trainer/cards/salt.h"

/* Below the folder of the node. -1: a file cannot be written; a tool that fails is no error. */
int env_files_write(const char *node, const struct salt *salt, struct arena *arena,
                    struct err *err);
