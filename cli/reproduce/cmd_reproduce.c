#include "cli/cli.h"

#include "base/columns.h"
#include "base/files/file.h"
#include "base/records/facts.h"
#include "base/signing/hash.h"
#include "base/text.h"
#include "cli/archive/archive.h"
#include "cli/train/training.h"
#include "collector/submission/seal.h"
#include "verifier/checks/rules.h"
#include "verifier/proofs/reproduction.h"
#include "verifier/verify.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_OUT "records"
#define UNNAMED "unnamed"

/* One row of a result on its way to a second run and its record. */
struct repetition {
    struct cli *cli;
    struct project project;
    const struct result *result;
    const char *records;   /* folder of the result's evidence */
    struct verdict before; /* of the result as it stands */
    long table, row;
    struct training training;
    struct reproduction begun; /* what is known before anything is measured */
    struct reproduction_proof reproduction;
    const char *folder; /* what -o names */
    bool was_there;     /* the folder, before */
};

/* --- which row --- */

/* By name, or by the file of its record. */
static bool take_named_result(struct repetition *x, const char *what)
{
    struct project *p = &x->project;
    x->records = p->root;
    x->result = project_result_by_name(p, what, &x->cli->arena);
    for (size_t i = 0; i < p->n_results && !x->result; i++)
        if (strcmp(p->results[i].file, what) == 0)
            x->result = &p->results[i];
    return x->result;
}

static bool has_verdict_row(const struct verdict *v, long table, long row)
{
    for (size_t i = 0; i < v->n_metrics; i++)
        if (v->metrics[i].table == table && v->metrics[i].row == row && v->metrics[i].claimed)
            return true;
    return false;
}

/* "1.2 1.3": rows with figures. */
static const char *list_rows(struct repetition *x)
{
    const char *all = "";
    int table = 0, row = 0;
    for (size_t i = 0; i < x->before.n_metrics; i++) {
        const struct metric *m = &x->before.metrics[i];
        if (!m->claimed || (m->table == table && m->row == row))
            continue;
        table = m->table;
        row = m->row;
        all = arena_printf(&x->cli->arena, "%s%s%d.%d", all, *all ? " " : "", table, row);
    }
    return all;
}

/* "2.1", or "1" of the first table. */
static int parse_row(struct repetition *x, const char *text)
{
    char *end;
    x->table = 1;
    x->row = strtol(text, &end, 10);
    if (*end == '.' && end[1]) {
        x->table = x->row;
        x->row = strtol(end + 1, &end, 10);
    }
    if (*end == '\0' && has_verdict_row(&x->before, x->table, x->row))
        return EXIT_AGREED;
    return cli_usage(x->cli, "found no row '%s' with figures in %s, expected one of: %s", text,
                     x->before.id, list_rows(x));
}

/* Without TABLE.ROW: the row of the first evidence, or the only one. */
static int choose_row(struct repetition *x)
{
    const char *rows = list_rows(x);
    for (size_t i = 0; i < x->result->n_evidence; i++) {
        const struct evidence *e = &x->result->evidence[i];
        x->table = e->table ? (long)e->table : 1;
        x->row = e->row ? (long)e->row : 1;
        if (has_verdict_row(&x->before, x->table, x->row))
            return EXIT_AGREED;
    }
    if (*rows && !strchr(rows, ' '))
        return parse_row(x, rows);
    return cli_usage(x->cli,
                     *rows ? "%s: no row has evidence, expected TABLE.ROW, one of: %s"
                           : "%s states no figures: there is nothing to reproduce%s",
                     x->before.id, rows);
}

static int find_claim(struct repetition *x)
{
    struct cli *cli = x->cli;
    cli_load_records(cli, &x->project);
    if (cli->diags.machine)
        return cli_diags(cli);
    int unread = cli_archive(cli, &x->project);
    if (unread)
        return exit_worse(unread, cli_diags(cli));
    if (!take_named_result(x, cli->args[0])) {
        int code = cli_diags(cli); /* it may be one of those that could not be loaded */
        return exit_worse(code,
                          cli_usage(cli, "%s: found no such result in %s, expected VENDOR/CASE",
                                    cli->args[0], x->project.root));
    }
    verify_result(&x->project, NULL, x->result, x->records, &cli->arena, &x->before);
    return cli->n_args > 1 ? parse_row(x, cli->args[1]) : choose_row(x);
}

/* --- the run --- */

/* How the evidence of the row was made, as its run.json says; NULL: not known, or natively. Only
 * ever shown: what runs here is what the user types. */
