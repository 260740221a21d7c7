#include "cli/cli.h"

#include <string.h>

static int run(struct cli *cli)
{
    const struct command *about = NULL;
    for (size_t i = 0; cli->n_args && commands[i]; i++)
        if (strcmp(commands[i]->name, cli->args[0]) == 0)
            about = commands[i];
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
    .run = run,
};
