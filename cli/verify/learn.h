/* learn: a row for a log that nobody knows, drafted from one line and judged on the others. */
#pragma once

#include "cli/cli.h"

/* --learn, --line, --step and --loss; prints the record. 1 when the other lines speak against it:
 * none of them is read, or their steps do not rise. */
int cli_learn(struct cli *cli);
