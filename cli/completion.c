#include "cli/completion.h"

#include "cli/option.h"
#include "cli/program.h"

#include <string.h>

struct script {
    struct buf *out;
    const struct command *command; /* NULL: options of every command */
    struct arena *arena;
};

static void each_command_option(struct buf *out, const struct command *c, struct arena *arena,
                                option_visit *visit)
{
    struct script s = {out, c, arena};
    option_each(c ? c->options : NULL, visit, &s);
}

/* "zh en" */
static const char *choices_of(const struct option *o, const struct command *c, struct arena *arena)
{
    const char *all = "";
    for (size_t i = 0; option_choice(o, c, i); i++)
        all = arena_printf(arena, "%s%s%s", all, *all ? " " : "", option_choice(o, c, i));
    return all;
}

static const char *actions_of(const struct command *c, struct arena *arena)
{
    const char *all = "";
    for (const struct action *a = c->actions; a && a->name; a++)
        all = arena_printf(arena, "%s%s%s", all, *all ? " " : "", a->name);
    return all;
}

/* A text in single quotes; `also` are characters that get a backslash. */
static void put_shell_quoted(struct buf *out, const char *text, const char *also)
{
    for (; *text; text++) {
        if (*text == '\'')
            buf_str(out, "'\\'");
        else if (strchr(also, *text))
            buf_char(out, '\\');
        buf_char(out, *text);
    }
}

/* ---- bash -------------------------------------------------------------------------------- */

static bool put_bash_name(const struct option *o, void *data)
{
    const struct script *s = data;
    buf_printf(s->out, " --%s", o->name);
    if (o->letter)
        buf_printf(s->out, " -%c", o->letter);
    return false;
}

/* The options that a value follows: in `case`, of the word before. */
static bool put_bash_value(const struct option *o, void *data)
{
    const struct script *s = data;
    const char *choices = choices_of(o, s->command, s->arena);
    if (!o->value || option_is_optional(o))
        return false;
    if (o->letter)
        buf_printf(s->out, "        -%c | ", o->letter);
    buf_printf(s->out, "%s--%s) ", o->letter ? "" : "        ", o->name);
    if (*choices)
        buf_printf(s->out, "COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", choices);
    else
        buf_str(s->out, "return ;;\n");
    return false;
}

static void put_bash_command(struct buf *out, const struct command *c, struct arena *arena)
{
    buf_printf(out, "    %s)\n        options='", c ? c->name : "''");
    each_command_option(out, c, arena, put_bash_name);
    buf_str(out, "'\n");
    if (c && c->actions)
        buf_printf(out, "        actions='%s'\n", actions_of(c, arena));
    buf_str(out, "        case $prev in\n");
    each_command_option(out, c, arena, put_bash_value);
    buf_str(out, "        esac ;;\n");
}

void completion_bash(struct buf *out, struct arena *arena)
{
    buf_printf(out,
               "# bash completion of %s: made by `%s help --format bash`\n"
               "_%s() {\n"
               "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
               "    local command= action= options= actions= i\n"
               "    [ \"$prev\" != = ] || prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
               "    [ \"$cur\" != = ] || cur=\n"
               "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
               "        case ${COMP_WORDS[i]} in\n"
               "        -C | --directory | --color) i=$((i + 1)) ;;\n"
               "        -*) ;;\n"
               "        *) if [ -z \"$command\" ]; then command=${COMP_WORDS[i]}\n"
               "           elif [ -z \"$action\" ]; then action=${COMP_WORDS[i]}; fi ;;\n"
               "        esac\n"
               "    done\n"
               "    case $command in\n",
               program.name, program.name, program.name);
    put_bash_command(out, NULL, arena);
    for (const struct command *const *c = program.commands; *c; c++)
        put_bash_command(out, *c, arena);
    buf_str(out, "    esac\n    case $cur:$command:$action in\n"
                 "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")) ;;\n"
                 "    *::) COMPREPLY=($(compgen -W '");
    for (const struct command *const *c = program.commands; *c; c++)
        buf_printf(out, "%s%s", c == program.commands ? "" : " ", (*c)->name);
    buf_printf(out,
               "' -- \"$cur\")) ;;\n"
               "    *:) COMPREPLY=($(compgen -W \"$actions\" -- \"$cur\")) ;;\n"
               "    esac\n"
               "}\n"
               "complete -o default -F _%s %s\n",
               program.name, program.name);
}

/* ---- zsh --------------------------------------------------------------------------------- */

/* One name of an option as _arguments reads it: '--lang=[zh or en]:LANG:(zh en)'. */
static void put_zsh_option(const struct script *s, const struct option *o, const char *name,
                           const char *joins)
{
    const char *choices = choices_of(o, s->command, s->arena);
    buf_printf(s->out, " \\\n            '%s%s[", name, o->value ? joins : "");
    put_shell_quoted(s->out, option_doc(o, s->command, s->arena), "[]\\");
    buf_char(s->out, ']');
    if (o->value) {
        buf_str(s->out, option_is_optional(o) ? "::" : ":");
        put_shell_quoted(s->out, o->value + strspn(o->value, "[="), "[]:\\");
        buf_printf(s->out, *choices ? ":(%s)" : ":_files%s", choices);
    }
    buf_char(s->out, '\'');
}

