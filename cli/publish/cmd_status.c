#include "base/files/file.h"
#include "base/git/repo.h"
#include "base/text.h"
#include "cli/archive/archive.h"
#include "cli/build/build.h"
#include "cli/build/previous.h"
#include "cli/publish/changes.h"
#include "renderer/publish/branch.h"
#include "renderer/publish/site.h"

#include <string.h>

/* What a build would give now, beside the site that was built last. */
struct status {
    struct cli *cli;
    const char *root; /* of the site */
    bool is_built;
    struct publish_site site;
    struct publish_built built;
    struct verdict_doc was, now;
    size_t pending; /* things that somebody may do next */
};

static int take_emitted(void *self, const char *path, const void *data, size_t len, struct err *err)
{
    struct status *s = self;
    struct verdict_doc doc;
    if (publish_is_verdict(path) &&
        verdict_doc_read(arena_strdup(&s->cli->arena, path), (struct bytes){data, len},
                         &s->cli->arena, &doc, &s->cli->diags) == 0)
        publish_doc_add(&s->now, &doc, &s->cli->arena);
    return s->is_built ? publish_built_file(&s->built, path, data, len, err) : 0;
}

static int read_built(struct status *s)
{
    struct err err = ERR_INIT;
    struct arena *a = &s->cli->arena;
    s->is_built = file_exists(path_join(a, s->root, "index.html"));
    if (!s->is_built)
        return EXIT_AGREED;
    if (publish_site_load(&s->site, s->root, PUBLISH_LIST_MAX, a, &err) < 0)
        return cli_fail(s->cli, &err);
    for (size_t i = 0; i < s->site.n; i++) {
        struct verdict_doc doc;
        const char *path = path_join(a, s->root, s->site.files[i].path);
        if (publish_is_verdict(path) && verdict_doc_load(path, a, &doc, &s->cli->diags) == 0)
            publish_doc_add(&s->was, &doc, a);
    }
    publish_doc_finish(&s->was);
    s->built = (struct publish_built){.site = &s->site, .arena = a};
    return EXIT_AGREED;
}

/* ---- since the last build ------------------------------------------------------------------ */

static void tell_changes(struct status *s)
{
    struct buf *out = &s->cli->out;
    struct verdict_diff d;
    if (!s->is_built) {
        buf_printf(out, "%s: not built yet; `fpreport build`\n", s->root);
        s->pending++;
        return;
    }
    verdict_diff_make(&s->was, &s->now, &s->cli->arena, &d);
    size_t differ = s->built.differ + publish_built_gone(&s->built);
    if (!differ) {
        buf_printf(out, "%s: is up to date\n", s->root);
        return;
    }
    buf_printf(out, "%s: %s would change; `fpreport build`\n", s->root,
               text_count(&s->cli->arena, differ, "file", "files"));
    for (size_t i = 0; i < d.n_runs; i++) {
        buf_str(out, "  ");
        publish_changed_run(&d.runs[i], out);
    }
    s->pending++;
}

/* ---- what is pending ----------------------------------------------------------------------- */

/* The message of a publication ends with the sum of its site. */
static bool is_site_of(const char *message, const struct publish_site *site)
{
    const char *sum = message ? strstr(message, PUBLISH_SUM) : NULL;
    return sum && text_starts(sum + strlen(PUBLISH_SUM), site->sha256);
}

/* No repository is no error: not every site is published so. */
static void tell_branch(struct status *s)
{
    struct repo_branch *branch;
    struct err unsaid = ERR_INIT;
    struct cli *cli = s->cli;
    const char *name = build_previous_branch(cli);
    if (!s->is_built ||
        repo_branch_open(".", name, build_previous_remote(cli), &branch, &unsaid) < 0)
        return;
    const struct repo_branch_info *info = repo_branch_info(branch);
    if (!info->base) {
        buf_printf(&cli->out, "%s: nothing is published yet; `fpreport publish`\n", name);
        s->pending++;
    } else if (!is_site_of(info->message, &s->site)) {
        buf_printf(&cli->out, "%s %.12s: not the site in %s; `fpreport publish`\n", info->base_name,
                   info->base, s->root);
        s->pending++;
    }
    repo_branch_close(branch);
}

