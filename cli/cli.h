/*
 * cli: the command line, and the only place that prints or ends the process.
 *
 * A command is one `const struct command` in a file of its own (cmd_*.c); program_*.c list them.
 * The same rows give dispatch, option parsing, `--help` and the suggestions after a typo.
 * A command returns an exit code (below), writes its result to `cli->out`, which main writes
 * to stdout and checks, and says everything else through cli_note / cli_diags on stderr.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* Every option that commands may take, one row each: its name in lists of commands
 * (OPTION_OUT), its member of struct options (cli.h), its name, what stands for its value in --help
 * ("[=X]": only as --name=X, else ""), and its line there; a flag has no value. A full row has a
 * letter, too (0: none), and which values there are (a list of options.c; NULL: any). */

/* clang-format off */
#define OPTIONS(VALUE, FLAG, FULL) \
    FULL(OUT, out, 'o', "out", "PATH", NULL, NULL) \
    VALUE(FORMAT, format, "format", "FORM", NULL) \
    FULL(LANG, lang, 0, "lang", "LANG", "language of the pages: zh or en (default: both)", langs) \
    VALUE(VENDOR, vendor, "vendor", "ID", "id of the vendor, if the path does not name it") \
    VALUE(CASE, case_id, "case", "ID", "id of the case, if the path does not name it") \
    VALUE(RECORDS, records, "records", "DIR", "records folder; sample means the shipped records") \
    FLAG(DIFF, diff, "diff", "compare two fingerprints") \
    VALUE(FROM_STEP, from_step, "from-step", "N", "first step that is compared (21)") \
    VALUE(LIMIT, limit, "limit", "PERCENT", "limit of the mean deviation, in percent (2)") \
    VALUE(STRIDE, stride, "stride", "N", "steps between reports, if the log states no steps") \
    VALUE(LEARN, learn, "learn", "LOG", "draft a description of the format of LOG") \
    VALUE(LINE, line, "line", "N", "number of the example line in LOG") \
    VALUE(STEP, step, "step", "TEXT", "step number in the example line") \
    VALUE(LOSS, loss, "loss", "TEXT", "loss in the example line") \
    FULL(ORDER, order, 0, "order", "CLAIM", "claimed order of the training data: same or other", orders) \
    VALUE(AGAINST, against, "against", "WHAT", "result, page[#ROW] or run to compare with") \
    FLAG(STRICT, strict, "strict", "same as --fail-on warning") \
    FULL(FAIL_ON, fail_on, 0, "fail-on", "WHAT", "severity for exit 1: error, warning, notice or never", fail_on) \
    VALUE(ONLY, only, "only", "RULES", "check only these rules: FP2003,FP5 (FP5: all FP5xxx)") \
    VALUE(RULES, rules, "rules", "VERSION", "use an older rule set; 'list' prints all rule sets") \
    VALUE(SHARD, shard, "shard", "K/N", "do only part K of N (from 0); merge joins the parts") \
    VALUE(VERDICTS, verdicts, "verdicts", "DIR", "use the verdicts that verify --shard wrote into DIR") \
    VALUE(JOIN, join, "join", "DIR", "join the parts that build --shard K/N -o DIR/K made") \
    VALUE(RULESET, ruleset, "ruleset", "X.Y.Z", "rules of this MLPerf round (from the path, or newest)") \
    FLAG(SEAL, seal, "seal", "also seal the logs of the MLPerf package as evidence") \
    VALUE(FLAGPERF, flagperf, "flagperf", "DIR", "FlagPerf checkout with the configuration files") \
    VALUE(BY, by, "by", "NAME", "your name, which is written into the record or log") \
    VALUE(GPUS, gpus, "gpus", "N", "same as --ranks N --device cuda") \
    VALUE(RANKS, ranks, "ranks", "N", "total number of ranks, over all machines") \
    VALUE(NODES, nodes, "nodes", "N", "number of machines on which the ranks run") \
    VALUE(CARDS, cards, "cards", "N", "number of cards of the run, on all machines") \
    VALUE(ACCELERATOR, accelerator, "accelerator", "ID", "id of the card that the run used") \
    VALUE(MODEL, model, "model", "ID", "id of the model that was trained") \
    VALUE(FINGERPRINT, fingerprint, "fingerprint", "FILE", "fingerprint.json of a machine of the run") \
    VALUE(PARALLEL, parallel, "parallel", "PLAN", "parallel plan: TP2PP2DP2, also with CPn, VPn (chunks)") \
    VALUE(DEVICE, device, "device", "WHAT", "device to use: cpu, cuda, or the number of a GPU") \
    VALUE(PREVIOUS, previous, "previous", "DIR", "folder of the last published site") \
    VALUE(REPEAT, repeat, "repeat", "RUN", "use the matrix-product algorithms of this run") \
    VALUE(BRANCH, branch, "branch", "NAME", "git branch of the published site (gh-pages)") \
    VALUE(PUSH, push, "push", "[=REMOTE]", "also push the branch to a git remote (origin)") \
    VALUE(ACCEPT, accept, "accept", "[=VENDOR/CASE]", "accept changed verdicts: of one result, or all") \
    FLAG(BUILD, build, "build", "build the site first") \
    FULL(RECURSIVE, recursive, 'r', "recursive", "DIR", "import all pages DIR/…/<vendor>/<case>/README.md", NULL) \
    FLAG(DRY_RUN, dry_run, "dry-run", "show what would be done; write nothing") \
    VALUE(CHECKPOINT_EVERY, checkpoint_every, "checkpoint-every", "N", "write a checkpoint every N steps and at the end") \
    VALUE(KEEP, keep, "keep", "K", "number of newest checkpoints to keep (1)") \
    VALUE(RESUME, resume, "resume", "WHAT", "resume from a checkpoint, a run, or 'latest'") \
    VALUE(INIT, init, "init", "DIR", "initial weights: a Hugging Face Llama (safetensors)") \
    VALUE(TOKENIZER, tokenizer, "tokenizer", "FILE", "tokenizer.model: a SentencePiece BPE model") \
    VALUE(TEXTS, texts, "texts", "FORMAT", "text, lines, json, samsum, llava-plain or llava-v1") \
    VALUE(IMAGES, images, "images", "DIR", "folder of the images that FILE names") \
    VALUE(SIDE, side, "side", "N", "side length of the prepared images, in pixels (336)") \
    VALUE(PACK, pack, "pack", "N", "join all texts, and cut them every N tokens") \
    VALUE(QUESTIONS, questions, "questions", "DIR", "folder with the questions of MMLU or MMMU") \
    VALUE(PROJECTOR, projector, "projector", "DIR", "weights of LLaVA's projector, if --init lacks them") \
    VALUE(TOWER, tower, "tower", "DIR", "weights of the CLIP tower, if --init lacks them") \
    VALUE(ADAPTERS, adapters, "adapters", "DIR", "LoRA adapters as peft saves them, for a LoRA case") \
    FLAG(MEASURE, measure, "measure", "also measure the speed of the machine") \
    FLAG(NO_MEASURE, no_measure, "no-measure", "do not measure the GPUs before training") \
    VALUE(PORT, port, "port", "N", "port on 127.0.0.1; 0 means any free port (8000)") \
    FLAG(NO_BUILD, no_build, "no-build", "serve the existing site without building it") \
    FLAG(NO_CACHE, no_cache, "no-cache", "build everything again; ignore and write no cache") \
    FLAG(KEEP_GOING, keep_going, "keep-going", "ignore records that cannot be read") \
    FLAG(REQUIRE_LANDLOCK, require_landlock, "require-landlock", "refuse submissions if the kernel has no Landlock") \
    VALUE(SIGN, sign, "sign", "KEY", "sign with this key: private, or one in ssh-agent") \
    VALUE(SIGNERS, signers, "signers", "FILE", "allowed_signers file with the accepted public keys") \
    VALUE(REVOKED, revoked, "revoked", "FILE", "file with revoked public keys") \
    VALUE(AT, at, "at", "TIME", "time of validity of keys: YYYYMMDD[HHMM[SS]] (now)") \
    VALUE(CHALLENGE, challenge, "challenge", "FILE", "challenge file that the run answers") \
    VALUE(STEPS, steps, "steps", "N", "number of steps that verify trains (200)") \
    VALUE(MINUTES, minutes, "minutes", "N", "time limit of the training by verify, in minutes (30)") \
    VALUE(KEY, key, "key", "FILE", "public key (.pub) that must sign the submission") \
    VALUE(ARCHIVE, archive, "archive", "DIR", "archive of submissions (next to the records folder)") \
    VALUE(REASON, reason, "reason", "TEXT", "reason, which the log and the result page will show") \
    VALUE(REASON_ZH, reason_zh, "reason-zh", "TEXT", "reason in Chinese, for the Chinese pages") \
    VALUE(OPERATOR, signed_by, "operator", "NAME", "name of the person who signs the checkpoints") \
    VALUE(SINCE, since, "since", "FILE", "older checkpoint with which the log must agree") \
    FULL(PUBLISH, publish, 0, "publish", "WHAT", "publish all files (full), or only hashes (hashes)", publish) \
    FLAG(PUBLISH_AGAIN, publish_again, "publish-again", "allow publishing files that were withheld until now") \
    FLAG(TRUST_CLOCK, trust_clock, "trust-clock", "trust the clock even if the last log entry is later") \
    FLAG(FORCE, force, "force", "replace existing files")
/* clang-format on */

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

/* The same for a fault that is found here; ERR_USAGE of the second. */
int cli_error(const struct cli *cli, enum err_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
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
