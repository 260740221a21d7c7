#include "cli/archive/archive.h"
#include "cli/archive/fsck_next.h"

#include "base/files/file.h"
#include "base/text.h"
#include "cli/archive/store_check_site.h"
#include "cli/sign.h"
#include "renderer/output/outdir.h"

#include <string.h>
#include <time.h>

/* What is looked at: an archive, a log by itself as a site has it, or a published site with its
 * log. */
enum what { ARCHIVE, LOG, SITE };

struct checked {
    struct cli *cli;
    const char *path, *log_path;
    const char *checkpoint; /* of a site; NULL: it has none */
    enum what what;
    struct store store;
    struct project project;
    struct diags faults; /* of the log */
    struct store_report report;
};

static int open_archive(struct checked *c)
{
    struct cli *cli = c->cli;
    struct err err = ERR_INIT;
    /* What a build wrote has no list of sums: that is made when it is published. */
    if (file_exists(path_join(&cli->arena, c->path, OUTDIR_LIST_NAME)))
        return cli_error(
            cli, ERR_INPUT,
            "%s: found a site as `fpreport build` wrote it, expected one that was published, "
            "with " CHECKPOINT_SITE_LIST ": `git clone -b gh-pages REPOSITORY DIR` gets it",
            c->path);
    const char *elsewhere = fsck_elsewhere(c->path, &cli->arena);
    if (elsewhere)
        return cli_error(cli, ERR_INPUT, "%s", elsewhere);
    c->log_path = path_join(&cli->arena, c->path, STORE_LOG_NAME);
    if (store_open_still(&c->store, c->path, &cli->arena, &c->faults, &err) < 0)
        return cli_fail(cli, &err);
    cli_load_records(cli, &c->project);
    return EXIT_AGREED;
}

static int open_log(struct checked *c)
{
    struct cli *cli = c->cli;
    c->log_path = c->path;
    c->project.root = cli_records(cli);
    c->store = (struct store){.root = c->path, .arena = &cli->arena, .lock_fd = -1};
    store_log_read_file(c->path, &cli->arena, &c->store.log, &c->faults);
    return EXIT_AGREED;
}

/* A site of records without an archive has no log. */
static int open_site(struct checked *c)
{
    struct arena *arena = &c->cli->arena;
    const char *log = path_join(arena, c->path, CHECKPOINT_SITE_LOG);
    const char *checkpoint = path_join(arena, c->path, CHECKPOINT_IN_SITE CHECKPOINT_NAME);
    const char *site = c->path;
    struct err err = ERR_INIT;
    int signed_list = file_is_there(checkpoint, &err), logged = file_is_there(log, &err);
    if (signed_list < 0 || logged < 0)
        return cli_fail(c->cli, &err);
    c->checkpoint = signed_list ? checkpoint : NULL;
    if (!logged) {
        c->log_path = log;
        c->project.root = cli_records(c->cli);
        c->store = (struct store){.root = site, .arena = arena, .lock_fd = -1};
        return EXIT_AGREED;
    }
    c->path = log;
    int code = open_log(c);
    c->path = site;
    return code;
}

static void check_archive_or_site(struct checked *c)
{
    store_check_log(&c->report, &c->store.log, c->log_path, &c->faults);
    /* The archive's own checkpoint, and the older one that somebody kept. A chain that is broken
     * proves nothing about the lines before. */
    struct signers asked;
    const struct signers *signers = c->project.signers;
    if (signers && c->cli->opt.signed_by) {
        asked = *signers;
        asked.principal = c->cli->opt.signed_by;
        signers = &asked;
    }
    if (c->what == ARCHIVE)
        store_check_own_checkpoint(&c->report, &c->store, signers, !c->cli->opt.since);
    if (c->what == SITE && c->checkpoint)
        store_check_checkpoint(&c->report, c->checkpoint, &c->store.log, signers);
    else if (c->what == SITE && c->cli->opt.signed_by)
        store_report_add(&c->report, STORE_CHECKPOINT, c->path, 0,
                         "has no checkpoint, expected one that %s signed", c->cli->opt.signed_by);
    if (c->cli->opt.since)
        store_check_checkpoint(&c->report, c->cli->opt.since, &c->store.log, signers);
    if (c->what == SITE)
        store_check_site(&c->report, c->path, c->checkpoint);
    if (c->what != ARCHIVE)
        return;
    store_check_files(&c->report, &c->store);
    store_check_records(&c->report, &c->store, &c->project);
}

