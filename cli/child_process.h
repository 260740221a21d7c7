/*
 * child_process: a part of a command's work in a process of its own, so that its memory goes back
 * to the system before the next part begins.
 *
 * The work prints what it has to say (and cli->out, which is empty at first) and returns an exit
 * code; nothing else comes back. It ends when we do.
 */
#pragma once

#include "cli/cli.h"

typedef int child_process_fn(struct cli *cli, void *self);

/* The work's exit code; EXIT_IO after a message when it ended otherwise. Without another process to
 * be had, the work is done in this one. */
int child_process_run(struct cli *cli, child_process_fn *work, void *self);