static bool put_zsh_names(const struct option *o, void *data)
{
    const struct script *s = data;
    put_zsh_option(s, o, arena_printf(s->arena, "--%s", o->name),
                   option_is_optional(o) ? "=-" : "=");
    if (o->letter)
        put_zsh_option(s, o, arena_printf(s->arena, "-%c", o->letter), "+");
    return false;
}

void completion_zsh(struct buf *out, struct arena *arena)
{
    buf_printf(out,
               "#compdef %s\n"
               "# zsh completion of %s: made by `%s help --format zsh`\n"
               "_%s() {\n"
               "    local state line\n"
               "    local -a commands\n"
               "    commands=(\n",
               program.name, program.name, program.name, program.name);
    for (const struct command *const *c = program.commands; *c; c++) {
        buf_printf(out, "        '%s:", (*c)->name);
        put_shell_quoted(out, (*c)->summary, "\\");
        buf_str(out, "'\n");
    }
    buf_str(out, "    )\n    _arguments -C");
    each_command_option(out, NULL, arena, put_zsh_names);
    buf_str(out, " \\\n            '1:command:->command' '*::argument:->argument'\n"
                 "    case $state in\n"
                 "    command) _describe command commands ;;\n"
                 "    argument)\n"
                 "        case $line[1] in\n");
    for (const struct command *const *c = program.commands; *c; c++) {
        buf_printf(out, "        %s)\n            _arguments", (*c)->name);
        each_command_option(out, *c, arena, put_zsh_names);
        if ((*c)->actions)
            buf_printf(out, " \\\n            '1:action:(%s)'", actions_of(*c, arena));
        buf_str(out, " \\\n            '*:file:_files' ;;\n");
    }
    buf_printf(out, "        esac ;;\n    esac\n}\n_%s \"$@\"\n", program.name);
}

/* ---- fish -------------------------------------------------------------------------------- */

/* Those of every command come last, and stand in the script once. */
static bool put_fish_option(const struct option *o, void *data)
{
    const struct script *s = data;
    if (s->command && option_is_global(o))
        return true;
    const char *choices = choices_of(o, s->command, s->arena);
    buf_printf(s->out, "complete -c %s", program.name);
    if (s->command)
        buf_printf(s->out, " -n '__%s_has %s'", program.name, s->command->name);
    if (o->letter)
        buf_printf(s->out, " -s %c", o->letter);
    buf_printf(s->out, " -l %s", o->name);
    if (*choices)
        buf_printf(s->out, " -x -a '%s'", choices);
    else if (o->value && !option_is_optional(o))
        buf_str(s->out, " -r");
    buf_str(s->out, " -d '");
    put_shell_quoted(s->out, option_doc(o, s->command, s->arena), "\\");
    buf_str(s->out, "'\n");
    return false;
}

static void put_fish_words(struct buf *out, const struct command *c)
{
    buf_printf(out, "complete -c %s -n __%s_has -f -a %s -d '", program.name, program.name,
               c->name);
    put_shell_quoted(out, c->summary, "\\");
    buf_str(out, "'\n");
    for (const struct action *a = c->actions; a && a->name; a++) {
        buf_printf(out, "complete -c %s -n '__%s_has %s; and test (count (__%s_words)) -eq 1'",
                   program.name, program.name, c->name, program.name);
        buf_printf(out, " -f -a %s -d '", a->name);
        put_shell_quoted(out, a->summary, "\\");
        buf_str(out, "'\n");
    }
}

void completion_fish(struct buf *out, struct arena *arena)
{
    buf_printf(out,
               "# fish completion of %s: made by `%s help --format fish`\n"
               "function __%s_words # the words so far that are no options\n"
               "    set -l skip 0\n"
               "    for word in (commandline -opc)[2..-1]\n"
               "        if test $skip -eq 1\n"
               "            set skip 0\n"
               "        else if contains -- $word -C --directory --color\n"
               "            set skip 1\n"
               "        else if not string match -q -- '-*' $word\n"
               "            echo $word\n"
               "        end\n"
               "    end\n"
               "end\n"
               "function __%s_has # is the first of them this one, or is there none?\n"
               "    set -l words (__%s_words)\n"
               "    test \"$words[1]\" = \"$argv[1]\"\n"
               "end\n",
               program.name, program.name, program.name, program.name, program.name);
    each_command_option(out, NULL, arena, put_fish_option);
    for (const struct command *const *c = program.commands; *c; c++) {
        put_fish_words(out, *c);
        each_command_option(out, *c, arena, put_fish_option);
    }
}
