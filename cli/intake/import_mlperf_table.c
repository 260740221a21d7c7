#include "cli/intake/import_mlperf_table.h"

#include "base/files/file.h"
#include "base/process/worker.h"
#include "base/text.h"
#include "cli/intake/mlperf_records.h"
#include "cli/mlperf_rulebook.h"
#include "collector/page/mlperf_table.h"
#include "verifier/mlperf/package/small_facts.h"

#include <stdlib.h>
#include <string.h>

struct grid_reading {
    const char *file;
    struct bytes bytes;
    struct arena *arena; /* the caller's */
    struct csv_grid *out;
    struct err *err;
    bool read;
};

struct table_import {
    struct cli *cli;
    const char *path;
    struct csv_grid grid;
    const struct mlperf_ruleset *rules;
    const char *round;
    struct mlperf_records there;
    struct mlperf_record *records;
    size_t n_records;
};

bool import_is_mlperf_table(const char *path)
{
    return text_ends(path, ".csv") || text_ends(path, ".tsv");
}

/* ---- the worker ---------------------------------------------------------------------------- */

static void answer_with_grid(void *context, size_t i, struct worker *w)
{
    const struct grid_reading *x = context;
    struct csv_grid grid;
    struct err err = ERR_INIT;
    (void)i;
    bool read = csv_grid_read(x->bytes, x->file, &w->arena, &grid, &err) == 0;
    pack_number(&w->answer, read);
    if (read)
        csv_grid_pack(&grid, &w->answer);
    else
        pack_text(&w->answer, err.text);
}

static bool take_grid(void *context, size_t i, const struct worker_end *end)
{
    struct grid_reading *x = context;
    struct unpack u = unpack_answer(end->answer.data, end->answer.len);
    (void)i;
    const char *why = NULL;
    if (end->outcome == WORKER_ANSWERED && unpack_choice(&u, 1))
        csv_grid_unpack(&u, x->arena, x->out);
    else if (end->outcome == WORKER_ANSWERED)
        why = unpack_words(&u);
    x->read = end->outcome == WORKER_ANSWERED && !why && unpack_end(&u);
    if (why && unpack_end(&u))
        err_set(x->err, ERR_INPUT, "%s", why);
    else if (!x->read)
        worker_fault(end, x->file, x->err);
    return false;
}

static int read_grid(struct table_import *in)
{
    struct err err = ERR_INIT;
    struct grid_reading x = {
        .file = in->path, .arena = &in->cli->arena, .out = &in->grid, .err = &err};
    if (file_read(in->path, CSV_GRID_BYTES_MAX, &in->cli->arena, &x.bytes, &err) < 0)
        return cli_fail(in->cli, &err);
    const struct worker_crew crew = {
        .context = &x, .packed = x.bytes.len, .work = answer_with_grid, .take = take_grid};
    worker_each(&crew, 1);
    return x.read ? EXIT_AGREED : cli_fail(in->cli, &err);
}

/* ---- the round ----------------------------------------------------------------------------- */

/* --ruleset, else the public ids of the table, else its path, else the newest, which is noted. */
static int choose_round_of_table(struct table_import *in)
{
    struct cli *cli = in->cli;
    struct mlperf_rulebook *book = arena_alloc(&cli->arena, sizeof *book);
    const char *id = mlperf_table_round(&in->grid, &cli->arena), *wanted = cli->opt.ruleset;
    enum mlperf_chosen how;
    int code = cli_mlperf_rulebook(cli, book);
    if (code)
        return code;
    if (!wanted && id)
        wanted = arena_printf(&cli->arena, "%s.0", id);
    struct mlperf_round_rules *round = mlperf_rulebook_choose(book, wanted, in->path, &how);
    if (!round)
        return cli_usage(cli, "%s: found round '%s', expected one of %s", in->path, wanted,
                         mlperf_rulebook_versions(book));
    in->rules = mlperf_rulebook_rules(book, round, &cli->diags);
    if (!in->rules)
        return exit_worse(cli_diags(cli), EXIT_INPUT);
    if (how == CHOSEN_AS_NEWEST)
        cli_note(cli,
                 "%s names no MLPerf round, so it was read as the table of %s (--ruleset chooses "
                 "another round)",
                 in->path, round->version);
    in->round = mlperf_round_named(&cli->arena, round->version);
    return EXIT_AGREED;
}

