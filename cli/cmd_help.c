#include "base/files/file.h"
#include "cli/cli.h"
#include "cli/completion.h"
#include "cli/option.h"
#include "cli/program.h"

#include <string.h>

/* Pages of the manual, in roff's man macros, from the rows of commands and options.
 *
 * They say what --help says, in its words: a page of its own for the program and for each command,
 * whose actions are sections of it. */

/* Text as it is: a backslash and a hyphen are escaped, and no line begins with a request. */
static void put_manual_text(struct buf *out, const char *text)
{
    bool begins = true;
    for (; *text; text++) {
        if (begins && (*text == '.' || *text == '\''))
            buf_str(out, "\\&");
        if (*text == '\\')
            buf_str(out, "\\e");
        else if (*text == '-')
            buf_str(out, "\\-");
        else
            buf_char(out, *text);
        begins = *text == '\n';
    }
}

static void put_manual_line(struct buf *out, const char *text)
{
    put_manual_text(out, text);
    buf_char(out, '\n');
}

/* Lines stay as they were broken. */
static void put_manual_lines(struct buf *out, const char *text)
{
    buf_str(out, ".nf\n");
    put_manual_text(out, text);
    buf_str(out, ".fi\n");
}

struct option_list {
    struct buf *out;
    const struct command *command;
    struct arena *arena;
};

static bool put_manual_option(const struct option *o, void *data)
{
    struct option_list *l = data;
    buf_str(l->out, ".TP\n.B ");
    if (o->letter)
        buf_printf(l->out, "\\-%c, ", o->letter);
    put_manual_text(l->out, "--");
    put_manual_text(l->out, o->name);
    if (o->value)
        put_manual_text(l->out,
                        arena_printf(l->arena, "%s%s", option_is_optional(o) ? "" : " ", o->value));
    buf_char(l->out, '\n');
    put_manual_line(l->out, option_doc(o, l->command, l->arena));
    return false;
}

static void put_options(struct buf *out, const struct command *c, struct arena *arena)
{
    struct option_list l = {out, c, arena};
    buf_str(out, ".SH OPTIONS\n");
    option_each(c ? c->options : NULL, put_manual_option, &l);
}

static void put_manual_heading(struct buf *out, const char *name, const char *summary)
{
    buf_str(out, ".TH \"");
    put_manual_text(out, name);
    buf_printf(out, "\" 1 \"\" \"%s %s\" \"%s\"\n.SH NAME\n", program.name, FPREPORT_VERSION,
               program.name);
    put_manual_text(out, name);
    buf_str(out, " \\- ");
    put_manual_line(out, summary);
    buf_str(out, ".SH SYNOPSIS\n");
}

static void put_exit_status(struct buf *out)
{
    static const struct {
        enum exit_code code;
        const char *means;
    } rows[] = {{EXIT_AGREED, "done; every check passed"},
                {EXIT_CHECK, "a check of a result failed"},
                {EXIT_USAGE, "the command line or the configuration is wrong"},
                {EXIT_INPUT, "an input file cannot be read or is not valid"},
                {EXIT_IO, "this machine failed: disk, process, memory"},
                {EXIT_UNKNOWN, "it may or may not have been done; the message says how to look"}};
    buf_str(out, ".SH EXIT STATUS\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        buf_printf(out, ".TP\n.B %d\n%s\n", rows[i].code, rows[i].means);
}

static void put_program(struct buf *out, struct arena *arena)
{
    put_manual_heading(out, program.name, program.summary);
    put_manual_line(
        out, arena_printf(arena, "%s [options] COMMAND [options] [arguments]", program.name));
    buf_str(out, ".SH EXAMPLES\n");
    put_manual_lines(out, program.overview);
    buf_str(out, ".SH COMMANDS\n");
    for (const struct command *const *c = program.commands; *c; c++) {
        buf_str(out, ".TP\n.BR ");
        put_manual_text(out, arena_printf(arena, "%s-%s", program.name, (*c)->name));
        buf_str(out, " (1)\n");
        put_manual_line(out, (*c)->summary);
    }
    put_options(out, NULL, arena);
    put_exit_status(out);
}

static void put_command(struct buf *out, const struct command *c, struct arena *arena)
{
    put_manual_heading(out, arena_printf(arena, "%s-%s", program.name, c->name), c->summary);
    put_manual_line(out,
                    arena_printf(arena, "%s %s [options] %s", program.name, c->name, c->arguments));
    if (c->details) {
        buf_str(out, ".SH DESCRIPTION\n");
        put_manual_lines(out, c->details + strspn(c->details, "\n"));
    }
    if (c->actions)
        buf_str(out, ".SH ACTIONS\n");
    for (const struct action *a = c->actions; a && a->name; a++) {
        buf_str(out, ".SS ");
        put_manual_line(out, arena_printf(arena, "%s %s %s", c->name, a->name, a->arguments));
        put_manual_line(out, arena_printf(arena, "%s.", a->summary));
        if (a->details)
            put_manual_lines(out, a->details);
    }
    put_options(out, c, arena);
    buf_str(out, ".SH EXAMPLES\n");
    put_manual_lines(out, c->examples);
    put_exit_status(out);
    buf_printf(out, ".SH SEE ALSO\n.BR %s (1)\n", program.name);
}

/* Page of a command; NULL: of the program. */
static void manual_page(struct buf *out, const struct command *c, struct arena *arena)
{
    if (c)
        put_command(out, c, arena);
    else
        put_program(out, arena);
}

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
    struct buf page = BUF_INIT(BUF_DEFAULT_MAX);
    manual_page(&page, c, &cli->arena);
    /* "fpreport-archive.1"; of the program "fpreport.1". */
    const char *name =
        arena_printf(&cli->arena, "%s%s%s.1", program.name, c ? "-" : "", c ? c->name : "");
    const char *path = path_join(&cli->arena, cli->opt.out, name);
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
    .details = "\n"
               "--format man prints the manual page of fpreport, or of COMMAND; with -o DIR,\n"
               "help writes all manual pages to DIR. --format bash, zsh and fish print a\n"
               "completion script for that shell. `make install` installs the manual pages and\n"
               "completion scripts.\n",
    .options = (const enum option_id[]){OPTION_FORMAT, OPTION_OUT, OPTION_END},
    .out_meaning = "write to this file (--format man: into this folder)",
    .format = form_name,
    .max_arguments = 2,
    .run = run_help,
};
