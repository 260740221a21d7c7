#include "cli/cli.h"
#include "cli/intake/adopt.h"
#include "cli/intake/completed.h"
#include "cli/intake/judge.h"
#include "cli/sign.h"

#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/project/project.h"
#include "base/records/facts.h"
#include "base/records/layout.h"
#include "base/sealed/archive.h"
#include "base/sealed/submission.h"
#include "base/text.h"
#include "collector/submission/draft.h"
#include "collector/submission/seal.h"
#include "verifier/checks/rules.h"
#include "verifier/runs/run_layout.h"
#include "verifier/verify.h"

#include <string.h>

#define DEFAULT_OUT "records"

/* A run on its way to a sealed submission and a record. */
struct collection {
    struct cli *cli;
    const char *vendor, *folder;    /* folder: what -o names */
    struct adoption adopted;        /* n 0: the run has a folder */
    const struct accelerator *card; /* that is stated, as nothing shows one; NULL */
    const char *archive;            /* relative to the folder */
    struct submission sealed;
    struct buf packed, record_text; /* what will be written */
    struct project project;
    struct case_record record; /* as it was run */
    struct facts facts;
    bool resealed; /* a record that its vendor completed takes the sum of the signed archive */
};

static const struct tar_member *find_collected_file(const struct submission *s, const char *name)
{
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(path_base(s->files[i].name), name) == 0)
            return &s->files[i];
    return NULL;
}

/* What a draft is made of. */
static int read_collected(struct collection *c)
{
    struct cli *cli = c->cli;
    struct json *json;
    const struct tar_member *record = find_collected_file(&c->sealed, "case.json");
    const struct tar_member *facts = find_collected_file(&c->sealed, "fingerprint.json");
    if (!record)
        diags_add(&cli->diags, SEVERITY_ERROR, cli->args[0], 0, 0, "holds no case.json");
    else if (json_parse(record->name, record->bytes, &cli->arena, &json, &cli->diags) < 0 ||
             shape_load(&case_shape, json, record->name, &c->record, &cli->arena, &cli->diags) < 0)
        return EXIT_INPUT;
    else if (!facts)
        diags_add(&cli->diags, SEVERITY_ERROR, cli->args[0], 0, 0, "holds no fingerprint.json");
    else if (facts_read(facts->name, facts->bytes, &cli->arena, &c->facts, &cli->diags) == 0)
        return EXIT_AGREED;
    return EXIT_INPUT;
}

/* What is wrong with a file of the run sealing says; but what could not be read just now, it may
 * read. */
static int tell_of_machine(struct cli *cli, const struct diags *quiet)
{
    if (!quiet->machine)
        return EXIT_AGREED;
    diags_append(&cli->diags, quiet);
    return cli_diags(cli);
}

/* "evidence/acme/CASE-run20261120190000.tar.zst" of ".../run20261120190000/". The case's id is
 * known before sealing from the run's own case.json, which seal_run checks. */
static int name_archive(struct collection *c)
{
    struct cli *cli = c->cli;
    struct case_record record;
    struct diags quiet = DIAGS_INIT(&cli->arena);
    const char *path = path_join(&cli->arena, cli->args[0], "case.json");
    bool known =
        !c->adopted.n && shape_load_file(&case_shape, path, &record, &cli->arena, &quiet) == 0;
    const char *id = c->adopted.n ? cli->opt.case_id : known ? record.id : "case";
    const char *run =
        c->adopted.n ? c->adopted.name : path_base(path_trimmed(&cli->arena, cli->args[0]));
    c->archive =
        arena_printf(&cli->arena, "evidence/%s/%s-%s.tar.zst", c->vendor ? c->vendor : "", id, run);
    return tell_of_machine(cli, &quiet);
}

/* A run that answers a challenge is of the vendor that it was issued for. */
static int refuse_other_vendor(struct collection *c)
{
    struct cli *cli = c->cli;
    struct diags quiet = DIAGS_INIT(&cli->arena);
    struct json *run;
    const char *path = path_join(&cli->arena, cli->args[0], "run.json");
    if (!c->vendor || c->adopted.n || json_load(path, &cli->arena, &run, &quiet) < 0)
        return tell_of_machine(cli, &quiet);
    const char *vendor = json_get_text(json_get(run, "challenge"), "vendor", c->vendor);
    if (strcmp(vendor, c->vendor) == 0)
        return EXIT_AGREED;
    return cli_usage(cli, "%s: answers a challenge for vendor %s, found --vendor %s", path, vendor,
                     c->vendor);
}

