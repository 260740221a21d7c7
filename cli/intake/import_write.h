/* import_write: where `fpreport import` writes, what is there already stays. */
#pragma once

#include "base/bytes.h"
#include "cli/cli.h"

/* An exit code after a message: what is there and differs is replaced with --force only, for it may
 * hold what was not imported (evidence, English words). */
int import_write(struct cli *cli, const char *path, struct bytes text);