static const struct mlperf_table_benchmark *benchmarks_of_round(const struct table_import *in)
{
    const struct mlperf_ruleset *rules = in->rules;
    struct mlperf_table_benchmark *all =
        arena_array(&in->cli->arena, rules->n_benchmarks, sizeof *all);
    for (size_t i = 0; i < rules->n_benchmarks; i++) {
        const struct mlperf_benchmark *b = &rules->benchmarks[i];
        all[i] = (struct mlperf_table_benchmark){b->name, b->area, b->data, b->model};
    }
    return all;
}

/* ---- records ------------------------------------------------------------------------------- */

static bool is_same_or_unsaid(const char *a, const char *b)
{
    return !a || !b || strcmp(a, b) == 0;
}

/* Is the row of this system? A row that names no folder is known by what it says. */
static bool is_row_of(const struct mlperf_table_row *row, const struct mlperf_record *r)
{
    const struct mlperf_record *said = &row->record;
    if (strcmp(said->submitter, r->submitter) != 0 && strcmp(said->package, r->package) != 0)
        return false;
    if (row->named)
        return strcmp(said->system, r->system) == 0;
    return r->system_name && strcmp(said->system_name, r->system_name) == 0 &&
           strcmp(said->division, r->division) == 0 && said->nodes == r->nodes &&
           said->accelerators == r->accelerators &&
           is_same_or_unsaid(said->framework, r->framework);
}

static const struct mlperf_record *record_of_row(const struct table_import *in,
                                                 const struct mlperf_table_row *row)
{
    for (size_t i = 0; i < in->there.n; i++)
        if (is_row_of(row, &in->there.items[i]))
            return &in->there.items[i];
    return NULL;
}

/* A copy of what is there, with the minutes of the table. */
static void state_minutes(struct table_import *in, struct mlperf_record *to,
                          const struct mlperf_record *row)
{
    struct arena *arena = &in->cli->arena;
    const struct mlperf_score_record *old = to->results;
    size_t n_old = to->n_results;
    to->results = NULL;
    to->n_results = 0;
    for (size_t i = 0; i < n_old; i++)
        *(struct mlperf_score_record *)ARENA_PUSH(arena, to->results, to->n_results) = old[i];
    for (size_t i = 0; i < row->n_results; i++) {
        struct mlperf_score_record *score = mlperf_record_score(to, row->results[i].benchmark);
        if (!score) {
            *(struct mlperf_score_record *)ARENA_PUSH(arena, to->results, to->n_results) =
                row->results[i];
            continue;
        }
        score->minutes = row->results[i].minutes;
        score->published = true;
    }
}

static void take_table_row(struct table_import *in, const struct mlperf_table_row *row)
{
    const struct mlperf_record *there = record_of_row(in, row);
    struct mlperf_record *to = ARENA_PUSH(&in->cli->arena, in->records, in->n_records);
    const char *status = row->record.availability;
    *to = there ? *there : row->record;
    if (there) {
        state_minutes(in, to, &row->record);
        return;
    }
    const char *means = status ? mlperf_availability(status) : NULL;
    to->round = in->round;
    to->ruleset = in->rules->version;
    to->availability = means ? means : status;
}

int import_mlperf_table(struct cli *cli, const char *path)
{
    struct table_import in = {.cli = cli, .path = path};
    struct mlperf_table table;
    int code = read_grid(&in);
    if (!code)
        code = choose_round_of_table(&in);
    if (code)
        return code;
    if (mlperf_table_read(&in.grid, path, benchmarks_of_round(&in), in.rules->n_benchmarks,
                          &cli->arena, &table, &cli->diags) < 0)
        return exit_worse(cli_diags(cli), EXIT_INPUT);
    mlperf_records_load(cli, in.round, &in.there);
    for (size_t i = 0; i < table.n; i++)
        take_table_row(&in, &table.rows[i]);
    if (!in.n_records) {
        cli_diags(cli);
        return cli_usage(cli, "%s: found no results of a system", path);
    }
    cli_note(cli, "%zu systems of %s, with the published minutes", in.n_records, in.round);
    return exit_worse(mlperf_records_write(cli, in.records, in.n_records, NULL), cli_diags(cli));
}