static bool is_evidence_of_any(const struct project *p, const char *object)
{
    const struct store_item *item = store_submission_of(&p->store->index, object);
    for (size_t i = 0; i < p->n_results; i++)
        for (size_t k = 0; k < p->results[i].n_evidence; k++) {
            const struct evidence *e = &p->results[i].evidence[k];
            if (strcmp(e->sha256, object) == 0 ||
                (item && e->run && strcmp(e->run, item->submission) == 0))
                return true;
        }
    return false;
}

/* Submissions without a result, and evidence that is not in the archive. */
static void tell_archive(struct status *s, const struct project *p)
{
    struct buf *out = &s->cli->out;
    for (size_t i = 0; p->store && i < p->store->log.n; i++) {
        const struct store_entry *e = &p->store->log.entries[i];
        if (strcmp(e->kind, STORE_ADDED) != 0 || is_evidence_of_any(p, e->object))
            continue;
        buf_printf(out,
                   "%.16s in %s: no result names this submission; `fpreport collect` drafts a "
                   "result\n",
                   e->submission, p->store->root);
        s->pending++;
    }
    for (size_t i = 0; p->store && i < p->n_results; i++)
        for (size_t k = 0; k < p->results[i].n_evidence; k++) {
            const struct evidence *e = &p->results[i].evidence[k];
            if (store_submission_of(&p->store->index, e->sha256))
                continue;
            const char *path = path_join(&s->cli->arena, p->root, e->archive);
            buf_printf(out, "%s: not in %s; `fpreport archive add %s`\n", path, p->store->root,
                       path);
            s->pending++;
        }
}

/* Names that results use, and that the records do not explain. */
static void tell_records(struct status *s, const struct project *p)
{
    for (size_t i = 0; i < p->n_results; i++) {
        const struct result *r = &p->results[i];
        bool vendor = project_vendor(p, r->vendor) != NULL;
        bool kase = project_case(p, r->case_id) != NULL;
        if (vendor && kase)
            continue;
        buf_printf(&s->cli->out, "%s/%s: no record of its %s; `fpreport new records`\n", r->vendor,
                   r->case_id,
                   vendor ? "case"
                   : kase ? "vendor"
                          : "vendor and case");
        s->pending++;
    }
}

static int tell_status(struct status *s)
{
    struct build b;
    struct err err = ERR_INIT;
    struct cli *cli = s->cli;
    int code = build_load(&b, cli, NULL, NULL);
    if ((code == EXIT_AGREED || code == EXIT_INPUT) && !b.refused) {
        if (build_emit(&b, take_emitted, s, &err) < 0)
            code = cli_fail(cli, &err);
        publish_doc_finish(&s->now);
        buf_printf(&s->cli->out, "%s%s",
                   text_count(&s->cli->arena, s->now.n_runs, "result", "results"),
                   s->now.n_runs ? ": " : "");
        publish_states(&s->now, &s->cli->out);
        buf_char(&s->cli->out, '\n');
        tell_changes(s);
        tell_branch(s);
        tell_archive(s, &b.project);
        tell_records(s, &b.project);
        if (!s->pending)
            buf_str(&cli->out, "nothing is pending\n");
    }
    build_close(&b);
    return code;
}

static int run_status(struct cli *cli)
{
    struct status s = {.cli = cli, .root = cli->n_args ? cli->args[0] : BUILD_DEFAULT_OUT};
    int code = cli_sandbox(cli) ? EXIT_IO : read_built(&s);
    if (code == EXIT_AGREED)
        code = tell_status(&s);
    return exit_worse(code, cli_diags(cli));
}

const struct command command_status = {
    .name = "status",
    .summary = "show what changed since the last build, and next steps",
    .arguments = "[SITE]",
    .examples = "  fpreport status\n",
    .details = "\n"
               "status compares SITE (site) with the site that build would make now, and prints\n"
               "which verdicts would change and how many files. Further lines suggest next\n"
               "steps, each with its command: publish the site, make results from archived\n"
               "submissions, archive the submissions in the records, make missing records.\n"
               "status writes no files, and exits with 0 whatever the states are.\n",
    .options =
        (const enum option_id[]){OPTION_RECORDS, OPTION_ARCHIVE, OPTION_FLAGPERF, OPTION_BRANCH,
                                 OPTION_PREVIOUS, OPTION_REQUIRE_LANDLOCK, OPTION_END},
    .max_arguments = 1,
    .needs_project = true,
    .run = run_status,
};
