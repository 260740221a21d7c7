#include "cli/intake/import_mlperf.h"

#include "base/files/beneath.h"
#include "base/files/file.h"
#include "base/records/mlperf_record.h"
#include "base/sealed/archive.h"
#include "base/signing/hash.h"
#include "base/text.h"
#include "cli/intake/mlperf_records.h"
#include "cli/mlperf_rulebook.h"
#include "collector/submission/seal.h"
#include "verifier/mlperf/package/small_facts.h"
#include "verifier/verify_mlperf.h"

#include <math.h>
#include <string.h>

struct mlperf_import {
    struct cli *cli;
    struct mlperf_rulebook book;
    struct verdict *verdicts;
    size_t n;
    struct mlperf_record *records; /* of the systems that were met so far */
    size_t n_records;
    int code; /* of sealing */
};

bool import_is_mlperf(const char *path)
{
    enum mlperf_input kind = file_is_dir(path) ? mlperf_input_of(path) : MLPERF_NO_INPUT;
    return kind == MLPERF_PACKAGE || kind == MLPERF_ROUND;
}

/* ---- records ------------------------------------------------------------------------------- */

static long long count_or_absent(double x)
{
    return x >= 0 && x <= SHAPE_COUNT_MAX ? (long long)x : 0;
}

static double finite_or_absent(double x)
{
    return isfinite(x) ? x : NAN;
}

static void add_mlperf_finding(struct mlperf_import *in, const struct check_result *c,
                               const char *package, struct mlperf_finding_record **to, size_t *n)
{
    const char *below = c->file;
    size_t length = strlen(package);
    if (c->outcome != OUTCOME_FAIL)
        return;
    if (text_starts(below, package) && below[length] == '/')
        below += length + 1;
    struct mlperf_finding_record *f = arena_push(&in->cli->arena, (void *)to, n, sizeof **to);
    *f = (struct mlperf_finding_record){.rule = c->rule,
                                        .severity = severity_name(c->severity),
                                        .file = below,
                                        .at = c->line,
                                        .message = c->message};
    mlperf_finding_note(f, c->sentence, &in->cli->arena);
}

static void fill_mlperf_score(struct mlperf_import *in, const struct verdict *v,
                              struct mlperf_score_record *to)
{
    const struct mlperf_runs *r = v->mlperf->runs;
    *to = (struct mlperf_score_record){
        .benchmark = r->directory->name,
        .factor = finite_or_absent(r->stated_factor),
        .rcp = rcp_verdict_name(r->rcp.verdict),
        .batch_size = finite_or_absent(r->rcp.batch_size),
        .samples = finite_or_absent(r->rcp.mean),
        .reference = finite_or_absent(r->rcp.reference_mean),
        .least = finite_or_absent(r->rcp.least - r->rcp.slack),
        .energy_j = finite_or_absent(r->energy_j),
    };
    if (isfinite(r->score.minutes))
        to->minutes = arena_printf(&in->cli->arena, "%.3f", r->score.minutes);
    to->n_runs = r->n;
    to->runs = arena_array(&in->cli->arena, r->n, sizeof *to->runs);
    for (size_t i = 0; i < r->n; i++)
        to->runs[i] = (struct mlperf_run_record){
            .log = path_base(r->runs[i].file->path),
            .minutes = finite_or_absent(r->runs[i].log->minutes),
            .samples = finite_or_absent(r->runs[i].log->samples),
            .complies = r->scored[i].complies,
            .kept = r->scored[i].kept,
        };
    for (size_t i = 0; i < v->n_checks; i++)
        add_mlperf_finding(in, &v->checks[i], r->package->shown, &to->findings, &to->n_findings);
}

static struct mlperf_record *record_of_system(struct mlperf_import *in, const struct mlperf_runs *r)
{
    struct arena *arena = &in->cli->arena;
    const struct mlperf_system_facts *s = r->system;
    const char *round = mlperf_round_named(arena, r->rules->version), *status = NULL;
    for (size_t i = 0; i < in->n_records; i++)
        if (strcmp(in->records[i].package, r->package->name) == 0 &&
            strcmp(in->records[i].system, r->directory->system) == 0)
            return &in->records[i];
    struct mlperf_record *to = ARENA_PUSH(arena, in->records, in->n_records);
    status = mlperf_availability(s->status);
    *to = (struct mlperf_record){
        .round = round,
        .package = r->package->name,
        .system = r->directory->system,
        .ruleset = r->rules->version,
        .submitter = s->submitter ? s->submitter : r->package->name,
        .system_name = s->system_name,
        .division = text_or_empty(s->division),
        .availability = status ? status : s->status,
        .accelerator = s->accelerator,
        .processor = s->processor,
        .framework = s->framework,
        .nodes = count_or_absent(s->nodes),
        .accelerators = count_or_absent(s->nodes * s->accelerators_per_node),
        .processors = count_or_absent(s->nodes * s->processors_per_node),
    };
    return to;
}

/* ---- evidence ------------------------------------------------------------------------------ */

struct sealing {
    struct mlperf_import *in;
    struct tar_member *members;
    size_t n;
    struct err err;
    bool failed;
};

