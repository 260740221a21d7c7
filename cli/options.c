/* options: one table of rows for parsing, --help and messages. */
#include "cli/option.h"
#include "cli/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const colors[] = {"auto", "always", "never", NULL};
static const char *const forms[] = {"text", "json", NULL};
static const char *const langs[] = {"zh", "en", NULL};
static const char *const orders[] = {"same", "other", NULL};
static const char *const publish[] = {"full", "hashes", NULL};
static const char *const fail_on[] = {"error", "warning", "notice", "never", NULL};

#define OPT(member) offsetof(struct options, member)

static const struct option global_options[] = {
    {'C', "directory", "DIR", "work as if started in DIR", OPT(dir), NULL},
    {'q', "quiet", NULL, "print errors only", OPT(quiet), NULL},
    {'v', "verbose", NULL, "print more", OPT(verbose), NULL},
    {0, "color", "WHEN", "auto, always or never (NO_COLOR is honoured)", OPT(color), colors},
    {'h', "help", NULL, "show this and exit", OPT(help), NULL},
    {0, "version", NULL, "show the version and exit", OPT(version), NULL},
};

/* Without a line, the command has it: out_meaning, format. */
static const struct option command_options[] = {
#define FULL_ROW(id, member, letter, name, value, doc, choices) \
    [OPTION_##id] = {letter, name, value, doc, OPT(member), choices},
#define VALUE_ROW(id, member, name, value, doc) FULL_ROW(id, member, 0, name, value, doc, NULL)
#define FLAG_ROW(id, member, name, doc) FULL_ROW(id, member, 0, name, NULL, doc, NULL)
    OPTIONS(VALUE_ROW, FLAG_ROW, FULL_ROW)};

#define N_GLOBAL (sizeof global_options / sizeof *global_options)

/* Levenshtein distance, for "did you mean"; long words are not worth a suggestion. */
static size_t distance(const char *a, const char *b)
{
    enum { LONGEST = 31 };
    size_t n = strlen(a), m = strlen(b), row[LONGEST + 1];
    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t up = row[j], best = corner + (a[i - 1] != b[j - 1]);
            best = up + 1 < best ? up + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            row[j] = best;
            corner = up;
        }
    }
    return row[m];
}

/* Keep the nearer of two names; a suggestion must share most of its letters with the word. */
void cli_consider(const char *word, const char *name, const char **best, size_t *nearest)
{
    size_t d = distance(word, name);
    if (d < *nearest && d * 2 < strlen(name) + 1) {
        *best = name;
        *nearest = d;
    }
}

int cli_unknown_command(struct cli *cli, const char *word)
{
    const char *best = NULL;
    size_t nearest = 4;
    for (size_t i = 0; program.commands[i]; i++) {
        const struct command *c = program.commands[i];
        if (c->formerly && strcmp(word, c->formerly) == 0)
            return cli_usage(cli, "command '%s' is now '%s'", word, c->name);
        cli_consider(word, c->name, &best, &nearest);
    }
    if (best)
        return cli_usage(cli, "unknown command '%s'; did you mean '%s'?", word, best);
    return cli_usage(cli, "unknown command '%s'; `%s help` lists them", word, program.name);
}

const struct option *option_each(const enum option_id *ids, option_visit *visit, void *data)
{
    for (; ids && *ids != OPTION_END; ids++)
        if (visit(&command_options[*ids], data))
            return &command_options[*ids];
    for (size_t i = 0; i < N_GLOBAL; i++)
        if (visit(&global_options[i], data))
            return &global_options[i];
    return NULL;
}

bool option_is_global(const struct option *o)
{
    return o >= global_options && o < global_options + N_GLOBAL;
}

static const enum option_id *options_of(const struct cli *cli)
{
    return cli->command ? cli->command->options : NULL;
}

struct wanted {
    const char *name;
    size_t len;
    char letter;
    const char *best;
    size_t nearest;
};

static bool is_wanted(const struct option *o, void *data)
{
    struct wanted *w = data;
    if (!w->name)
        return o->letter == w->letter;
    return strlen(o->name) == w->len && memcmp(o->name, w->name, w->len) == 0;
}

static bool is_near(const struct option *o, void *data)
{
    struct wanted *w = data;
    cli_consider(w->name, o->name, &w->best, &w->nearest);
    return false;
}

static int unknown_option(struct cli *cli, const char *arg)
{
    const char *name = arg + strspn(arg, "-");
    struct wanted w = {.name = arena_strndup(&cli->arena, name, strcspn(name, "=")), .nearest = 4};
    option_each(options_of(cli), is_near, &w);
    if (w.best && arg[1] == '-')
        return cli_usage(cli, "unknown option '%s'; did you mean '--%s'?", arg, w.best);
    return cli_usage(cli, "unknown option '%s'%s%s", arg, cli->command ? " for " : "",
                     cli->command ? cli->command->name : "");
}

