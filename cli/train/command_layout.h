/*
 * command_layout: how many ranks a command's run has, and by which plan they divide the model: from
 * the options --ranks, --nodes, --cards and --parallel, from launchers, and when it has ended from
 * its log and monitors, too (base/records/layout.h).
 */
#pragma once

#include "base/project/project.h"
#include "base/records/layout.h"
#include "cli/cli.h"

/* The options alone, of a run that was made without us. ERR_USAGE as below. */
int command_layout_options(struct cli *cli, struct layout *out, struct err *err);

/* Options and launchers. ERR_USAGE when options are no sizes, or contradict each other. */
int command_layout_begin(struct cli *cli, struct layout *out, struct err *err);

/* The card that --accelerator names by id or name, of the records, else of the installed ones; NULL
 * without it. An exit code, after a message. */
int command_card(struct cli *cli, const struct accelerator **out);

/* Warns of sources that contradict each other. */
void command_layout_say(const struct cli *cli, const struct layout *l);