/* One line for each kind, however many findings it has. */
static void write_next(const struct checked *c, struct buf *out)
{
    const struct store_report *r = &c->report;
    for (enum store_finding_kind kind = 0; kind < STORE_FINDING_KINDS; kind++) {
        const char *step = fsck_next(kind, c->what == ARCHIVE);
        bool found = false;
        for (size_t i = 0; i < r->n && step; i++)
            found = found || r->findings[i].kind == kind;
        if (found)
            buf_printf(out, "next, %s: %s\n", store_finding_name(kind), step);
    }
}

static void write_fsck_text(struct checked *c, struct buf *out)
{
    const struct store_report *r = &c->report;
    struct arena *arena = &c->cli->arena;
    for (size_t i = 0; i < r->n; i++) {
        const struct store_finding *f = &r->findings[i];
        cli_print_safe(out, f->file);
        if (f->line)
            buf_printf(out, ":%d", f->line);
        buf_str(out, ": error: ");
        cli_print_safe(out, f->message);
        buf_printf(out, " [%s]\n", store_finding_name(f->kind));
    }
    if (c->cli->opt.quiet)
        return;
    write_next(c, out);
    if (c->what == SITE && !c->checkpoint)
        buf_str(out, "checkpoint: none, so nobody vouches for the list of files\n");
    if (r->checkpoint) {
        buf_str(out, "checkpoint: ");
        cli_print_safe(out, r->checkpoint);
        buf_char(out, '\n');
    }
    cli_print_safe(out, c->path);
    buf_printf(out, ": %s", text_count(arena, c->store.log.n, "entry", "entries"));
    if (c->what == SITE)
        buf_printf(out, ", %s", text_count(arena, r->files, "file", "files"));
    if (c->what == ARCHIVE)
        buf_printf(out, ", %s, %s", text_count(arena, r->objects, "object", "objects"),
                   text_size(arena, r->bytes));
    if (*c->store.log.head) /* there is a log */
        buf_printf(out, ", head %.16s…", c->store.log.head);
    buf_printf(out, ": %s\n", text_count(arena, r->n, "finding", "findings"));
}

static void write_fsck_json(struct checked *c, struct buf *out)
{
    const struct store_report *r = &c->report;
    struct json_writer w = JSON_WRITER_INIT(out);
    json_begin_object(&w, NULL);
    json_strings(&w, {"schema", "fpreport.fsck/1"}, {"archive", c->path});
    json_integer(&w, "entries", (long long)c->store.log.n);
    json_string(&w, "head", c->store.log.head);
    if (c->what == SITE)
        json_integer(&w, "files", (long long)r->files);
    if (c->what == ARCHIVE) {
        json_integer(&w, "objects", (long long)r->objects);
        json_integer(&w, "bytes", (long long)r->bytes);
    }
    json_string_if(&w, "checkpoint", r->checkpoint);
    json_string_if(&w, "incomplete", r->machine);
    json_begin_array(&w, "findings");
    for (size_t i = 0; i < r->n; i++) {
        const struct store_finding *f = &r->findings[i];
        json_begin_object_flat(&w, NULL);
        json_strings(&w, {"kind", store_finding_name(f->kind)}, {"file", f->file});
        if (f->line)
            json_integer(&w, "line", f->line);
        json_string(&w, "message", f->message);
        json_end_object(&w);
    }
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
}

/* Nobody named the signers, and those of the records are vendors, as a rule. */
static void say_whose_signers(const struct checked *c)
{
    bool any = false;
    for (size_t i = 0; i < c->report.n; i++)
        any = any || c->report.findings[i].kind == STORE_CHECKPOINT;
    if (any && c->project.signers && !c->cli->opt.signers)
        cli_note(c->cli,
                 "fsck checked the checkpoints with the signers of the records: add the operator's "
                 "line to those signers, or to the file of --signers");
}

typedef int opening(struct checked *c); /* an exit code, after messages */

static int look_at_checked(struct checked *c, struct err *err)
{
    int there = file_is_there(c->path, err);
    int folder = there > 0 ? file_is_folder(c->path, err) : there;
    int site = folder > 0 ? store_site_is(c->path, &c->cli->arena, err) : folder;
    c->what = there > 0 && folder == 0 ? LOG : site > 0 ? SITE : ARCHIVE;
    return site < 0 ? -1 : 0;
}

