/*
 * disk_room: whether a disk has room for the checkpoints of a run. Hours may pass until it is full:
 * who has too little hears so before the first step, as a warning.
 */
#ifndef CLI_TRAIN_DISK_ROOM_H
#define CLI_TRAIN_DISK_ROOM_H

#include "cli/cli.h"
#include "cli/train/train_native.h"

void disk_room_look(struct cli *cli, const struct native_files *files, size_t parameters);

#endif
