#include "cli/verify/diff_runs.h"

#include "base/figures/figure.h"
#include "base/figures/metrics.h"
#include "base/files/file.h"
#include "base/project/project.h"
#include "base/store/store.h"
#include "cli/archive/archive.h"
#include "cli/intake/inputs.h"
#include "verifier/diff/side.h"

#include <string.h>

static int add_diff_run(struct cli *cli, struct diff_runs *runs, struct diff_run run)
{
    if (runs->n == DIFF_RUNS_MAX)
        return cli_usage(cli, "%s: found more than %d runs, which is the limit", run.name,
                         DIFF_RUNS_MAX);
    struct diff_run *to = ARENA_PUSH(&cli->arena, runs->items, runs->n);
    *to = run;
    return 0;
}

static bool seen_before(const struct result *r, size_t k)
{
    for (size_t i = 0; i < k; i++)
        if (strcmp(r->evidence[i].archive, r->evidence[k].archive) == 0)
            return true;
    return false;
}

/* "globex/tiny_llama", with the rows when the result has several runs. */
static const char *name_of_diff_run(struct cli *cli, const char *id, const struct result *r,
                                    size_t k)
{
    const char *name = id, *between = " row ";
    size_t archives = 0;
    for (size_t i = 0; i < r->n_evidence; i++)
        archives += !seen_before(r, i);
    for (size_t i = k; archives > 1 && i < r->n_evidence; i++) {
        const struct evidence *e = &r->evidence[i];
        if (e->row == 0 || strcmp(e->archive, r->evidence[k].archive) != 0)
            continue;
        name = arena_printf(&cli->arena, "%s%s%lld.%lld", name, between, e->table, e->row);
        between = ", ";
    }
    return name;
}

/* What stands in the row's column of parallel plans, as "TP8PP4DP1"; NULL: nothing. */
static const char *run_plan(struct cli *cli, const struct result *r, const struct evidence *e)
{
    const struct table **tables;
    size_t n = result_figure_tables(r, &cli->arena, &tables);
    if (e->row < 1 || e->table < 1 || (size_t)e->table > n ||
        (size_t)e->row > tables[e->table - 1]->n_rows)
        return NULL;
    const struct table *t = tables[e->table - 1];
    const struct row *row = &t->rows[e->row - 1];
    for (size_t i = 0; i < t->n_columns && i < row->n_cells; i++) {
        const struct metrics_column *column = metrics_column(t->columns[i]);
        if (column && column->kind == COLUMN_PARALLEL && !figure_is_absent(&row->figures[i]))
            return row->cells[i].text;
    }
    return NULL;
}

/* The records, and the archive where submissions may be that are not among them. */
static int load_records(struct cli *cli, struct project *p)
{
    cli_load_records(cli, p);
    int unread = cli_archive(cli, p);
    return unread ? exit_worse(unread, cli_diags(cli)) : EXIT_AGREED;
}

static const char *path_of_run(struct cli *cli, const struct project *p, const struct evidence *e)
{
    const struct store_place at =
        store_place_of(p->store, p->root, e->archive, e->sha256, &cli->arena);
    return path_join(&cli->arena, at.folder, at.path);
}

int diff_runs_add(struct cli *cli, const char *word, struct diff_runs *runs)
{
    struct project project;
    const char *column = diff_side_column(word);
    const char *file =
        column ? arena_strndup(&cli->arena, word, (size_t)(column - word) - 1) : word;
    if (file_exists(file))
        return add_diff_run(cli, runs, (struct diff_run){word, word, NULL});
    int code = load_records(cli, &project);
    if (code)
        return code;
    const char *archived = cli_archive_find(cli, &project, word);
    if (archived)
        return add_diff_run(cli, runs, (struct diff_run){word, archived, NULL});
    const struct result *r = project_result_by_name(&project, word, &cli->arena);
    if (!r)
        return input_refuse(cli, word,
                            "a run, a submission, a log, a curve or VENDOR/CASE of the records");
    if (r->n_evidence == 0)
        return cli_usage(cli, "%s: the record names no submission, so it has no loss curve", word);
    for (size_t k = 0; code == 0 && k < r->n_evidence; k++)
        if (!seen_before(r, k))
            code = add_diff_run(cli, runs,
                                (struct diff_run){
                                    name_of_diff_run(cli, word, r, k),
                                    path_of_run(cli, &project, &r->evidence[k]),
                                    run_plan(cli, r, &r->evidence[k]),
                                });
    return code;
}

int diff_runs_reference(struct cli *cli, const char *word, struct diff_run *out)
{
    struct project project;
    const char *name = NULL;
    int code = load_records(cli, &project);
    if (code)
        return code;
    const struct result *r =
        file_exists(word) ? NULL : project_result_by_name(&project, word, &cli->arena);
    for (size_t i = 0; r && i < project.n_cases; i++)
        if (strcmp(project.cases[i].id, r->case_id) == 0 && project.cases[i].alignment)
            name = project.cases[i].alignment->reference;
    if (!r && !file_exists(word))
        return input_refuse(cli, word, "VENDOR/CASE of the records, or RUN REFERENCE");
    if (!name)
        return cli_usage(cli, "%s: its case names no reference curve; expected RUN REFERENCE",
                         word);
    *out = (struct diff_run){name, path_join(&cli->arena, project.root, name), NULL};
    return 0;
}
