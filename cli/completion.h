/*
 * completion: scripts that complete command lines in bash, zsh and fish, from the rows of commands
 * and options: commands, actions, options, and the values of those that have a list of them. A
 * value of any other option is completed as a file name.
 */
#pragma once

#include "cli/cli.h"

void completion_bash(struct buf *out, struct arena *arena);
void completion_zsh(struct buf *out, struct arena *arena);
void completion_fish(struct buf *out, struct arena *arena);