/* -o FILE.tar.zst: the archive and nothing else, which needs no vendor. */
static bool is_archive_only(const struct cli *cli)
{
    return cli->opt.out && text_ends(cli->opt.out, ".tar.zst");
}

/* The folders below this one that are runs, of which there may be many; the first one. */
static const char *run_below(const char *folder, struct arena *arena)
{
    struct dir_entry *entries;
    struct err ignored = ERR_INIT;
    size_t n;
    if (dir_list(folder, arena, &entries, &n, &ignored) < 0)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        const char *below = path_join(arena, folder, entries[i].name);
        if (entries[i].is_dir && file_exists(path_join(arena, below, "run.json")))
            return below;
    }
    return NULL;
}

/* What is no run, or a sealed one that was unpacked again, is refused: what to do with it? */
static void say_next_of_collect(const struct cli *cli)
{
    struct arena own = ARENA_INIT;
    const char *folder = cli->args[0], *below = NULL;
    if (!file_exists(path_join(&own, folder, "run.json")) && (below = run_below(folder, &own)))
        cli_note(cli, "next: the folder contains a run: 'fpreport collect %s'", below);
    if (file_exists(folder) && !file_is_dir(folder))
        cli_note(cli,
                 "next: to seal the logs of a run that fpreport did not start, name their case: "
                 "'fpreport collect %s --case ID --vendor ID'",
                 folder);
    if (file_exists(path_join(&own, cli->args[0], SUBMISSION_MANIFEST)))
        cli_note(cli, "next: the folder is an unpacked submission. 'fpreport verify' and 'fpreport "
                      "archive add' accept the original .tar.zst. To seal and sign the run again "
                      "(--sign), use a copy without " SUBMISSION_MANIFEST ", " SUBMISSION_STATEMENT
                      ", " SUBMISSION_SIGNATURE " and " SUBMISSION_WITHHELD);
    arena_release(&own);
}

/* Where the archive goes. */
static const char *archive_path(const struct collection *c)
{
    const struct cli *cli = c->cli;
    return is_archive_only(cli) ? cli->opt.out : path_join(&c->cli->arena, c->folder, c->archive);
}

/* In memory, for a look at it before anything is written. */
static int seal_collected(struct collection *c)
{
    struct cli *cli = c->cli;
    struct err err = ERR_INIT;
    c->folder = cli->opt.out ? cli->opt.out : DEFAULT_OUT;
    int code = name_archive(c);
    if (code)
        return code;
    const struct seal_signer cli_signer = {cli_sign, (void *)cli->opt.sign};
    const struct seal_signer *signer = cli->opt.sign ? &cli_signer : NULL;
    int rc = c->adopted.n ? seal_open_members(cli->args[0], c->adopted.members, c->adopted.n,
                                              archive_path(c), signer, &c->packed, &cli->arena,
                                              &c->sealed, &cli->diags, &err)
                          : seal_open(cli->args[0], archive_path(c), signer, &c->packed,
                                      &cli->arena, &c->sealed, &cli->diags, &err);
    if (rc < 0) {
        cli_diags(cli);
        int code_of = cli_fail(cli, &err);
        say_next_of_collect(cli);
        return code_of;
    }
    return EXIT_AGREED;
}