static const char *stated_command(const struct repetition *x)
{
    const char *line = NULL;
    const struct row_evidence *e = x->before.n_evidence ? &x->before.evidence[0] : NULL;
    for (size_t i = 0; e && i < e->n_command; i++)
        line = line ? arena_printf(&x->cli->arena, "%s %s", line, e->command[i]) : e->command[i];
    return line;
}

/* The challenge that the evidence of the row says it answers; NULL: none. */
static const struct answered *answered(const struct repetition *x)
{
    for (size_t i = 0; i < x->before.n_evidence; i++) {
        const struct row_evidence *e = &x->before.evidence[i];
        bool of_row = !e->row || (e->row == x->row && (!e->table || e->table == x->table));
        if (of_row && e->answered.nonce)
            return &e->answered;
    }
    return NULL;
}

/* Its seed is the one of the second run, too. The file says what the run says of it, under a name
 * of ours; who trains reads it as one that somebody was given. */
static int take_answered_challenge(struct repetition *x, const struct case_record *kase)
{
    struct cli *cli = x->cli;
    struct arena *arena = &cli->arena;
    const struct answered *a = cli->rest ? NULL : answered(x);
    char *sha256 = arena_alloc(arena, HASH_HEX_SIZE);
    struct err err = ERR_INIT;
    struct buf text = BUF_INIT(CHALLENGE_BYTES_MAX);
    if (!a || !hash_is_hex(a->nonce))
        return EXIT_AGREED;
    if (hash_file(kase->file, JSON_BYTES_MAX, sha256, &err) < 0)
        return cli_fail(cli, &err);
    struct challenge c = {.round = a->round,
                          .case_id = kase->id,
                          .case_sha256 = sha256,
                          .vendor = a->vendor,
                          .key = a->key,
                          .nonce = a->nonce,
                          .date = arena_strndup(arena, a->round, strlen("YYYY-MM-DD"))};
    c.seed = challenge_seed(&c);
    const char *path = arena_printf(arena, TRAINING_FOLDER "/challenge-%.12s.json", a->nonce);
    shape_save_text(&challenge_shape, &c, &text);
    bool failed = buf_check(&text, path, &err) < 0 || file_mkdirs_for(path, &err) < 0 ||
                  file_write(path, text.data, text.len, &err) < 0;
    buf_release(&text);
    if (failed)
        return cli_fail(cli, &err);
    cli->opt.challenge = path;
    cli_note(cli,
             "the evidence answers the challenge %s, so the case is trained with the seed of "
             "this challenge, %lld (%s)",
             a->round, c.seed, path);
    return EXIT_AGREED;
}

static int load_training(struct repetition *x)
{
    struct cli *cli = x->cli;
    const struct case_record *c = project_case(&x->project, x->result->case_id);
    if (!c) {
        int code = cli_diags(cli);
        diags_add(&cli->diags, SEVERITY_ERROR, x->result->file, x->result->line, 0,
                  "found no case '%s' in %s/cases, expected the record of the case",
                  x->result->case_id, x->project.root);
        return exit_worse(code, EXIT_INPUT);
    }
    x->training = (struct training){.name = c->file};
    int asked = take_answered_challenge(x, c);
    if (asked)
        return asked;
    const char *command = cli->rest ? NULL : stated_command(x);
    int code = training_load(cli, &x->training);
    if (code == EXIT_USAGE && command)
        cli_note(cli, "the vendor's run used this command: %s", command);
    return code;
}

/* 4 for trouble of our own, 128 + N where signal N asked to stop; whatever a command ends with is a
 * run that failed. */
static int run_again(struct repetition *x)
{
    struct cli *cli = x->cli;
    int code = training_run(cli, &x->training);
    if (code == 0)
        return EXIT_AGREED;
    cli_note(cli, "no record was written%s%s", x->training.began ? "; the new run is in " : "",
             x->training.began ? x->training.session.dir.root : "");
    if (x->training.asked)
        return 128 + x->training.asked;
    return code == EXIT_IO && (!cli->rest || x->training.unsaid) ? EXIT_IO : EXIT_INPUT;
}

/* --- what it gave --- */

static const char *place_beside_records(struct repetition *x, const char *suffix)
{
    return arena_printf(&x->cli->arena, "reproductions/%s/%s/%s%s", x->result->vendor,
                        x->result->case_id, path_base(x->training.session.dir.root), suffix);
}

/* The folders that were made for what is not there now. */
static void remove_empty_folders(struct repetition *x, const char *path)
{
    char *up = arena_strdup(&x->cli->arena, path);
    size_t least = strlen(x->folder) + (x->was_there ? 1 : 0);
    for (char *slash = strrchr(up, '/'); slash; slash = strrchr(up, '/')) {
        *slash = '\0';
        if (strlen(up) < least || rmdir(up) < 0)
            return;
    }
}

