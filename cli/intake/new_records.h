/*
 * new_records: the records that results name and that are not there.
 *
 * What fpreport itself has under records/ (vendors with their cards, cases with their models and
 * references) is copied; of the rest a first version is drafted that says no more than the results
 * do. A model without N in its name cannot be drafted and is left to its author. Nothing that is
 * there is written to.
 */
#pragma once

#include "cli/cli.h"

/* Into cli_records(), which must not be fpreport's own. An exit code. */
int new_records(struct cli *cli);
