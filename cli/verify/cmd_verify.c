#include "cli/cli.h"

#include "base/files/file.h"
#include "base/project/project.h"
#include "base/text.h"
#include "cli/archive/archive.h"
#include "cli/intake/inputs.h"
#include "cli/shards/verify_shard.h"
#include "cli/sign.h"
#include "cli/verify/verify_bundle.h"
#include "cli/verify/verify_challenge.h"
#include "cli/verify/verify_mlperf.h"
#include "cli/verify/verify_tree.h"
#include "verifier/checks/list.h"
#include "verifier/checks/mlperf/mlperf_rule.h"
#include "verifier/checks/rules.h"
#include "verifier/claims/duplicates.h"
#include "verifier/claims/older_table.h"
#include "verifier/foreign/foreign_page.h"
#include "verifier/logs/rows/own_rows.h"
#include "verifier/verdicts/verdicts.h"
#include "verifier/verify.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A result to verify, when all are read: they are compared with each other. */
struct given {
    const struct result *result;
    const char *records;
    size_t at; /* its place among the verdicts */
};

/* Everything that is verified in one call. */
struct verification {
    struct cli *cli;
    struct project project;
    struct verdict *verdicts;
    size_t n;
    struct given *given;
    size_t n_given;
    struct rules rules;            /* that are run */
    struct verify_against against; /* what loose files are held to, read with the first */
    size_t n_loose, n_bundles;
    int unheld;  /* exit code of reading it; nothing loose is verified then */
    int fail_on; /* of enum severity; VERDICTS_FAIL_NEVER */
    int code;
};

static struct verdict *new_verdict(struct verification *v)
{
    return ARENA_PUSH(&v->cli->arena, v->verdicts, v->n);
}

static void verify_one(struct verification *v, const struct result *r, const char *records)
{
    new_verdict(v);
    *(struct given *)ARENA_PUSH(&v->cli->arena, v->given, v->n_given) =
        (struct given){r, records, v->n - 1};
}

static void verify_given(struct verification *v)
{
    const struct result **all = arena_array(&v->cli->arena, v->n_given, sizeof *all);
    for (size_t i = 0; i < v->n_given; i++)
        all[i] = v->given[i].result;
    project_give(&v->project, all, v->n_given);
    duplicates_index(&v->project);
    for (size_t i = 0; i < v->n_given; i++) {
        struct verdict verdict;
        verify_result(&v->project, &v->rules, all[i], v->given[i].records, &v->cli->arena,
                      &verdict);
        v->verdicts[v->given[i].at] = verdict;
    }
}

/* Said at the end with all others, and in the document where it has a place for that. */
static void note_fault(struct verification *v, const char *file, const struct err *err)
{
    diags_add_err(&v->cli->diags, file, 0, 0, err);
    v->code = exit_worse(v->code, err->kind);
}

/* Has it a part that pages of the benchmark have, beside tables of others? */
static bool has_own_part(struct verification *v, const struct result *r)
{
    const struct table **tables;
    return r->n_environments || r->general || older_tables_any(r) ||
           result_figure_tables(r, &v->cli->arena, &tables) > 0;
}

static void verify_record(struct verification *v, const char *path)
{
    const struct result *r;
    v->code = exit_worse(v->code, input_read_record(v->cli, &v->project, path, &r));
    if (r)
        verify_one(v, r, input_records_of(v->cli, path, v->project.root));
}

static void verify_page(struct verification *v, const char *path)
{
    const struct result *r;
    v->code = exit_worse(v->code, input_read_page(v->cli, path, &r));
    if (r) {
        struct foreign_findings found;
        bool own = foreign_page_is(r, &v->cli->arena) ? has_own_part(v, r) : input_claims(r);
        foreign_page_check(&v->project, r, &v->cli->arena, &found);
        if (!own && found.missing) {
            /* A text without tables would pass every check by claiming nothing. */
            diags_add(
                &v->cli->diags, SEVERITY_ERROR, r->file, 1, 0,
                "found neither environment nor tables of the benchmark, expected a result page, "
                "or one with a table of tokens/s and MFU: %s",
                found.missing);
            v->code = exit_worse(v->code, EXIT_INPUT);
        } else
            verify_one(v, r, NULL);
    }
}

static void verify_submission(struct verification *v, const char *path)
{
    struct err err = ERR_INIT;
    struct verdict verdict;
    if (verify_archive(&v->project, &v->rules, path, &v->cli->arena, &verdict, &err) < 0)
        note_fault(v, path, &err);
    else
        *new_verdict(v) = verdict;
}

