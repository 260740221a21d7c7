#include "base/files/file.h"
#include "base/project/project.h"
#include "base/text.h"
#include "cli/cli.h"
#include "renderer/pages/page.h"
#include "verifier/checks/list.h"
#include "verifier/checks/rules.h"
#include "verifier/claims/duplicates.h"
#include "verifier/verify.h"

#include <string.h>

#define DEFAULT_OUT "pages"

/* Where pages go: files below a folder, or all of them to stdout. */
struct target {
    struct cli *cli;
    const char *folder; /* NULL: stdout */
    size_t written;
};

/* A file that says the same already is left as it is, with its time. */
static int emit(void *self, const char *path, const void *data, size_t len, struct err *err)
{
    struct target *t = self;
    struct bytes old;
    struct err missing = ERR_INIT;
    if (!t->folder) {
        buf_add(&t->cli->out, data, len);
        return 0;
    }
    const char *full = path_join(&t->cli->arena, t->folder, path);
    if (file_exists(full) &&
        file_read(full, BUF_DEFAULT_MAX, &t->cli->arena, &old, &missing) == 0 && old.len == len &&
        memcmp(old.data, data, len) == 0)
        return 0;
    t->written++;
    cli_detail(t->cli, "wrote %s", full);
    return file_write(full, data, len, err);
}

/* "nvidia/llama2_7b", or the path of a record file. */
static bool is_named_result(const struct result *r, const char *arg)
{
    size_t n = strlen(r->vendor);
    return (strncmp(arg, r->vendor, n) == 0 && arg[n] == '/' &&
            strcmp(arg + n + 1, r->case_id) == 0) ||
           (r->file && strcmp(arg, r->file) == 0);
}

static void add_page_entry(struct cli *cli, const struct project *p, const struct result *r,
                           struct pages *pages, struct page_entry **entries)
{
    struct verdict *v = arena_alloc(&cli->arena, sizeof *v);
    verify_result(p, NULL, r, NULL, &cli->arena, v);
    struct page_entry *e = ARENA_PUSH(&cli->arena, *entries, pages->n_entries);
    *e = (struct page_entry){r, v};
    pages->entries = *entries;
}

/* All results, or those that were named; 0, or an exit code after a message. */
static int choose_results(struct cli *cli, const struct project *p, struct pages *pages)
{
    struct page_entry *entries = NULL;
    for (size_t i = 0; cli->n_args == 0 && i < p->n_results; i++)
        add_page_entry(cli, p, &p->results[i], pages, &entries);
    for (int a = 0; a < cli->n_args; a++) {
        size_t i = 0;
        while (i < p->n_results && !is_named_result(&p->results[i], cli->args[a]))
            i++;
        if (i == p->n_results)
            return cli_usage(cli, "found no result \"%s\" in %s, expected VENDOR/CASE",
                             cli->args[a], p->root);
        add_page_entry(cli, p, &p->results[i], pages, &entries);
    }
    return 0;
}

static int render_markdown(struct cli *cli, const struct pages *pages, const char *out)
{
    struct err err = ERR_INIT;
    struct templates templates;
    struct target target = {.cli = cli, .folder = strcmp(out, "-") == 0 ? NULL : out};
    cli_templates(cli, &templates);
    if (pages_render(pages, &templates, &cli->arena, emit, &target, &err) < 0)
        return cli_fail(cli, &err);
    if (target.folder)
        cli_note(cli, "%zu results, %zu pages changed below %s", pages->n_entries, target.written,
                 out);
    return 0;
}

static int run_render(struct cli *cli)
{
    struct project project;
    const char *lang = cli->opt.lang;
    struct pages pages = {
        .project = &project,
        .tool = "fpreport " FPREPORT_VERSION ", rules " RULES_CURRENT,
        .langs = {[PAGE_ZH] = !lang || strcmp(lang, page_lang_name(PAGE_ZH)) == 0,
                  [PAGE_EN] = !lang || strcmp(lang, page_lang_name(PAGE_EN)) == 0},
        .results_only = cli->n_args > 0,
    };
    pages.messages = rules_messages(&cli->arena, &pages.n_messages);
    project_load(cli_records(cli), &project, &cli->arena, &cli->diags);
    duplicates_index(&project);
    int found = cli_diags(cli);
    if (found == EXIT_IO)
        return found;
    int code = choose_results(cli, &project, &pages);
    if (code == 0)
        code = render_markdown(cli, &pages, cli->opt.out ? cli->opt.out : DEFAULT_OUT);
    return exit_worse(found, code);
}

const struct command command_render = {
    .name = "render",
    .summary = "write Markdown pages of results and vendors, and an index",
    .arguments = "[VENDOR/CASE…]",
    .examples = "  fpreport render -o pages\n"
                "  fpreport render --lang en -o - nvidia/baichuan2_13b-deepspeed\n",
    .details = "render verifies the results and writes DIR/<vendor>/<case>/README.md in Chinese\n"
               "and README.en.md in English. Without VENDOR/CASE, render writes the pages of all\n"
               "results and vendors, and the index.\n",
    .options = (const enum option_id[]){OPTION_OUT, OPTION_LANG, OPTION_RECORDS, OPTION_END},
    .out_meaning = "write pages into this folder (" DEFAULT_OUT "); - prints them",
    .max_arguments = -1,
    .needs_project = true,
    .run = run_render,
};
