#include "cli/intake/new_records.h"
#include "cli/intake/scaffold.h"

#include "base/files/file.h"
#include "base/project/project.h"
#include "base/records/facts.h"
#include "collector/submission/draft.h"
#include "renderer/pages/view.h"

#include <stdlib.h>
#include <string.h>

/* What a new project begins with: a result that trains in seconds, and its evidence. */
#define SAMPLE_VENDOR "fpreport"
#define SAMPLE_CASE "tiny_llama"
#define SAMPLE SAMPLE_VENDOR "/" SAMPLE_CASE

struct making {
    struct cli *cli;
    struct scaffold folder;
    const char *records; /* that files are copied from */
    struct project project;
};

/* ---- files of the records -------------------------------------------------------------- */

static int copy_own_record(struct making *m, const char *path, struct err *err)
{
    struct arena *a = &m->cli->arena;
    return scaffold_copy(&m->folder, path_join(a, m->records, path), path_join(a, "records", path),
                         err);
}

static int copy_if_there(struct making *m, const char *path, struct err *err)
{
    return file_exists(path_join(&m->cli->arena, m->records, path)) ? copy_own_record(m, path, err)
                                                                    : 0;
}

/* The case with what it names. */
static int copy_case(struct making *m, const struct case_record *c, struct err *err)
{
    struct arena *a = &m->cli->arena;
    if (copy_own_record(m, arena_printf(a, "cases/%s.json", c->id), err) < 0 ||
        copy_if_there(m, arena_printf(a, "models/%s.json", c->model), err) < 0)
        return -1;
    const char *reference = c->alignment ? c->alignment->reference : NULL;
    return reference ? copy_if_there(m, reference, err) : 0;
}

static int copy_accelerators(struct making *m, const char *vendor, struct err *err)
{
    for (size_t i = 0; i < m->project.n_accelerators; i++) {
        const struct accelerator *x = &m->project.accelerators[i];
        if (strcmp(x->vendor, vendor) == 0 &&
            copy_own_record(m, arena_printf(&m->cli->arena, "accelerators/%s.json", x->id), err) <
                0)
            return -1;
    }
    return 0;
}

static void load_own_records(struct making *m, const char *records)
{
    m->records = records;
    project_load(records, &m->project, &m->cli->arena, &m->cli->diags);
}

/* ---- a project ------------------------------------------------------------------------- */

static int fill_project(struct making *m, struct err *err)
{
    const struct scaffold_word words[] = {
        {"@NAME@", page_line(&m->cli->arena, path_base(m->folder.target))},
        {"@SAMPLE@", SAMPLE},
        {"@CASE@", SAMPLE_CASE},
    };
    const struct result *r = project_result_by_name(&m->project, SAMPLE, &m->cli->arena);
    if (!r)
        return err_set(err, ERR_INPUT, "%s: found no result " SAMPLE ", which is the sample",
                       m->records);
    if (scaffold_templates(&m->folder, "project", words, sizeof words / sizeof *words, err) < 0)
        return -1;
    struct arena *a = &m->cli->arena;
    const struct case_record *c = project_case(&m->project, r->case_id);
    if (!c)
        return err_set(err, ERR_INPUT, "%s: found no case %s, expected the sample's", m->records,
                       r->case_id);
    if (copy_own_record(m, arena_printf(a, "vendors/%s.json", r->vendor), err) < 0 ||
        copy_own_record(m, arena_printf(a, "results/%s/%s.json", r->vendor, r->case_id), err) < 0 ||
        copy_case(m, c, err) < 0 || copy_accelerators(m, r->vendor, err) < 0)
        return -1;
    for (size_t i = 0; i < r->n_evidence; i++)
        if (copy_own_record(m, r->evidence[i].archive, err) < 0)
            return -1;
    return 0;
}

static void say_next_of_new(struct making *m, const char *const *commands, size_t n)
{
    struct buf *out = &m->cli->out;
    if (m->cli->opt.quiet)
        return;
    buf_printf(out, "%s: %zu files; its README.md says more. Next:\n", m->folder.target,
               m->folder.n);
    for (size_t i = 0; i < n; i++)
        buf_printf(out, "  %s\n", commands[i]);
}

/* 'It'\''s' where a shell needs it. */
static const char *shell_quoted_text(struct cli *cli, const char *text)
{
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    if (text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-/")] ==
        '\0')
        return text;
    buf_char(&out, '\'');
    for (; *text; text++)
        buf_str(&out, *text == '\'' ? "'\\''" : (char[]){*text, '\0'});
    buf_char(&out, '\'');
    return buf_text(&out, &cli->arena);
}

