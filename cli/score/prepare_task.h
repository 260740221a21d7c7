/*
 * prepare_task: what `prepare` does with conversations (trainer/conversations).
 */
#pragma once

#include "cli/cli.h"
#include "trainer/conversations/prepare_conversations.h"

/* Of all files of the command line; an exit code. */
int prepare_task_conversations(struct cli *cli, const struct conversation_format *format);