static void verify_bundle(struct verification *v, const char *path)
{
    struct bundle *b;
    int code = cli_bundle_open(v->cli, path, &b);
    v->code = exit_worse(v->code, code);
    if (code)
        return;
    struct verdict verdict;
    cli_bundle_verify(v->cli, b, &v->rules, &verdict);
    if (!v->rules.version && !v->rules.n_only)
        v->code = exit_worse(v->code, cli_bundle_compare(v->cli, b, &verdict));
    *new_verdict(v) = verdict;
    v->n_bundles++;
}

static void verify_loose(struct verification *v, const char *path)
{
    if (!v->n_loose++) {
        v->against.rules = &v->rules;
        v->against.formats = own_rows_load(cli_records(v->cli), &v->cli->arena, &v->cli->diags);
        v->unheld = cli_read_against(v->cli, &v->project, &v->against);
        v->code = exit_worse(v->code, v->unheld);
    }
    if (!v->unheld)
        v->code = exit_worse(
            v->code, cli_verify_tree(v->cli, &v->project, &v->against, path, &v->verdicts, &v->n));
}

/* "vendor/case" or "vendor", among the records; false when nothing is called so. */
static bool verify_by_id(struct verification *v, const char *id)
{
    const struct result *one = project_result_by_name(&v->project, id, &v->cli->arena);
    bool found = one != NULL;
    if (one)
        verify_one(v, one, NULL);
    for (size_t i = 0; i < v->project.n_results && !one; i++) {
        if (strcmp(v->project.results[i].vendor, id) != 0)
            continue;
        verify_one(v, &v->project.results[i], NULL);
        found = true;
    }
    return found;
}

/* The folder of the results, one of a vendor in it, or that of all records; false when it is none
 * of these, or of no result. */
static bool verify_folder(struct verification *v, const char *path)
{
    const struct project *p = &v->project;
    const char *results = path_join(&v->cli->arena, p->root, "results");
    char *folder = file_real(path), *root = file_real(p->root), *below = file_real(results);
    size_t n = below ? strlen(below) : 0;
    bool all = folder && root && strcmp(folder, root) == 0, found = false;
    bool inside = folder && below && text_starts(folder, below) && strchr("/", folder[n]);
    const char *vendor = inside && folder[n] ? folder + n + 1 : "";
    for (size_t i = 0; (all || inside) && i < p->n_results; i++) {
        if (*vendor && strcmp(p->results[i].vendor, vendor) != 0)
            continue;
        verify_one(v, &p->results[i], NULL);
        found = true;
    }
    free(folder);
    free(root);
    free(below);
    return found;
}

static void (*const verify_kind[INPUT_KINDS])(struct verification *, const char *path) = {
    [INPUT_RECORD] = verify_record,         [INPUT_PAGE] = verify_page,
    [INPUT_SUBMISSION] = verify_submission, [INPUT_BUNDLE] = verify_bundle,
    [INPUT_LOOSE] = verify_loose,
};

static void verify_what(struct verification *v, const char *what)
{
    const char *archived = cli_archive_find(v->cli, &v->project, what);
    enum input_kind kind = archived ? INPUT_SUBMISSION : input_by_name(v->cli, what);
    what = archived ? archived : what;
    if (kind == INPUT_UNKNOWN && (verify_by_id(v, what) || verify_folder(v, what)))
        return;
    if (kind == INPUT_UNKNOWN && file_exists(what))
        kind = input_by_content(v->cli, what);
    if (kind != INPUT_UNKNOWN)
        verify_kind[kind](v, what);
    else
        v->code = exit_worse(
            v->code, input_refuse(v->cli, what,
                                  "VENDOR/CASE, VENDOR, a record (.json), a page (.md), a "
                                  "submission (.tar.zst), a bundle of a page (.bundle.tar), a log "
                                  "(.log, .txt) or the folder of a run"));
}

static const struct verdict_format *format_by_name(const char *name)
{
    const struct verdict_format *f = verdict_formats;
    while (name && f->name && strcmp(f->name, name) != 0)
        f++;
    return f;
}

static const char *verdict_format_name(size_t i)
{
    return verdict_formats[i].name;
}

/* Whose records they are; NULL: the project's alone. */
static const char *said_of_records(struct verification *v)
{
    const struct project *p = &v->project;
    if (v->n && v->n_bundles == v->n)
        return BUNDLE_RECORDS_SAID;
    if (v->cli->n_args == 0)
        return cli_records_said(v->cli, p, p->by_case, p->n_results, v->verdicts, v->n);
    const struct result **given = arena_array(&v->cli->arena, v->n_given, sizeof *given);
    for (size_t i = 0; i < v->n_given; i++)
        given[i] = v->given[i].result;
    return cli_records_said(v->cli, p, given, v->n_given, v->verdicts, v->n);
}