static int write_archive(struct collection *c)
{
    struct cli *cli = c->cli;
    struct err err = ERR_INIT;
    const char *path = archive_path(c);
    /* A record may have the sum of the other. */
    bool replaces = cli->opt.force || is_archive_only(cli) || c->resealed;
    if (seal_write(path, replaces, &c->packed, &c->sealed, &err) < 0)
        return cli_fail(cli, &err);
    buf_printf(&cli->out, "%s\n", path);
    cli_note(cli, "sealed %zu files, id %.16s…%s", c->sealed.n, c->sealed.id,
             cli->opt.sign ? ", signed" : "");
    if (c->adopted.n)
        cli_note(cli, "adopted: fpreport did not witness this run, and its result is partial at "
                      "most");
    const struct seal_left left =
        c->adopted.n ? (struct seal_left){0} : seal_left_out(cli->args[0], &cli->arena);
    if (left.checkpoints)
        cli_note(cli, "left out: " SUBMISSION_CHECKPOINTS "/ (%zu of them, %.1f MiB)",
                 left.checkpoints, (double)left.bytes / 1048576);
    return EXIT_AGREED;
}

/* Second runs that were compared with other evidence stop counting: nobody should find that out
 * from a verdict. */
static void warn_of_reproductions(struct collection *c, const struct result *r)
{
    struct cli *cli = c->cli;
    struct project there;
    struct diags ignored = DIAGS_INIT(&cli->arena); /* of the folder: verify says them */
    project_load(c->folder, &there, &cli->arena, &ignored);
    for (size_t i = 0; i < there.n_reproductions; i++) {
        const struct reproduction *x = &there.reproductions[i];
        const char *sha256 = x->original_sha256 ? x->original_sha256 : "none";
        if (strcmp(x->vendor, r->vendor) != 0 || strcmp(x->case_id, r->case_id) != 0 ||
            strcmp(sha256, c->sealed.archive_sha256) == 0)
            continue;
        cli_warn(cli,
                 "%s: this reproduction is of another submission (SHA-256 %.16s…) than the new "
                 "record (%.16s…), so it does not count for the new record",
                 x->file, sha256, c->sealed.archive_sha256);
    }
}

static const char *record_path(struct collection *c)
{
    return arena_printf(&c->cli->arena, "%s/results/%s/%s.json", c->folder, c->vendor,
                        c->record.id);
}

static int write_drafted_record(struct collection *c, const struct result *r)
{
    struct cli *cli = c->cli;
    struct err err = ERR_INIT;
    const struct buf *text = &c->record_text;
    const char *path = record_path(c);
    int rc = cli->opt.force || c->resealed ? file_write(path, text->data, text->len, &err)
                                           : file_write_new(path, text->data, text->len, &err);
    if (rc < 0)
        return cli_fail(cli, &err);
    if (rc == FILE_THERE) {
        cli_note(cli, "%s already exists, so it was not changed; --force replaces it", path);
        return EXIT_AGREED;
    }
    buf_printf(&cli->out, "%s\n", path);
    warn_of_reproductions(c, r);
    return EXIT_AGREED;
}

/* "CASE:fpreport_0.1.0:cpu:1:1:1/round1/…" */
static bool on_processor(struct collection *c)
{
    const char *name = find_collected_file(&c->sealed, "fingerprint.json")->name;
    struct case_key key;
    case_key_parse(arena_strndup(&c->cli->arena, name, strcspn(name, "/")), &c->cli->arena, &key);
    return case_key_on_processor(&key);
}

static void say_contradictions(const struct cli *cli, const struct layout *l)
{
    struct arena own = ARENA_INIT;
    size_t i = 0;
    for (const char *odd; (odd = layout_contradiction(l, &i, &own)) != NULL;)
        cli_warn(cli, "%s; the first counts", odd);
    arena_release(&own);
}

/* As it will be read from its file. */
static int reread(struct collection *c, const struct result *drafted, struct result *out)
{
    struct cli *cli = c->cli;
    struct json *json;
    const char *path = record_path(c);
    shape_save_text(&result_shape, drafted, &c->record_text);
    const struct bytes text = {c->record_text.data, c->record_text.len};
    if (json_parse(path, text, &cli->arena, &json, &cli->diags) < 0 ||
        shape_load(&result_shape, json, path, out, &cli->arena, &cli->diags) < 0)
        return cli_diags(cli);
    out->file = path;
    return EXIT_AGREED;
}

/* Which card a command ran on that no tool shows, or that has no record (`seen`; NULL). What was
 * not measured then is said. */
