/*
 * launchers: how many ranks a command's run has, by who starts them.
 *
 * Launchers tell each rank in the environment (torchrun's WORLD_SIZE, Slurm's, mpirun's …), and a
 * command that is a launcher itself says it in its arguments (torchrun --nproc-per-node 8). Both
 * are const tables: one row adds a launcher. One rank says nothing: a job of one task may start
 * more.
 */
#pragma once

#include "base/records/layout.h"

/* By the command's own arguments, then by the environment that we were started in. */
void launchers_find(const char *const *command, struct layout *out, struct arena *arena);