const char *option_choice(const struct option *o, const struct command *c, size_t i)
{
    if (o == &command_options[OPTION_FORMAT])
        return c && c->format ? c->format(i) : forms[i];
    return o->choices ? o->choices[i] : NULL;
}

/* "text, json, junit or sarif" */
static const char *choices_text(const struct option *o, const struct command *c,
                                struct arena *arena)
{
    const char *list = option_choice(o, c, 0);
    for (size_t i = 1; option_choice(o, c, i); i++)
        list = arena_printf(arena, "%s%s%s", list, option_choice(o, c, i + 1) ? ", " : " or ",
                            option_choice(o, c, i));
    return list;
}

const char *option_doc(const struct option *o, const struct command *c, struct arena *arena)
{
    if (o == &command_options[OPTION_FORMAT])
        return arena_printf(arena, "output format: %s", choices_text(o, c, arena));
    return o->doc ? o->doc : c->out_meaning;
}

static bool is_option_choice(const struct cli *cli, const struct option *o, const char *value)
{
    size_t i = 0;
    const char *choice;
    while ((choice = option_choice(o, cli->command, i)) && strcmp(choice, value) != 0)
        i++;
    return choice || i == 0;
}

bool option_is_optional(const struct option *o)
{
    return o->value && o->value[0] == '[';
}

/* One option at argv[*i]; *i moves on when its value is the next argument. */
static int parse_option(struct cli *cli, char **argv, int argc, int *i)
{
    const char *arg = argv[*i], *value = NULL;
    struct wanted w = {.letter = arg[1]};
    if (arg[1] == '-') {
        w.name = arg + 2;
        w.len = strcspn(w.name, "=");
        value = w.name[w.len] == '=' ? w.name + w.len + 1 : NULL;
    } else if (arg[2]) {
        value = arg + 2;
    }
    const struct option *o = option_each(options_of(cli), is_wanted, &w);
    if (!o)
        return unknown_option(cli, arg);
    if (!o->value) {
        if (value)
            return cli_usage(cli, "option '%s' takes no value", arg);
        *(bool *)((char *)&cli->opt + o->at) = true;
        return 0;
    }
    if (!value && option_is_optional(o))
        value = "";
    if (!value && *i + 1 < argc)
        value = argv[++*i];
    if (!value || (!*value && !option_is_optional(o)))
        return cli_usage(cli, "option '%s' needs a value: %s", arg, o->value);
    if (!is_option_choice(cli, o, value))
        return cli_usage(cli, "--%s: found '%s', expected %s", o->name, value,
                         choices_text(o, cli->command, &cli->arena));
    *(const char **)((char *)&cli->opt + o->at) = value;
    return 0;
}

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; program.commands[i]; i++)
        if (strcmp(program.commands[i]->name, name) == 0)
            return program.commands[i];
    return NULL;
}

static bool is_option(const char *arg)
{
    return arg[0] == '-' && arg[1] != '\0';
}

/* Does this argument take the next one as its value? Asked before the command is known, so all
 * rows count; a letter means the same in every command. */
static bool takes_next(const char *arg)
{
    for (size_t i = 0; i < N_GLOBAL + OPTION_END; i++) {
        const struct option *o = i < N_GLOBAL ? &global_options[i] : &command_options[i - N_GLOBAL];
        if (!o->value || option_is_optional(o))
            continue;
        if (arg[1] == '-' ? strcmp(arg + 2, o->name) == 0 : arg[1] == o->letter && !arg[2])
            return true;
    }
    return false;
}

/* The command is the first word that is neither an option nor an option's value; it must be
 * known before the options are parsed, since it decides which are allowed. */
static int find_command_word(struct cli *cli, int argc, char **argv, int *at)
{
    for (*at = 1; *at < argc; ++*at) {
        const char *arg = argv[*at];
        if (!is_option(arg)) {
            cli->command = find_command(arg);
            return cli->command ? 0 : cli_unknown_command(cli, arg);
        }
        *at += takes_next(arg);
    }
    return 0;
}

/* The first option that was given and that the action does not take; NULL. */
static const struct option *foreign_option(const struct cli *cli, const struct action *a)
{
    for (const enum option_id *id = cli->command->options; id && *id != OPTION_END; id++) {
        const struct option *o = &command_options[*id];
        const char *at = (const char *)&cli->opt + o->at;
        bool given = o->value ? *(const char *const *)at != NULL : *(const bool *)at;
        const enum option_id *own = a->options;
        while (own && *own != OPTION_END && *own != *id)
            own++;
        if (given && (!own || *own == OPTION_END))
            return o;
    }
    return NULL;
}

