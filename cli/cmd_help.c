#include "cli/completion.h"
#include "cli/manual.h"
#include "cli/program.h"

#include "base/files/file.h"

#include <string.h>

/* What help is written as, beside text: pages of the manual, and the completions of shells. */
static const struct {
    const char *name;
    void (*completion)(struct buf *out, struct arena *arena);
} forms[] = {{"text", NULL},
             {"man", NULL},
             {"bash", completion_bash},
             {"zsh", completion_zsh},
             {"fish", completion_fish}};

static const char *form_name(size_t i)
{
    return i < sizeof forms / sizeof *forms ? forms[i].name : NULL;
}

static int write_page(struct cli *cli, const struct command *c)
{
    struct err err = ERR_INIT;
    struct buf page;
    buf_init(&page, BUF_DEFAULT_MAX);
    manual_page(&page, c, &cli->arena);
    const char *path = path_join(&cli->arena, cli->opt.out, manual_file(c, &cli->arena));
    int rc = buf_check(&page, path, &err);
    if (rc == 0)
        rc = file_write(path, page.data, page.len, &err);
    buf_release(&page);
    return rc < 0 ? cli_fail(cli, &err) : EXIT_AGREED;
}

/* One page; into a folder all of them. */
static int put_manual(struct cli *cli, const struct command *about)
{
    if (!cli->opt.out || about) {
        manual_page(&cli->out, about, &cli->arena);
        return cli_deliver(cli);
    }
    int code = write_page(cli, NULL);
    for (const struct command *const *c = program.commands; *c && !code; c++)
        code = write_page(cli, *c);
    return code;
}

static int put_help_text(struct cli *cli, const struct command *c)
{
    struct cli asked = {.command = c, .args = cli->args + 1, .n_args = cli->n_args - 1};
    const struct action *a = c ? cli_action(&asked) : NULL;
    if (c && asked.n_args && !a)
        return cli_usage(cli, "%s has no action '%s'; see `%s help %s`", c->name, asked.args[0],
                         program.name, c->name);
    cli_help(cli, c, a);
    return cli_deliver(cli);
}

static int run_help(struct cli *cli)
{
    const struct command *const *c = program.commands;
    size_t form = 0;
    while (cli->n_args && *c && strcmp((*c)->name, cli->args[0]) != 0)
        c++;
    if (cli->n_args && !*c)
        return cli_unknown_command(cli, cli->args[0]);
    while (cli->opt.format && strcmp(forms[form].name, cli->opt.format) != 0)
        form++;
    if (forms[form].completion) {
        forms[form].completion(&cli->out, &cli->arena);
        return cli_deliver(cli);
    }
    const struct command *about = cli->n_args ? *c : NULL;
    return form ? put_manual(cli, about) : put_help_text(cli, about);
}

const struct command command_help = {
    .name = "help",
    .summary = "explain commands, or print manual pages and shell completions",
    .arguments = "[COMMAND [ACTION]]",
    .examples = "  fpreport help verify\n"
                "  fpreport help archive add\n"
                "  fpreport help --format man -o /usr/local/share/man/man1\n"
                "  fpreport help --format bash\n",
    .details = "\n--format man prints the manual page of fpreport, or of COMMAND; with -o DIR,\n"
               "help writes all manual pages to DIR. --format bash, zsh and fish print a\n"
               "completion script for that shell. `make install` installs all of these files.\n",
    .options = (const enum option_id[]){OPTION_FORMAT, OPTION_OUT, OPTION_END},
    .out_meaning = "write to this file (--format man: into this folder)",
    .format = form_name,
    .max_arguments = 2,
    .run = run_help,
};
