#include "cli/program.h"

#include <string.h>

static int run_help(struct cli *cli)
{
    const struct command *about = NULL;
    const struct command *const *c = program.commands;
    for (; cli->n_args && *c; c++)
        if (strcmp((*c)->name, cli->args[0]) == 0)
            about = *c;
    if (cli->n_args && !about)
        return cli_unknown_command(cli, cli->args[0]);
    cli_help(cli, about);
    return EXIT_AGREED;
}

const struct command command_help = {
    .name = "help",
    .summary = "explain the commands, or one of them",
    .arguments = "[COMMAND]",
    .examples = "  fpreport help verify\n",
    .max_arguments = 1,
    .run = run_help,
};