static void add_sealed_files(struct sealing *s, const struct mlperf_tree *tree, const size_t *files,
                             size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t file = files[i];
        const struct mlperf_file *f = file == MLPERF_NO_FILE ? NULL : &tree->files[file];
        struct tar_member member = {f ? f->path : NULL, {NULL, 0}};
        if (!f || s->failed)
            continue;
        s->failed = beneath_read(f->root, f->path, ARCHIVE_MEMBER_MAX, &s->in->cli->arena,
                                 &member.bytes, &s->err) < 0;
        if (!s->failed)
            *(struct tar_member *)ARENA_PUSH(&s->in->cli->arena, s->members, s->n) = member;
    }
}

/* All that the audit of the directory reads, under the names of the package. */
static void gather_sealed(struct sealing *s, const struct mlperf_runs *r)
{
    const struct mlperf_directory *d = r->directory;
    add_sealed_files(s, r->tree, d->logs, d->n_logs);
    add_sealed_files(s, r->tree, &r->package->bypass, 1);
    add_sealed_files(s, r->tree, &d->system_bypass, 1);
    add_sealed_files(s, r->tree, &d->bypass, 1);
    add_sealed_files(s, r->tree, &d->scaling, 1);
    add_sealed_files(s, r->tree, &d->description, 1);
    for (size_t i = 0; d->has_power && i < d->n_logs; i++) {
        add_sealed_files(s, r->tree, d->power[i].nodes, d->power[i].n_nodes);
        add_sealed_files(s, r->tree, d->power[i].switches, d->power[i].n_switches);
    }
}

/* The archive of one directory; `to` names it. An exit code after a message. */
static int seal_directory(struct mlperf_import *in, const struct mlperf_runs *r,
                          struct mlperf_score_record *to)
{
    struct cli *cli = in->cli;
    struct arena *arena = &cli->arena;
    struct sealing s = {.in = in};
    struct buf packed = BUF_INIT(ARCHIVE_PACKED_MAX);
    char hex[HASH_HEX_SIZE];
    const char *below = arena_printf(arena, "evidence/%s/%s/%s/%s.tar.zst",
                                     mlperf_round_named(arena, r->rules->version), r->package->name,
                                     r->directory->system, r->directory->name);
    gather_sealed(&s, r);
    if (s.failed)
        return cli_fail(cli, &s.err);
    int code = EXIT_AGREED;
    if (seal_members(r->directory->shown, s.members, s.n, false, &packed, arena, &cli->diags) < 0)
        code = exit_worse(cli_diags(cli), EXIT_INPUT);
    else {
        hash_sha256(packed.data, packed.len, hex);
        to->evidence = arena_printf(arena, "mlperf/%s", below);
        to->evidence_sha256 = arena_strdup(arena, hex);
        code = import_write(cli, path_join(arena, mlperf_records_folder(cli), below),
                            (struct bytes){packed.data, packed.len});
    }
    buf_release(&packed);
    return code;
}

/* ---- systems ------------------------------------------------------------------------------- */

static void take_directory(struct mlperf_import *in, const struct verdict *v)
{
    const struct mlperf_runs *r = v->mlperf->runs;
    if (!r->system || !shape_is_id(r->package->name) || !shape_is_id(r->directory->system)) {
        cli_warn(in->cli, "%s: left out: %s", v->file,
                 r->system ? "package and system are no names for a record: letters, digits and "
                             ". _ + - only"
                           : "its system has no description");
        return;
    }
    struct mlperf_record *to = record_of_system(in, r);
    struct mlperf_score_record *score = ARENA_PUSH(&in->cli->arena, to->results, to->n_results);
    fill_mlperf_score(in, v, score);
    if (in->cli->opt.seal)
        in->code = exit_worse(in->code, seal_directory(in, r, score));
}

static int write_records(struct mlperf_import *in, const char *path)
{
    struct cli *cli = in->cli;
    struct mlperf_records there;
    if (!in->n_records)
        return cli_usage(cli, "%s: found no results of a system", path);
    mlperf_records_load(cli, in->records[0].round, &there);
    for (size_t i = 0; i < in->n_records; i++) {
        struct mlperf_record *r = &in->records[i];
        mlperf_record_keep_published(cli, r, mlperf_records_find(&there, r->package, r->system));
    }
    return mlperf_records_write(cli, in->records, in->n_records, path);
}

static void note_mlperf_rules(void *context, const char *path, const char *version)
{
    cli_note(context,
             "%s names no MLPerf round, so the rules of %s were used (--ruleset chooses another "
             "round)",
             path, version);
}

int import_mlperf(struct cli *cli, const char *path)
{
    struct err err = ERR_INIT;
    struct mlperf_import in = {.cli = cli};
    const struct mlperf_input_path input = {.path = path, .kind = mlperf_input_of(path)};
    const struct mlperf_request request = {.book = &in.book,
                                           .ruleset = cli->opt.ruleset,
                                           .inputs = &input,
                                           .n_inputs = 1,
                                           .noted = note_mlperf_rules,
                                           .context = cli};
    int code = cli_mlperf_rulebook(cli, &in.book);
    if (code)
        return code;
    if (verify_mlperf(&request, &cli->arena, &cli->diags, &in.verdicts, &in.n, &err) < 0) {
        cli_diags(cli);
        return cli_fail(cli, &err);
    }
    for (size_t i = 0; i < in.n; i++)
        if (in.verdicts[i].mlperf->kind == MLPERF_RESULT_DIRECTORY)
            take_directory(&in, &in.verdicts[i]);
    return exit_worse(in.code, exit_worse(write_records(&in, path), cli_diags(cli)));
}