static int unknown_action(struct cli *cli)
{
    const struct command *c = cli->command;
    const char *word = cli->args[0], *best = NULL, *names = "";
    size_t nearest = 4;
    for (const struct action *a = c->actions; a->name; a++) {
        cli_consider(word, a->name, &best, &nearest);
        names = arena_printf(&cli->arena, "%s%s%s", names, *names ? ", " : "", a->name);
    }
    return best ? cli_usage(cli, "%s: unknown action '%s'; did you mean '%s'?", c->name, word, best)
                : cli_usage(cli, "%s: unknown action '%s', expected one of %s", c->name, word,
                            names);
}

const struct action *cli_action(const struct cli *cli)
{
    const struct action *a = cli->n_args && cli->command ? cli->command->actions : NULL;
    while (a && a->name && strcmp(a->name, cli->args[0]) != 0)
        a++;
    return a && a->name ? a : NULL;
}

static int check_arguments(struct cli *cli)
{
    const struct command *c = cli->command;
    if (!c || cli->opt.help || cli->opt.version)
        return 0;
    if (c->actions) {
        const struct action *a = cli_action(cli);
        if (!cli->n_args)
            return cli_usage(cli, "%s needs %s; see `%s %s --help`", c->name, c->arguments,
                             program.name, c->name);
        if (!a)
            return unknown_action(cli);
        int n = cli->n_args - 1;
        if (n < a->least || (a->most >= 0 && n > a->most))
            return cli_usage(cli, "expected `%s %s %s%s%s`", program.name, c->name, a->name,
                             *a->arguments ? " " : "", a->arguments);
        const struct option *o = foreign_option(cli, a);
        return o ? cli_usage(cli, "%s %s: takes no --%s; see `%s %s %s --help`", c->name, a->name,
                             o->name, program.name, c->name, a->name)
                 : 0;
    }
    if (cli->n_args < c->min_arguments)
        return cli_usage(cli, "%s needs %s; see `%s %s --help`", c->name, c->arguments,
                         program.name, c->name);
    if (c->max_arguments >= 0 && cli->n_args > c->max_arguments)
        return cli_usage(cli, "%s: found argument '%s', expected %s%s", c->name,
                         cli->args[c->max_arguments], c->max_arguments ? "only " : "no arguments",
                         c->max_arguments ? c->arguments : "");
    return 0;
}

static int parse_all(struct cli *cli, int argc, char **argv, int command_at)
{
    cli->args = arena_array(&cli->arena, (size_t)argc + 1, sizeof *cli->args);
    for (int i = 1; i < argc; i++) {
        if (i == command_at)
            continue;
        if (strcmp(argv[i], "--") == 0) {
            if (cli->command && cli->command->rest_is_command) {
                cli->rest = argv + i + 1;
                break;
            }
            while (++i < argc)
                cli->args[cli->n_args++] = argv[i];
            break;
        }
        if (!is_option(argv[i]))
            cli->args[cli->n_args++] = argv[i];
        else {
            int code = parse_option(cli, argv, argc, &i);
            if (code)
                return code;
        }
    }
    return 0;
}

/* One that obeys escape sequences. */
static bool is_terminal(int fd)
{
    const char *term = getenv("TERM");
    return isatty(fd) && term && strcmp(term, "dumb") != 0;
}

/* --color > NO_COLOR > terminal, for one stream. */
static bool wants_color(const struct cli *cli, int fd)
{
    const char *when = cli->opt.color ? cli->opt.color : "auto";
    const char *no_color = getenv("NO_COLOR");
    if (strcmp(when, "auto") != 0)
        return strcmp(when, "always") == 0;
    if (no_color && *no_color)
        return false;
    return is_terminal(fd);
}

int cli_parse(struct cli *cli, int argc, char **argv)
{
    int command_at = 0;
    int code = find_command_word(cli, argc, argv, &command_at);
    if (code == 0)
        code = parse_all(cli, argc, argv, cli->command ? command_at : 0);
    if (code == 0)
        code = check_arguments(cli);
    if (code)
        return code;
    cli->color_out = wants_color(cli, STDOUT_FILENO);
    cli->color_err = wants_color(cli, STDERR_FILENO);
    cli->piped = !isatty(STDOUT_FILENO);
    cli->progress = !cli->opt.quiet && is_terminal(STDERR_FILENO);
    if (cli->opt.version && !cli->opt.help)
        cli->command = find_command("version");
    if (cli->opt.dir && chdir(cli->opt.dir) < 0)
        return cli_usage(cli, "-C %s: cannot change to that folder", cli->opt.dir);
    return 0;
}

int cli_number(const char *name, const char *text, int least, int most, int *out, struct err *err)
{
    char *end;
    if (!text)
        return 0;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (errno || end == text || *end || n < least || n > most)
        return err_set(err, ERR_USAGE, "--%s: found '%s', expected %d to %d", name, text, least,
                       most);
    *out = (int)n;
    return 0;
}