static int seal_repetition(struct repetition *x)
{
    struct cli *cli = x->cli;
    struct submission sealed;
    struct err err = ERR_INIT;
    const char *by = cli->opt.by ? cli->opt.by : UNNAMED;
    const char *path = path_join(&cli->arena, x->folder, place_beside_records(x, ".tar.zst"));
    if (file_exists(path))
        return cli_usage(cli, "%s: already exists, expected a new name", path);
    if (seal_run(x->training.session.dir.root, path, false, NULL, &cli->arena, &sealed, &cli->diags,
                 &err) < 0) {
        cli_diags(cli);
        remove_empty_folders(x, path);
        return cli_fail(cli, &err);
    }
    shape_init(&reproduction_shape, &x->begun);
    x->begun.id = path_base(x->training.session.dir.root);
    x->begun.vendor = x->result->vendor;
    x->begun.case_id = x->result->case_id;
    x->begun.table = x->table;
    x->begun.row = x->row;
    x->begun.by = by;
    x->begun.archive = place_beside_records(x, ".tar.zst");
    x->begun.sha256 = arena_strdup(&cli->arena, sealed.archive_sha256);
    x->begun.file = place_beside_records(x, ".json");
    return EXIT_AGREED;
}

/* A place in the archive, which is not kept, as the same in the run, which is. */
static const char *kept_place(struct repetition *x, const char *file)
{
    size_t n = strlen(x->begun.archive);
    if (!file || strncmp(file, x->begun.archive, n) != 0)
        return file;
    const char *run = x->training.session.dir.root;
    return file[n] == ':' ? path_join(&x->cli->arena, run, file + n + 1) : run;
}

/* A run that could not stand as evidence leaves nothing behind but its directory. */
static int refuse_repetition(struct repetition *x, const char *archive, int code)
{
    struct err ignored = ERR_INIT;
    file_remove_tree(archive, &ignored);
    remove_empty_folders(x, archive);
    for (size_t i = 0; i < x->reproduction.n_faults && !x->reproduction.sound; i++) {
        const struct reproduction_fault *f = &x->reproduction.faults[i];
        diags_add(&x->cli->diags, SEVERITY_ERROR, kept_place(x, f->file), f->line, 0, "%s",
                  f->message);
    }
    cli_note(x->cli, "no record was written; the new run is in %s", x->training.session.dir.root);
    return code;
}

static int measure_repetition(struct repetition *x)
{
    struct cli *cli = x->cli;
    struct err err = ERR_INIT;
    struct bytes packed;
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    const char *archive = path_join(&cli->arena, x->folder, x->begun.archive);
    if (file_read(archive, ARCHIVE_PACKED_MAX, &cli->arena, &packed, &err) < 0)
        return refuse_repetition(x, archive, cli_fail(cli, &err));
    if (reproduction_make(&x->project, x->result, x->records, &x->begun, &packed, rules_run,
                          &cli->arena, &x->reproduction, &err) < 0)
        return refuse_repetition(x, archive, cli_fail(cli, &err));
    if (!x->reproduction.sound)
        return refuse_repetition(x, archive, EXIT_INPUT);
    shape_save_text(&reproduction_shape, &x->reproduction.measured, &text);
    const char *path = path_join(&cli->arena, x->folder, x->begun.file);
    int rc = file_write(path, text.data, text.len, &err);
    buf_release(&text);
    if (rc == 0)
        return EXIT_AGREED;
    struct err ignored = ERR_INIT;
    file_remove_tree(path, &ignored); /* it may be in place, and only not be synced */
    return refuse_repetition(x, archive, cli_fail(cli, &err));
}

/* --- for people --- */

static const char *recomputed(const struct repetition *x, const char *name)
{
    for (size_t i = 0; i < x->before.n_metrics; i++) {
        const struct metric *m = &x->before.metrics[i];
        if (m->table == x->table && m->row == x->row && strcmp(m->name, name) == 0)
            return m->found && m->source && strcmp(m->source, "evidence") == 0
                       ? figure_print(m->found, &x->cli->arena)
                       : "-";
    }
    return "-";
}