static int new_project(struct making *m)
{
    struct cli *cli = m->cli;
    struct err err = ERR_INIT;
    load_own_records(m, path_join(&cli->arena, cli_datadir(cli), "records"));
    int loaded = cli_diags(cli);
    if (loaded != EXIT_AGREED)
        return loaded;
    if (scaffold_open(&m->folder, cli, cli->args[1], &err) < 0)
        return cli_fail(cli, &err);
    if (fill_project(m, &err) < 0) {
        scaffold_abort(&m->folder);
        return cli_fail(cli, &err);
    }
    if (scaffold_commit(&m->folder, &err) < 0)
        return cli_fail(cli, &err);
    const char *const next[] = {
        arena_printf(&cli->arena, "cd %s", shell_quoted_text(cli, m->folder.target)),
        "fpreport build",
        "fpreport verify records/results/" SAMPLE ".json",
    };
    say_next_of_new(m, next, sizeof next / sizeof *next);
    return EXIT_AGREED;
}

/* ---- a submission ---------------------------------------------------------------------- */

struct submission_plan {
    const char *vendor;
    const struct case_record *kase;
    const char *dir;
};

static int unknown_case(struct making *m, const char *id)
{
    const char *best = NULL;
    size_t nearest = 4;
    for (size_t i = 0; i < m->project.n_cases; i++)
        cli_consider(id, m->project.cases[i].id, &best, &nearest);
    if (best)
        return cli_usage(m->cli, "found no case '%s' in %s; did you mean '%s'?", id, m->records,
                         best);
    return cli_usage(m->cli, "found no case '%s' in %s/cases", id, m->records);
}

static int read_plan(struct making *m, struct submission_plan *p)
{
    struct cli *cli = m->cli;
    const char *name = cli->args[1], *slash = strchr(name, '/');
    const char *vendor = slash ? arena_strndup(&cli->arena, name, (size_t)(slash - name)) : "";
    if (!shape_is_id(vendor) || !shape_is_id(slash + 1))
        return cli_usage(cli,
                         "found '%s', expected VENDOR/CASE, such as acme/tiny_llama, each an id of "
                         "letters (a-z, A-Z), digits and . _ + -",
                         name);
    p->vendor = vendor;
    p->kase = project_case(&m->project, slash + 1);
    if (!p->kase)
        return unknown_case(m, slash + 1);
    p->dir =
        cli->n_args > 2 ? cli->args[2] : arena_printf(&cli->arena, "%s-%s", vendor, p->kase->id);
    return EXIT_AGREED;
}

/* One that is not known yet: its name is its id until somebody writes it. */
static int add_new_vendor(struct making *m, const char *id, struct err *err)
{
    const struct vendor *known = project_vendor(&m->project, id);
    const char *path = arena_printf(&m->cli->arena, "vendors/%s.json", id);
    struct vendor v;
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    if (known)
        return copy_own_record(m, path, err);
    shape_init(&vendor_shape, &v);
    v.id = v.name.zh = v.heading = id;
    shape_save_text(&vendor_shape, &v, &text);
    int rc = scaffold_add(&m->folder, path_join(&m->cli->arena, "records", path), text.data,
                          text.len, err);
    buf_release(&text);
    return rc;
}

/* The record that `collect` would draft, of a run of which nothing is known: every field is there,
 * and missing. */
static int add_draft(struct making *m, const struct submission_plan *p, struct err *err)
{
    static const struct metric figures[] = {
        {.name = "token_per_s_per_card", .found = &figure_missing},
        {.name = "loss", .found = &figure_missing},
        {.name = "memory", .found = &figure_missing},
        {.name = "mfu", .found = &figure_missing}};
    const struct facts none = {0};
    const struct case_parallel *plan = p->kase->parallel;
    const struct layout_source laid = {.size[LAYOUT_CARDS] =
                                           plan ? (plan->tensor ? plan->tensor : 1) *
                                                      (plan->pipeline ? plan->pipeline : 1) *
                                                      (plan->data ? plan->data : 1)
                                                : 0};
    const struct draft_input in = {.vendor_id = p->vendor,
                                   .vendor = project_vendor(&m->project, p->vendor),
                                   .case_record = p->kase,
                                   .model = project_model(&m->project, p->kase->model),
                                   .facts = &none,
                                   .laid = &laid,
                                   .metrics = figures,
                                   .n_metrics = sizeof figures / sizeof *figures};
    struct result r;
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    draft_result(&in, &m->cli->arena, &r);
    for (size_t g = 0; g < r.environments[0].n_groups; g++)
        for (size_t i = 0; i < r.environments[0].groups[g].n_items; i++)
            r.environments[0].groups[g].items[i].value = "";
    shape_save_text(&result_shape, &r, &text);
    int rc = scaffold_add(
        &m->folder,
        arena_printf(&m->cli->arena, "records/results/%s/%s.json", p->vendor, p->kase->id),
        text.data, text.len, err);
    buf_release(&text);
    return rc;
}