static int run_fsck(struct cli *cli)
{
    static opening *const open_as[] = {
        [ARCHIVE] = open_archive, [LOG] = open_log, [SITE] = open_site};
    struct checked c = {.cli = cli, .path = cli->n_args ? cli->args[0] : NULL};
    struct err err = ERR_INIT;
    if (!c.path && !cli->opt.archive && cli_need_project(cli))
        return EXIT_USAGE;
    if (!c.path && cli_archive_root(cli, &c.path, &err) < 0)
        return cli_fail(cli, &err);
    if (look_at_checked(&c, &err) < 0)
        return cli_fail(cli, &err);
    /* A name that was mistyped says nothing against the log, as with --signers. */
    int kept = cli->opt.since ? file_is_there(cli->opt.since, &err) : 1;
    if (kept == 0)
        err_set(&err, ERR_INPUT, "%s: no such file", cli->opt.since);
    if (kept <= 0)
        return cli_fail(cli, &err);
    c.report.arena = &cli->arena;
    c.report.root = c.path;
    c.report.now = (long long)time(NULL);
    diags_init(&c.faults, &cli->arena);
    int code = open_as[c.what](&c);
    if (code == EXIT_AGREED)
        code = cli_signers(cli, &c.project);
    if (code == EXIT_AGREED && cli->opt.signed_by && !c.project.signers)
        code = cli_usage(cli, "--operator needs --signers FILE, or signers in the records");
    if (code)
        return exit_worse(code, cli_diags(cli));
    if (!c.faults.machine)
        check_archive_or_site(&c);
    store_close(&c.store);
    if (c.faults.machine) { /* what the log says is not known, and nobody is accused of it */
        cli->diags = c.faults;
        return cli_diags(cli);
    }
    code = exit_worse(c.report.n ? EXIT_CHECK : EXIT_AGREED, cli_diags(cli));
    if (cli_wants_json(cli))
        write_fsck_json(&c, &cli->out);
    else
        write_fsck_text(&c, &cli->out);
    say_whose_signers(&c);
    if (c.report.machine) {
        err_set(&err, ERR_IO, "%s; fsck could not check the whole archive", c.report.machine);
        code = exit_worse(code, cli_fail(cli, &err));
    }
    return exit_worse(code, cli_deliver(cli));
}

static const enum option_id options[] = {
    OPTION_ARCHIVE, OPTION_RECORDS, OPTION_SINCE,  OPTION_OPERATOR, OPTION_SIGNERS,
    OPTION_REVOKED, OPTION_AT,      OPTION_FORMAT, OPTION_OUT,      OPTION_END};

const struct command command_fsck = {
    .name = "fsck",
    .summary = "check the archive of submissions against its log",
    .arguments = "[ARCHIVE | LOG | SITE]",
    .examples = "  fpreport fsck                                     all of archive/\n"
                "  fpreport fsck --format json -o fsck.json\n"
                "  fpreport fsck log.jsonl --since checkpoint.json --signers FILE --operator NAME\n"
                "  fpreport fsck SITE --signers FILE --operator NAME\n",
    .details = "\n"
               "ARCHIVE: fsck hashes every stored object again, and compares objects, log, hash\n"
               "chain, head, checkpoint and records with each other. fsck changes nothing.\n"
               "LOG: fsck checks the hash chain of a published log. With --since, fsck also\n"
               "checks that lines were only added to the log since that checkpoint (its\n"
               "signature is FILE.sig). Name the signer with --operator, because vendors' keys\n"
               "may also sign checkpoints.\n"
               "SITE (a clone of the branch): fsck compares the files with MANIFEST.sha256, and\n"
               "MANIFEST.sha256 and the log with the signed checkpoint.\n"
               "\n"
               "Each line of the output is a problem and begins with its kind: log; torn (the\n"
               "last line of the log is incomplete); missing, altered, unlogged or foreign (an\n"
               "object); left (a file of a stopped writer); entry; checkpoint; record (names a\n"
               "submission that is not in the archive); clock (the last entry is later than\n"
               "now); state (withdrawn in the record, not in the log); site (a published file or\n"
               "the list). If fsck finds a problem, it exits with 1.\n",
    .options = options,
    .out_meaning = "write the list of problems to this file",
    .max_arguments = 1,
    .run = run_fsck,
};
