#include "cli/program.h"

#include <string.h>

static int run_help(struct cli *cli)
{
    const struct command *const *c = program.commands;
    while (cli->n_args && *c && strcmp((*c)->name, cli->args[0]) != 0)
        c++;
    if (cli->n_args && !*c)
        return cli_unknown_command(cli, cli->args[0]);
    if (!cli->n_args) {
        cli_help(cli, NULL, NULL);
        return EXIT_AGREED;
    }
    struct cli asked = {.command = *c, .args = cli->args + 1, .n_args = cli->n_args - 1};
    const struct action *a = cli_action(&asked);
    if (asked.n_args && !a)
        return cli_usage(cli, "%s has no action '%s'; see `%s help %s`", (*c)->name, asked.args[0],
                         program.name, (*c)->name);
    cli_help(cli, *c, a);
    return EXIT_AGREED;
}

const struct command command_help = {
    .name = "help",
    .summary = "explain the commands, or one of them",
    .arguments = "[COMMAND [ACTION]]",
    .examples = "  fpreport help verify\n"
                "  fpreport help archive add\n",
    .max_arguments = 2,
    .run = run_help,
};
