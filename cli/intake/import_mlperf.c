#include "cli/intake/import_mlperf.h"

#include "base/files/file.h"
#include "base/git/repo.h"
#include "base/records/mlperf_record.h"
#include "base/text.h"
#include "cli/intake/import_write.h"
#include "cli/mlperf_rulebook.h"
#include "verifier/mlperf/package/small_facts.h"
#include "verifier/verify_mlperf.h"

#include <math.h>
#include <string.h>

#define DEFAULT_MLPERF_OUT "records/mlperf"

struct mlperf_import {
    struct cli *cli;
    struct mlperf_rulebook book;
    struct verdict *verdicts;
    size_t n;
    struct mlperf_record *records; /* of the systems that were met so far */
    size_t n_records;
};

bool import_is_mlperf(const char *path)
{
    enum mlperf_input kind = file_is_dir(path) ? mlperf_input_of(path) : MLPERF_NO_INPUT;
    return kind == MLPERF_PACKAGE || kind == MLPERF_ROUND;
}

/* "v5.1" of "5.1.0" */
static const char *round_of_version(struct arena *arena, const char *version)
{
    size_t n = strlen(version) - (text_ends(version, ".0") ? 2 : 0);
    return arena_printf(arena, "v%.*s", (int)n, version);
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

static void fill_mlperf_runs(struct mlperf_import *in, const struct mlperf_runs *r,
                             struct mlperf_score_record *to)
{
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
    fill_mlperf_runs(in, r, to);
    for (size_t i = 0; i < v->n_checks; i++)
        add_mlperf_finding(in, &v->checks[i], r->package->shown, &to->findings, &to->n_findings);
}

static struct mlperf_record *record_of_system(struct mlperf_import *in, const struct mlperf_runs *r)
{
    struct arena *arena = &in->cli->arena;
    const struct mlperf_system_facts *s = r->system;
    const char *round = round_of_version(arena, r->rules->version), *status = NULL;
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
    fill_mlperf_score(in, v, ARENA_PUSH(&in->cli->arena, to->results, to->n_results));
}

/* ---- writing ------------------------------------------------------------------------------- */

static int write_mlperf_record(struct cli *cli, const struct shape *shape, const void *value,
                               const char *path)
{
    struct buf text;
    buf_init(&text, BUF_DEFAULT_MAX);
    shape_save_text(shape, value, &text);
    int code = import_write(cli, path, (struct bytes){text.data, text.len});
    buf_release(&text);
    return code;
}

/* What git says of the packages: where they are published, and which commit was read. */
static int write_round(struct cli *cli, const char *out, const struct mlperf_record *first,
                       const char *path)
{
    struct arena *arena = &cli->arena;
    struct repo_info git;
    const char *file = arena_printf(arena, "%s/rounds/%s.json", out, first->round);
    struct mlperf_round_record round = {
        .round = first->round,
        .ruleset = first->ruleset,
        .title = arena_printf(arena, "MLPerf Training %s", first->round),
    };
    if (repo_describe(path, arena, &git) && git.url && strstr(git.url, "training_results")) {
        round.repository = git.url;
        round.commit = git.commit;
    }
    return file_exists(file) ? EXIT_AGREED
                             : write_mlperf_record(cli, &mlperf_round_shape, &round, file);
}

static int write_records(struct mlperf_import *in, const char *path)
{
    struct cli *cli = in->cli;
    const char *out = cli->opt.out ? cli->opt.out : DEFAULT_MLPERF_OUT;
    int code = in->n_records ? write_round(cli, out, in->records, path) : EXIT_AGREED;
    for (size_t i = 0; i < in->n_records; i++) {
        const struct mlperf_record *r = &in->records[i];
        code = exit_worse(code,
                          write_mlperf_record(cli, &mlperf_record_shape, r,
                                              arena_printf(&cli->arena, "%s/results/%s/%s/%s.json",
                                                           out, r->round, r->package, r->system)));
    }
    if (!in->n_records)
        return cli_usage(cli, "%s: found no results of a system", path);
    cli_detail(cli, "%zu systems of %s", in->n_records, in->records[0].round);
    return code;
}

static void note_mlperf_rules(void *context, const char *path, const char *version)
{
    cli_note(context, "%s names no round: held to the rules of %s (--ruleset chooses others)", path,
             version);
}

int import_mlperf(struct cli *cli, const char *path)
{
    struct err err = ERR_INIT;
    struct mlperf_import in = {.cli = cli};
    const struct mlperf_input_path input = {path, mlperf_input_of(path)};
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
    return exit_worse(write_records(&in, path), cli_diags(cli));
}