static void print_verdicts(struct verification *v)
{
    const struct cli *cli = v->cli;
    char root[PATH_MAX];
    const struct verdicts verdicts = {.items = v->verdicts,
                                      .n = v->n,
                                      .records = said_of_records(v),
                                      .rules = &v->rules,
                                      .faults = &cli->diags,
                                      .incomplete = v->code > EXIT_CHECK || cli->diags.errors,
                                      .root = getcwd(root, sizeof root),
                                      .fail_on = v->fail_on,
                                      .all = cli->opt.verbose,
                                      .errors_only = cli->opt.quiet,
                                      .whole_names = cli->piped || cli->opt.out,
                                      .color = cli->color_out &&
                                               (!cli->opt.out || strcmp(cli->opt.out, "-") == 0)};
    format_by_name(cli->opt.format)->write(&verdicts, &v->cli->out);
}

static int read_fail_on(struct verification *v)
{
    const struct options *o = &v->cli->opt;
    v->fail_on = o->strict ? SEVERITY_WARNING : SEVERITY_ERROR;
    if (!o->fail_on)
        return EXIT_AGREED;
    if (o->strict)
        return cli_usage(v->cli, "found --strict and --fail-on %s, expected one of them",
                         o->fail_on);
    v->fail_on = SEVERITY_NOTICE;
    while (v->fail_on <= SEVERITY_ERROR &&
           strcmp(severity_name((enum severity)v->fail_on), o->fail_on) != 0)
        v->fail_on++;
    return EXIT_AGREED;
}

static int read_version(struct verification *v)
{
    const char *wanted = v->cli->opt.rules, *list = "";
    size_t n;
    const struct rules_set *sets = rules_sets(&n);
    for (size_t i = 0; i < n; i++) {
        if (!wanted || strcmp(sets[i].version, wanted) == 0) {
            v->rules.version = wanted;
            return EXIT_AGREED;
        }
        list = arena_printf(&v->cli->arena, "%s%s, ", list, sets[i].version);
    }
    return cli_usage(v->cli, "--rules: found '%s', expected %sor list", wanted, list);
}

static int unknown_rule(struct verification *v, const char *word)
{
    const char *version = rules_version(&v->rules), *best = NULL;
    size_t n, nearest = 4;
    const struct rule *const *rules = rules_all(&n);
    for (size_t i = 0; i < n; i++)
        if (rules_name(version, rules[i]->id))
            cli_consider(word, rules[i]->id, &best, &nearest);
    if (best)
        return cli_usage(v->cli, "--only: rules %s have no '%s'; did you mean '%s'?", version, word,
                         best);
    return cli_usage(v->cli,
                     "--only: rules %s have no '%s', expected ids such as FP2003 or families "
                     "such as FP2; `fpreport explain` lists them",
                     version, word);
}

/* Is it the id of a rule about MLPerf results, or the beginning of one? */
static bool is_mlperf_rule_word(const char *word)
{
    size_t n;
    const struct mlperf_rule *const *rules = mlperf_rules(&n);
    for (size_t i = 0; strlen(word) > strlen("FP") && i < n; i++)
        if (text_starts(rules[i]->id, word))
            return true;
    return false;
}

static int read_only(struct verification *v)
{
    char *text = v->cli->opt.only ? arena_strdup(&v->cli->arena, v->cli->opt.only) : NULL;
    for (char *word = text; word;) {
        char *comma = strchr(word, ',');
        if (comma)
            *comma = '\0';
        if (!rules_name(rules_version(&v->rules), word) && !is_mlperf_rule_word(word))
            return unknown_rule(v, word);
        const char **to = ARENA_PUSH(&v->cli->arena, v->rules.only, v->rules.n_only);
        *to = word;
        word = comma ? comma + 1 : NULL;
    }
    return EXIT_AGREED;
}

static void verify_records(struct verification *v)
{
    struct project *p = &v->project;
    v->n = p->n_results;
    v->verdicts = arena_array(&v->cli->arena, v->n, sizeof *v->verdicts);
    duplicates_index(p);
    verify_many(p, &v->rules, p->results, v->n, &v->cli->arena, v->verdicts);
}

/* Without what the records know of models and cards many rules pass by in silence. */
static void note_records(struct verification *v)
{
    const struct project *p = &v->project;
    size_t n, without = 0;
    const struct rule *const *rules = rules_all(&n);
    for (size_t i = 0; i < n; i++)
        without += rules[i]->needs_records && rules_has(&v->rules, rules[i]);
    if (!p->n_models && !p->n_accelerators && without)
        cli_note(v->cli,
                 "no records of models and accelerators found at %s: %zu rules could not be "
                 "applied, or only in part (--records names their folder)",
                 p->root, without);
}