static void put_comparison(struct repetition *x)
{
    struct buf *out = &x->cli->out;
    struct arena *arena = &x->cli->arena;
    const struct reproduction *r = &x->reproduction.measured;
    buf_printf(out, "%s row %ld.%ld, again on %s\n\n", x->before.id, x->table, x->row, r->device);
    buf_str(out, "  figure               stated      recomputed  reproduced  ratio   verdict\n");
    for (size_t i = 0; i < r->n_figures; i++) {
        const struct repeated_figure *f = &r->figures[i];
        buf_str(out, "  ");
        columns_pad(out, f->name, 20);
        columns_pad(out, f->stated, 11);
        columns_pad(out, recomputed(x, f->name), 11);
        columns_pad(out, f->measured, 11);
        columns_pad(out, isnan(f->ratio) ? "-" : arena_printf(&x->cli->arena, "%.4f", f->ratio), 7);
        buf_printf(out, "%s\n", f->outcome);
        const char *limit =
            isnan(f->limit) ? "" : arena_printf(&x->cli->arena, " (limit %g %%)", 100 * f->limit);
        columns_paragraph(out, 6, 6, arena_printf(&x->cli->arena, "%s%s", f->why, limit));
    }
    columns_paragraph(out, 2, 6,
                      arena_printf(arena, "loss curve: %s", reproduction_loss_words(r, arena)));
    if (r->original_sha256)
        buf_printf(out, "  fingerprint: %s kind of device, %zu fact%s differ%s\n",
                   r->same_device ? "the same" : "another", r->n_facts, r->n_facts == 1 ? "" : "s",
                   r->n_facts == 1 ? "s" : "");
    else
        buf_str(out, "  fingerprint: the row has no evidence to compare it with\n");
    for (size_t i = 0; i < r->n_facts; i++) {
        const struct repeated_fact *f = &r->facts[i];
        columns_paragraph(out, 6, 8,
                          arena_printf(arena, "%s: %s, there %s", fact_kind_of(f->key).label,
                                       f->here ? f->here : "not known",
                                       f->original ? f->original : "not known"));
    }
    buf_printf(out, "\n%s: %s\n", x->before.id,
               reproduction_is_reproduced(r) ? "reproduced" : "not reproduced");
}

static int run_reproduce(struct cli *cli)
{
    struct repetition x = {.cli = cli};
    x.folder = cli->opt.out ? cli->opt.out : cli->opt.records ? cli->opt.records : DEFAULT_OUT;
    if (strcmp(x.folder, "-") == 0)
        return cli_usage(cli, "-o -: found standard output, expected a folder for the record and "
                              "the sealed run");
    x.was_there = file_exists(x.folder);
    if (cli_sandbox(cli))
        return EXIT_IO;
    int (*const steps[])(struct repetition *) = {find_claim, load_training, run_again,
                                                 seal_repetition, measure_repetition};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        int code = steps[i](&x);
        if (code)
            return code;
    }
    const struct reproduction *r = &x.reproduction.measured;
    if (cli_wants_json(cli)) {
        shape_save_text(&reproduction_shape, r, &cli->out);
    } else {
        if (!cli->opt.quiet)
            put_comparison(&x);
        buf_printf(&cli->out, "%s\n%s\n", path_join(&cli->arena, x.folder, x.begun.archive),
                   path_join(&cli->arena, x.folder, x.begun.file));
    }
    return reproduction_is_reproduced(r) ? EXIT_AGREED : EXIT_CHECK;
}

static const enum option_id options[] = {OPTION_BY,      OPTION_INIT,    OPTION_FORMAT, OPTION_OUT,
                                         OPTION_RECORDS, OPTION_ARCHIVE, OPTION_END};

const struct command command_reproduce = {
    .name = "reproduce",
    .summary = "run the case of a result again, and record the comparison",
    .arguments = "VENDOR/CASE [TABLE.ROW] [-- COMMAND…]",
    .examples = "  fpreport reproduce fpreport/tiny_llama --by \"A. Reader\"\n"
                "  fpreport reproduce acme/llama2_7b 1.2 -- torchrun --nproc-per-node 8 train.py\n",
    .details = "\n"
               "reproduce trains the case on this machine, with fpreport's trainer or with your\n"
               "COMMAND, in a new run directory in result/. reproduce never runs a command that\n"
               "a record or a submission names. Then reproduce compares the machine, the loss\n"
               "curve and the numbers of the new run with the vendor's submission. On the same\n"
               "kind of device, losses of fpreport's trainer must be bit-identical; all other\n"
               "losses must satisfy the case's alignment rule. On the same kind of accelerator,\n"
               "the throughput must agree to 10 %. If the vendor's run answers a challenge,\n"
               "reproduce uses the seed of that challenge.\n"
               "reproduce writes DIR/reproductions/VENDOR/CASE/RUN.json and RUN.tar.zst.\n"
               "`fpreport verify` checks RUN.json and RUN.tar.zst (FP5001 to FP5006), and the\n"
               "site shows them. Exit code: 0 reproduced, 1 not reproduced, 2 wrong usage, 3 the\n"
               "run failed or cannot be used, 4 I/O error.\n",
    .options = options,
    .out_meaning = "write into this records folder (that of --records)",
    .min_arguments = 1,
    .max_arguments = 2,
    .rest_is_command = true,
    .needs_project = true,
    .run = run_reproduce,
};
