/*
 * command_layout: how many ranks a command's run has, and by which plan they divide the model: from
 * the options --ranks, --nodes, --cards and --parallel, from launchers, and when it has ended from
 * its log and monitors, too (base/records/layout.h).
 */
#ifndef CLI_TRAIN_COMMAND_LAYOUT_H
#define CLI_TRAIN_COMMAND_LAYOUT_H

#include "base/records/layout.h"
#include "cli/cli.h"

/* Options and launchers. ERR_USAGE when options are no sizes, or contradict each other. */
int command_layout_begin(struct cli *cli, struct layout *out, struct err *err);

/* Warns of sources that contradict each other. */
void command_layout_say(const struct cli *cli, const struct layout *l);

#endif