static int fill_submission(struct making *m, const struct submission_plan *p, struct err *err)
{
    const struct scaffold_word words[] = {{"@VENDOR@", p->vendor}, {"@CASE@", p->kase->id}};
    if (scaffold_templates(&m->folder, "submission", words, 2, err) < 0 ||
        copy_case(m, p->kase, err) < 0 || add_new_vendor(m, p->vendor, err) < 0 ||
        copy_accelerators(m, p->vendor, err) < 0)
        return -1;
    return add_draft(m, p, err);
}

static int new_submission(struct making *m)
{
    struct cli *cli = m->cli;
    struct err err = ERR_INIT;
    struct submission_plan p = {0};
    load_own_records(m, cli_records(cli));
    int code = cli_diags(cli); /* what is malformed is not copied */
    if (code != EXIT_IO)
        code = read_plan(m, &p);
    if (code)
        return code;
    if (scaffold_open(&m->folder, cli, p.dir, &err) < 0)
        return cli_fail(cli, &err);
    if (fill_submission(m, &p, &err) < 0) {
        scaffold_abort(&m->folder);
        return cli_fail(cli, &err);
    }
    if (scaffold_commit(&m->folder, &err) < 0)
        return cli_fail(cli, &err);
    const char *const next[] = {
        arena_printf(&cli->arena, "cd %s", shell_quoted_text(cli, m->folder.target)),
        arena_printf(&cli->arena, "run=$(fpreport -q train %s)", p.kase->id),
        arena_printf(&cli->arena, "fpreport collect \"$run\" --vendor %s -o records --force",
                     p.vendor),
        arena_printf(&cli->arena, "fpreport verify records/results/%s/%s.json", p.vendor,
                     p.kase->id),
    };
    say_next_of_new(m, next, sizeof next / sizeof *next);
    return EXIT_AGREED;
}

static int run_new_project(struct cli *cli)
{
    struct making m = {.cli = cli};
    return new_project(&m);
}

static int run_new_submission(struct cli *cli)
{
    struct making m = {.cli = cli};
    return new_submission(&m);
}

static const enum option_id options[] = {OPTION_RECORDS, OPTION_END};

static const struct action actions[] = {
    {.name = "project",
     .arguments = "DIR",
     .summary = "make the folder of a benchmark project",
     .details = "\n"
                "A project is a folder of records: a sample result with its evidence, a README\n"
                "and an example for CI. DIR must not exist, or must be empty, because 'new\n"
                "project' overwrites nothing.\n",
     .options = options,
     .least = 1,
     .most = 1,
     .run = run_new_project},
    {.name = "submission",
     .arguments = "VENDOR/CASE [DIR]",
     .summary = "make the folder of a vendor's submission",
     .details = "\n"
                "'new submission' makes a folder with a draft of the result that explains every\n"
                "field, the case, and the commands in order. DIR (VENDOR-CASE) must not exist, or\n"
                "must be empty, because nothing is overwritten. docs/VENDOR.md explains each\n"
                "step.\n",
     .options = options,
     .least = 1,
     .most = 2,
     .run = run_new_submission},
    {.name = "records",
     .arguments = "",
     .summary = "make the records that results need and records/ lacks",
     .details = "\n"
                "Run 'new records' after an import. It makes the records that the results need\n"
                "and records/ lacks: vendors with their cards, and cases with their models.\n"
                "fpreport copies the records that it ships, drafts the others from the results,\n"
                "and prints the names of these drafts.\n",
     .options = options,
     .run = new_records},
    {.name = NULL},
};

const struct command command_new = {
    .name = "new",
    .summary = "begin a project or a submission, or make missing records",
    .arguments = "project DIR | submission VENDOR/CASE [DIR] | records",
    .examples = "  fpreport new project my-benchmark\n"
                "  fpreport new submission acme/tiny_llama        in acme-tiny_llama/\n"
                "  fpreport new records                           those that results name\n",
    .options = options,
    .actions = actions,
};
