/* help: --help of the program, of a command and of one of its actions, from their rows. */
#include "cli/option.h"
#include "cli/program.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

struct help {
    struct cli *cli;
    const struct command *command;
};

static bool help_option(const struct option *o, void *data)
{
    struct help *h = data;
    char left[32], letter[8] = "    ";
    if (o->letter)
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name,
             o->value && !option_is_optional(o) ? " " : "", o->value ? o->value : "");
    buf_printf(&h->cli->out, "  %-24s %s\n", left, option_doc(o, h->command, &h->cli->arena));
    return false;
}

/* Examples name fpreport, and are those of every program that has the command. */
static void help_examples(struct cli *cli, const char *text)
{
    static const char written[] = "fpreport ";
    for (const char *at; (at = strstr(text, written)); text = at + sizeof written - 1)
        buf_printf(&cli->out, "%.*s%s ", (int)(at - text), text, program.name);
    buf_str(&cli->out, text);
}

static void help_overview(struct cli *cli)
{
    const struct command *const *c = program.commands;
    buf_printf(&cli->out, "%s\nusage: %s [options] COMMAND [options] [arguments]\n\n",
               program.overview, program.name);
    for (; *c; c++)
        buf_printf(&cli->out, "  %-12s %s\n", (*c)->name, (*c)->summary);
    buf_char(&cli->out, '\n');
}

static void help_action(struct cli *cli, const struct command *c, const struct action *a)
{
    /* An example is a line; those of an action name it behind the command. */
    const char *wanted = arena_printf(&cli->arena, "  fpreport %s %s ", c->name, a->name);
    for (const char *line = c->examples, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        if (text_starts(line, wanted))
            help_examples(cli, arena_strndup(&cli->arena, line, (size_t)(end + 1 - line)));
    }
    buf_printf(&cli->out, "%susage: %s %s %s%s%s\n\n%s.\n", cli->out.len ? "\n" : "", program.name,
               c->name, a->name, *a->arguments ? " " : "", a->arguments, a->summary);
    if (a->details)
        buf_str(&cli->out, a->details);
    buf_char(&cli->out, '\n');
}

static void help_command(struct cli *cli, const struct command *c)
{
    help_examples(cli, c->examples);
    buf_printf(&cli->out, "\nusage: %s %s%s%s\n\n%s.\n", program.name, c->name,
               *c->arguments ? " " : "", c->arguments, c->summary);
    if (c->actions)
        buf_char(&cli->out, '\n');
    for (const struct action *a = c->actions; a && a->name; a++)
        buf_printf(&cli->out, "  %-12s %s\n", a->name, a->summary);
    if (c->actions)
        buf_printf(&cli->out, "\n`%s %s ACTION --help` says more.\n", program.name, c->name);
    if (c->details)
        buf_str(&cli->out, c->details);
    buf_char(&cli->out, '\n');
}

void cli_help(struct cli *cli, const struct command *c, const struct action *a)
{
    struct help h = {cli, c};
    if (a)
        help_action(cli, c, a);
    else if (c)
        help_command(cli, c);
    else
        help_overview(cli);
    /* Those of actions are said with each. */
    option_each(a ? a->options : c && !c->actions ? c->options : NULL, help_option, &h);
    if (!c)
        buf_printf(&cli->out,
                   "\nexit: 0 agreed, 1 a check failed, 2 usage, 3 input unreadable, "
                   "4 I/O or internal\n`%s COMMAND --help` says more.\n",
                   program.name);
}