/* Says what was found, and what it comes to. */
static int finish_verification(struct verification *v)
{
    /* A verdict for which evidence could not be read accuses nobody. */
    for (size_t i = 0; i < v->n; i++) {
        struct err err = ERR_INIT;
        if (!v->verdicts[i].machine)
            continue;
        err_set(&err, ERR_IO, "%s; this verdict does not count", v->verdicts[i].machine);
        note_fault(v, v->verdicts[i].file, &err);
    }
    print_verdicts(v);
    for (size_t i = 0; i < v->n; i++)
        if (verdict_fails(&v->verdicts[i], v->fail_on))
            v->code = exit_worse(v->code, EXIT_CHECK);
    v->code = exit_worse(v->code, cli_diags(v->cli));
    return exit_worse(v->code, cli_deliver(v->cli));
}

static int run_mlperf(struct verification *v)
{
    int code = cli_verify_mlperf(v->cli, &v->rules, (size_t)v->cli->n_args, &v->verdicts, &v->n);
    return code ? code : finish_verification(v);
}

static int run_verify(struct cli *cli)
{
    struct verification v = {.cli = cli};
    if (cli->opt.rules && strcmp(cli->opt.rules, "list") == 0) {
        rules_list_text(&cli->out);
        return cli_deliver(cli);
    }
    if (read_fail_on(&v) || read_version(&v) || read_only(&v))
        return EXIT_USAGE;
    int mlperf = cli_mlperf_asked(cli);
    if (mlperf)
        return mlperf < 0 ? EXIT_USAGE : run_mlperf(&v);
    if (cli_sandbox(cli))
        return EXIT_IO;
    if (!cli->n_args && cli_need_project(cli))
        return EXIT_USAGE;
    if (cli->opt.shard)
        return cli_verify_shard(cli, &v.rules, v.fail_on);
    cli_load_records(cli, &v.project);
    if (cli->diags.machine) /* what is missing would be held against others */
        return cli_diags(cli);
    v.code = cli_flagperf(cli, &v.project);
    int unsure = cli_signers(cli, &v.project);
    if (unsure == 0)
        v.code = exit_worse(v.code, cli_archive(cli, &v.project));
    if (v.code == EXIT_IO || cli->diags.machine)
        unsure = EXIT_IO;
    if (unsure == 0)
        unsure = cli_verify_challenge(cli, &v.project);
    if (unsure)
        return exit_worse(unsure, cli_diags(cli));
    for (int i = 0; i < cli->n_args; i++)
        verify_what(&v, cli->args[i]);
    if (cli->n_args == 0)
        verify_records(&v);
    else
        verify_given(&v);
    note_records(&v);
    return finish_verification(&v);
}

static const enum option_id options[] = {OPTION_FORMAT,
                                         OPTION_OUT,
                                         OPTION_STRICT,
                                         OPTION_FAIL_ON,
                                         OPTION_ONLY,
                                         OPTION_SHARD,
                                         OPTION_RULES,
                                         OPTION_RULESET,
                                         OPTION_AGAINST,
                                         OPTION_VENDOR,
                                         OPTION_CASE,
                                         OPTION_RECORDS,
                                         OPTION_FLAGPERF,
                                         OPTION_SIGNERS,
                                         OPTION_REVOKED,
                                         OPTION_AT,
                                         OPTION_REQUIRE_LANDLOCK,
                                         OPTION_ARCHIVE,
                                         OPTION_CHALLENGE,
                                         OPTION_STEPS,
                                         OPTION_MINUTES,
                                         OPTION_CARDS,
                                         OPTION_ACCELERATOR,
                                         OPTION_MODEL,
                                         OPTION_END};

const struct command command_verify = {
    .name = "verify",
    .summary = "check records, pages, sealed submissions, or the logs of a run",
    .arguments = "[WHAT…]",
    .examples = "  fpreport verify                               all of records/results\n"
                "  fpreport verify --format sarif -o verify.sarif vendors/*/*/README.md\n"
                "  fpreport verify train.log --cards 8 --accelerator h100 --model llama2_7b\n",
    .details =
        "\nWHAT is VENDOR[/CASE], a folder, .json, .md, .tar.zst, .bundle.tar or .log file.\n",
    .options = options,
    .out_meaning = "write the verdicts to this file",
    .format = verdict_format_name,
    .max_arguments = -1,
    .run = run_verify,
};