static int find_stated_card(struct collection *c, const char *seen)
{
    struct cli *cli = c->cli;
    const struct tar_member *file = find_collected_file(&c->sealed, "run.json");
    struct json *run = NULL;
    struct diags quiet = DIAGS_INIT(&cli->arena); /* sealing has read it */
    if (on_processor(c))
        return EXIT_AGREED;
    if (file)
        json_parse(file->name, file->bytes, &cli->arena, &run, &quiet);
    const char *id = json_get_text(run, "accelerator", c->record.accelerator);
    int code = adopt_stated_card(cli, &c->project, c->vendor, c->record.id, id, &c->card);
    if (c->card)
        cli_note(cli,
                 "the card %s was stated, but no card tool found it, so driver, memory, power and "
                 "utilisation of the cards were not measured",
                 c->card->name);
    else if (code == 0 && seen)
        cli_note(
            cli,
            "%s has no record in %s/accelerators, so its peak is unknown and its MFU cannot be "
            "checked",
            seen, cli_records(cli));
    else if (code == 0)
        cli_note(cli, "no card tool found a card; name the card of the run by --accelerator ID");
    return code;
}

/* The rows are what the verifier recomputes from the sealed logs, so that draft and verdict
 * cannot come from different arithmetic. */
static int draft_collected(struct collection *c, struct result *r)
{
    struct cli *cli = c->cli;
    struct err err = ERR_INIT;
    struct verdict verdict;
    struct layout_source laid;
    const struct bytes packed = {c->packed.data, c->packed.len};
    if (verify_archive_with(&c->project, NULL, archive_path(c), &packed, &cli->arena, &verdict,
                            &err) < 0)
        return cli_fail(cli, &err);
    const struct row_evidence *e = &verdict.evidence[0];
    const char *model = facts_value(&c->facts, FACT_ACCELERATOR_MODEL);
    const struct accelerator *card =
        model && !on_processor(c) ? project_find_card(&c->project, model, c->vendor) : NULL;
    int code = card ? EXIT_AGREED : find_stated_card(c, model);
    if (code)
        return code;
    card = card ? card : c->card;
    layout_resolve(&e->layout, card ? card->ranks_per_card : 1, &laid);
    say_contradictions(cli, &e->layout);
    const struct draft_input in = {.vendor_id = c->vendor,
                                   .vendor = project_vendor(&c->project, c->vendor),
                                   .case_record = &c->record,
                                   .model = project_model(&c->project, c->record.model),
                                   .facts = &c->facts,
                                   .laid = &laid,
                                   .framework = e->framework,
                                   .card = c->card ? c->card->name : NULL,
                                   .adopted = c->adopted.n > 0,
                                   .on_processor = on_processor(c),
                                   .metrics = verdict.metrics,
                                   .n_metrics = verdict.n_metrics,
                                   .archive = c->archive,
                                   .sha256 = c->sealed.archive_sha256};
    struct result drafted;
    draft_result(&in, &cli->arena, &drafted);
    code = reread(c, &drafted, r);
    if (code)
        return code;
    verify_result_with(&c->project, r, &packed, NULL, &cli->arena, &verdict);
    return judge_before_writing(cli, r->file, &verdict);
}

/* --sign of the same run, whose draft was completed since: nothing but the sum changes. */
static int find_completed(struct collection *c, struct result *r)
{
    struct cli *cli = c->cli;
    const struct bytes packed = {c->packed.data, c->packed.len};
    const struct completed in = {record_path(c), archive_path(c), c->archive, &c->sealed};
    struct verdict verdict;
    int code = completed_find(cli, &in, &c->record_text, r, &c->resealed);
    if (code || !c->resealed)
        return code;
    cli_note(cli, "in %s, only the checksum of the submission was changed", in.record_path);
    verify_result_with(&c->project, r, &packed, NULL, &cli->arena, &verdict);
    return judge_before_writing(cli, r->file, &verdict);
}

/* An archive by itself claims nothing: what it is held to is what holds for every run. */
static int judge_archive(struct collection *c)
{
    const char *only[] = {"FP4"};
    const struct rules evidence = {NULL, only, 1};
    const struct bytes packed = {c->packed.data, c->packed.len};
    struct err err = ERR_INIT;
    struct verdict v;
    if (verify_archive_with(&c->project, &evidence, archive_path(c), &packed, &c->cli->arena, &v,
                            &err) < 0)
        return cli_fail(c->cli, &err);
    return judge_before_writing(c->cli, archive_path(c), &v);
}

