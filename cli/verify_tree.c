#include "cli/verify_tree.h"

#include "base/file.h"
#include "base/text.h"
#include "collector/import.h"
#include "verifier/verify.h"

#include <stdlib.h>
#include <string.h>

bool cli_is_log(struct cli *cli, const char *path)
{
    return verify_is_log(path, &cli->arena);
}

/* "2" or "1.2" behind '#': a row of the only table, or of a table. */
static bool read_row(const char *text, struct verify_against *out)
{
    char *end;
    long first = strtol(text, &end, 10), second = 0;
    bool pair = end != text && *end == '.';
    if (pair)
        second = strtol(end + 1, &end, 10);
    if (*end || first < 1 || first > 100000 || (pair && (second < 1 || second > 100000)))
        return false;
    out->table = pair ? (int)first : 0;
    out->row = (int)(pair ? second : first);
    return true;
}

static const struct result *find_result(const struct project *p, const char *name, size_t n)
{
    for (size_t i = 0; i < p->n_results; i++) {
        const struct result *r = &p->results[i];
        size_t vendor = strlen(r->vendor);
        if (vendor < n && strncmp(name, r->vendor, vendor) == 0 && name[vendor] == '/' &&
            strlen(r->case_id) == n - vendor - 1 &&
            strncmp(name + vendor + 1, r->case_id, n - vendor - 1) == 0)
            return r;
    }
    return NULL;
}

/* A record or a published page on disk. */
static const struct result *read_result(struct cli *cli, const char *path)
{
    struct result *r = arena_alloc(&cli->arena, sizeof *r);
    struct err err = ERR_INIT;
    struct bytes page;
    const char *vendor = "unnamed", *case_id = "page";
    r->file = path;
    if (text_ends(path, ".json"))
        return shape_load_file(&result_shape, path, r, &cli->arena, &cli->diags) < 0 ? NULL : r;
    if (!import_path_ids(path, &cli->arena, &vendor, &case_id) && cli->opt.case_id)
        case_id = cli->opt.case_id;
    if (file_read(path, IMPORT_PAGE_MAX, &cli->arena, &page, &err) < 0) {
        diags_add_err(&cli->diags, path, 0, 0, &err);
        return NULL;
    }
    if (import_page(page.data, page.len, path, vendor, case_id, &cli->arena, r, &cli->diags) < 0)
        return NULL;
    r->file = path;
    return r;
}

/* --against VENDOR/CASE[#[TABLE.]ROW] or a file, --case ID. */
static int read_options(struct cli *cli, const struct project *project, struct verify_against *out)
{
    const char *name = cli->opt.against, *kase = cli->opt.case_id;
    size_t n = name ? strcspn(name, "#") : 0;
    if (kase && !(out->kase = project_case(project, kase)))
        return cli_usage(cli, "--case %s: found no such case in %s/cases", kase, project->root);
    if (!name)
        return 0;
    const char *what = arena_strndup(&cli->arena, name, n);
    bool file = text_ends(what, ".md") || text_ends(what, ".json");
    out->result = file ? read_result(cli, what) : find_result(project, name, n);
    if (!out->result && file)
        return exit_worse(EXIT_INPUT, cli_diags(cli));
    if (!out->result)
        return cli_usage(cli,
                         "--against %s: found no such result, expected VENDOR/CASE, a page "
                         "(.md) or a record (.json)",
                         name);
    if (name[n] && !read_row(name + n + 1, out))
        return cli_usage(cli, "--against %s: expected a row behind '#', as 2 or 1.2", name);
    return 0;
}

int cli_verify_tree(struct cli *cli, const struct project *project, const struct rules *rules,
                    const char *path, struct verdict **verdicts, size_t *n)
{
    struct verify_against against = {.rules = rules};
    struct err err = ERR_INIT;
    int code = read_options(cli, project, &against);
    if (code)
        return code;
    if (verify_tree(project, path, &against, &cli->arena, verdicts, n, &cli->diags, &err) < 0)
        return cli_fail(cli, &err);
    return 0;
}
