/*
 * cli: the command line, and the only place that prints or ends the process.
 *
 * A command is one `const struct command` in a file of its own (cmd_*.c); program_*.c list them.
 * The same rows give dispatch, option parsing, `--help` and the suggestions after a typo.
 * A command returns an exit code (below), writes its result to `cli->out`, which main writes
 * to stdout and checks, and says everything else through cli_note / cli_diags on stderr.
 */
#pragma once

#include "base/buf.h"
#include "base/diag.h"
#include "base/err.h"
#include "cli/option_list.h"

#include <stdbool.h>
#include <stddef.h>

enum exit_code {
    EXIT_AGREED = 0,  /* done; every check passed */
    EXIT_CHECK = 1,   /* a check failed: the tool worked */
    EXIT_USAGE = 2,   /* command line or configuration */
    EXIT_INPUT = 3,   /* an input is unreadable or malformed */
    EXIT_IO = 4,      /* disk, process, internal */
    EXIT_UNKNOWN = 5, /* whether it was done cannot be told (publish; out of memory) */
};

/* Values of all options of all commands; NULL or false: not given. */
struct options {
    const char *dir, *color;
    bool quiet, verbose, help, version;
#define OPTION_MEMBER(id, member, ...) const char *member;
#define OPTION_FLAG_MEMBER(id, member, ...) bool member;
    OPTIONS(OPTION_MEMBER, OPTION_FLAG_MEMBER, OPTION_MEMBER)
};

enum option_id {
#define OPTION_ID(id, ...) OPTION_##id,
    OPTIONS(OPTION_ID, OPTION_ID, OPTION_ID) OPTION_END /* ends a command's list */
};

struct cli;

/* One of the things that a command does, where it does several: the first argument names it. */
struct action {
    const char *name;
    const char *arguments;         /* behind the name; "" */
    const char *summary, *details; /* as those of a command */
    const enum option_id *options; /* which of the command's it takes */
    int least, most;               /* arguments behind the name; most < 0: any number */
    int (*run)(struct cli *cli);
};

struct command {
    const char *name;
    const char *formerly;  /* its name in older versions; NULL: the same */
    const char *summary;   /* one line, for the list of commands */
    const char *arguments; /* "PAGE.md…" */
    const char *examples;  /* lines that begin --help */
    const char *details;   /* the rest of --help; may be NULL */
    const enum option_id *options;
    const char *out_meaning; /* what -o names here */
    /* Name of the i-th form of --format, NULL behind the last; NULL: text and json. */
    const char *(*format)(size_t i);
    const struct action *actions;     /* ends with one without a name; NULL: it does one thing */
    int min_arguments, max_arguments; /* without actions; max < 0: any number */
    bool rest_is_command;             /* what follows "--" belongs to somebody else */
    bool needs_project;               /* whatever its arguments are */
    bool archive_suffices;            /* but not where --archive names one */
    int (*run)(struct cli *cli);      /* NULL with actions: theirs is called */
};

struct cli {
    struct options opt;
    const struct command *command;
    char **args; /* positional arguments, NULL-terminated */
    int n_args;
    char **rest; /* after "--", NULL-terminated; NULL when there was none */
    struct arena arena;
    struct diags diags;
    struct buf out;                      /* becomes stdout */
    struct buf *said;                    /* notes each line, whom it is for and its colors; NULL */
    bool color_out, color_err, progress; /* progress: stderr is a terminal */
    bool piped;                          /* stdout is no terminal: a program may read it */
};

/* The whole number that was given to an option, `least` to `most`, else ERR_USAGE; *out stays as it
 * is where `text` is NULL. */
int cli_number(const char *name, const char *text, int least, int most, int *out, struct err *err);