static int collect_record(struct collection *c)
{
    struct cli *cli = c->cli;
    struct result r;
    cli_load_records(cli, &c->project);
    if (cli->diags.machine) /* a draft would lack what could not be read */
        return cli_diags(cli);
    int code = read_collected(c);
    if (code == 0 && cli->opt.sign && !cli->opt.force)
        code = find_completed(c, &r);
    if (code == 0 && !c->resealed)
        code = draft_collected(c, &r);
    if (code == 0)
        code = write_archive(c);
    return code ? code : write_drafted_record(c, &r);
}

static int run_collect(struct cli *cli)
{
    struct collection c = {.cli = cli, .vendor = cli->opt.vendor};
    if (!c.vendor && !is_archive_only(cli))
        return cli_usage(cli, "collect needs --vendor ID for the record that it drafts; "
                              "-o FILE.tar.zst only seals");
    if (c.vendor && !shape_is_id(c.vendor))
        return cli_usage(cli, "--vendor: found '%s', expected an id", c.vendor);
    if (!cli->opt.case_id && cli->n_args > 1)
        return cli_usage(cli,
                         "found %d arguments, expected one run; logs of a run that fpreport "
                         "did not start need --case ID",
                         cli->n_args);
    int code = is_archive_only(cli) ? EXIT_AGREED : cli_need_project(cli);
    if (code == 0)
        code = cli->opt.case_id ? adopt_logs(cli, &c.adopted) : refuse_other_vendor(&c);
    buf_init(&c.packed, ARCHIVE_PACKED_MAX);
    buf_init(&c.record_text, BUF_DEFAULT_MAX);
    if (code == 0)
        code = seal_collected(&c);
    if (code == 0 && is_archive_only(cli)) {
        code = judge_archive(&c);
        code = code ? code : write_archive(&c);
    } else if (code == 0)
        code = collect_record(&c);
    buf_release(&c.packed);
    buf_release(&c.record_text);
    return code;
}

static const enum option_id options[] = {
    OPTION_VENDOR, OPTION_CASE,     OPTION_ACCELERATOR, OPTION_CARDS, OPTION_NODES,
    OPTION_RANKS,  OPTION_PARALLEL, OPTION_FINGERPRINT, OPTION_OUT,   OPTION_RECORDS,
    OPTION_FORCE,  OPTION_SIGN,     OPTION_END};

const struct command command_collect = {
    .name = "collect",
    .summary = "seal a run as one file, and draft its result record",
    .arguments = "RUN | LOG… --case ID",
    .examples = "  fpreport collect result/run20261120190000 --vendor acme\n"
                "  fpreport collect result/run20261120190000 -o evidence.tar.zst\n"
                "  fpreport collect result/run20261120190000 --vendor acme --sign acme_ed25519\n"
                "  fpreport collect slurm-4711.out --case llama3_8B-megatron --vendor acme \\\n"
                "      --cards 16 --nodes 2 --accelerator h100\n",
    .details = "\n"
               "collect verifies a complete run, seals it as\n"
               "DIR/evidence/VENDOR/CASE-RUN.tar.zst, and drafts the record\n"
               "DIR/results/VENDOR/CASE.json. Sealing the same run again gives the same bytes;\n"
               "checkpoints are not sealed. If a check finds an error, collect writes nothing;\n"
               "with --force, it writes both files, and the verdict of the result is 'failed'.\n"
               "LOG… --case ID seals the logs of a run that fpreport did not start; the result\n"
               "of such a run is at most partial. Options such as --cards and --nodes state\n"
               "facts that the logs do not contain.\n"
               "--sign signs the submission with ssh-keygen. KEY is a private key file, or a\n"
               "public key (.pub) whose private key is in ssh-agent. If the run was sealed\n"
               "before, collect changes only the checksum of the submission in the record.\n",
    .options = options,
    .out_meaning = "records folder or .tar.zst file to write (records)",
    .min_arguments = 1,
    .max_arguments = -1,
    .run = run_collect,
};