/* A line on stderr; nothing with -q. */
void cli_note(const struct cli *cli, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The same, as "warning: …". */
void cli_warn(const struct cli *cli, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A line on stderr only with -v. */
void cli_detail(const struct cli *cli, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Print `error: …` and return the exit code that the kind stands for. */
int cli_fail(const struct cli *cli, const struct err *err);

/* The same for a fault that is found here. */
int cli_usage(const struct cli *cli, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Say again what was put into `said`. */
void cli_say_again(const struct cli *cli, const char *said);

/* Print the diagnostics that came since the last call, `file:line:col: severity: message`.
 * Notices only with -v. Returns EXIT_INPUT if there was an error among them, EXIT_IO if one is the
 * machine's fault, else 0. */
int cli_diags(struct cli *cli);

/* --format json */
bool cli_wants_json(const struct cli *cli);

/* Write what is in cli->out to stdout now and check it; EXIT_IO when that fails. */
int cli_flush(struct cli *cli);

/* What is in cli->out goes to the file that -o names, or stays for stdout (no -o, or "-"). */
int cli_deliver(struct cli *cli);

/* Foreign text for a terminal: control characters and bytes that are no text are shown as \xNN,
 * what is hidden (base/foreign.h) as \uNNNN. */
void cli_print_safe(struct buf *to, const char *text);

/* Folder with the installed templates/ and records/. */
const char *cli_datadir(struct cli *cli);

/* The same, and behind it where they may be instead, when the machine does not say of the first. */
#define CLI_DATADIRS_MAX 4
size_t cli_datadirs(struct cli *cli, const char *dirs[CLI_DATADIRS_MAX]);

/* The folder that this program lies in; NULL: the system does not say. */
const char *cli_program_folder(struct cli *cli);

/* Folder with vendors/, cases/ … : --records (of which "sample" is the installed one), ./records,
 * or the installed one. */
const char *cli_records(struct cli *cli);

/* Is that somebody's own: named, or ./records? Without, nobody's results are published or compared
 * in place of them. */
bool cli_has_project(const struct cli *cli);

/* EXIT_USAGE and the ways on where it is not. */
int cli_need_project(const struct cli *cli);

/* The project, with the installed accelerators and models where it has none of their names; where
 * there is none, what is known of vendors, accelerators, models and cases, and no results. */
struct project;
void cli_load_records(struct cli *cli, struct project *p);

/* The same of one shard of it (base/project/shard.h). */
struct shard;
void cli_load_shard(struct cli *cli, const struct shard *shard, struct project *p);

/* The second half of that, for a project that was loaded in another way. */
void cli_lend_records(struct cli *cli, struct project *p);

/* lent.c: accelerators and models of the program that results of a project took, in the order in
 * which they did (verifier/shard_doc.h). */
struct result;
struct verdict;
struct shard_lent;
struct lent_list {
    struct shard_lent *items;
    size_t n;
};
void cli_lent_results(struct cli *cli, const struct project *p, const struct result *const *results,
                      size_t n, struct lent_list *list);
void cli_lent_evidence(struct cli *cli, const struct project *p, const struct verdict *verdicts,
                       size_t n, struct lent_list *list);
const char *cli_lent_said(struct cli *cli, const struct lent_list *list); /* NULL: none */

/* What these results and verdicts say of that; NULL: all are the project's own. */
const char *cli_records_said(struct cli *cli, const struct project *p,
                             const struct result *const *results, size_t n,
                             const struct verdict *verdicts, size_t n_verdicts);

/* Before submissions are read: what keeps their bytes apart from this machine
 * (base/process/sandbox.h) is said where it is not all of it; EXIT_IO where --require-landlock
 * wants what the kernel has not.
 */
int cli_sandbox(struct cli *cli);

/* Where the project finds FlagPerf's configurations: --flagperf. A usage error when that is no
 * checkout. */
int cli_flagperf(struct cli *cli, struct project *p);

/* The project's own templates, then the installed ones (beside the program, or in PREFIX). */
struct templates;
void cli_templates(struct cli *cli, struct templates *t);

/* Keep the name that is nearer to the word, and near enough to be meant; start with best NULL and
 * nearest 4. */
void cli_consider(const char *word, const char *name, const char **best, size_t *nearest);

/* The worse of two exit codes: 4 > 3 > 2 > 1 > 0. */
int exit_worse(int a, int b);

/* options.c: fill cli from argv; 0, or an exit code after a message. */
int cli_parse(struct cli *cli, int argc, char **argv);
int cli_unknown_command(struct cli *cli, const char *word); /* says which one may be meant */

/* The action that the first argument names; NULL: none of the command's. */
const struct action *cli_action(const struct cli *cli);

/* help.c: --help of an action, of a command (action NULL), or the overview (both NULL). */
void cli_help(struct cli *cli, const struct command *command, const struct action *action);
