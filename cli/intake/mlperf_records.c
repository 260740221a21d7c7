#include "cli/intake/mlperf_records.h"

#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/git/repo.h"
#include "base/sealed/archive.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int import_write(struct cli *cli, const char *path, struct bytes text)
{
    struct err err = ERR_INIT;
    struct bytes old;
    if (cli->opt.dry_run && (cli->opt.force || !file_exists(path))) {
        buf_printf(&cli->out, "would %s %s\n", file_exists(path) ? "replace" : "write", path);
        return 0;
    }
    int rc = cli->opt.dry_run ? FILE_THERE
             : cli->opt.force ? file_write_there(path, text.data, text.len, &err)
                              : file_write_new(path, text.data, text.len, &err);
    if (rc == FILE_THERE) {
        if (file_read(path, ARCHIVE_PACKED_MAX, &cli->arena, &old, &err) == 0 &&
            old.len == text.len && memcmp(old.data, text.data, old.len) == 0)
            return 0;
        return cli_usage(cli, "%s: already exists and differs; --force replaces it", path);
    }
    if (rc < 0)
        return cli_fail(cli, &err);
    cli_detail(cli, "wrote %s", path);
    return 0;
}

#define DEFAULT_MLPERF_OUT "records/mlperf"

const char *mlperf_records_folder(const struct cli *cli)
{
    return cli->opt.out ? cli->opt.out : DEFAULT_MLPERF_OUT;
}

const char *mlperf_round_named(struct arena *arena, const char *version)
{
    size_t n = strlen(version) - (text_ends(version, ".0") ? 2 : 0);
    return arena_printf(arena, "v%.*s", (int)n, version);
}

/* ---- what is there ------------------------------------------------------------------------- */

void mlperf_records_load(struct cli *cli, const char *round, struct mlperf_records *out)
{
    struct arena *arena = &cli->arena;
    struct err none = ERR_INIT; /* no folder yet: nothing is there */
    const char **files,
        *folder = arena_printf(arena, "%s/results/%s", mlperf_records_folder(cli), round);
    size_t n;
    *out = (struct mlperf_records){NULL, 0};
    if (!file_is_dir(folder) || dir_walk(folder, arena, &files, &n, &none) < 0)
        return;
    for (size_t i = 0; i < n; i++) {
        struct mlperf_record r;
        const char *path = path_join(arena, folder, files[i]);
        if (!text_ends(path, ".json") ||
            shape_load_file(&mlperf_record_shape, path, &r, arena, &cli->diags) < 0)
            continue;
        r.file = path;
        *(struct mlperf_record *)ARENA_PUSH(arena, out->items, out->n) = r;
    }
}

const struct mlperf_record *mlperf_records_find(const struct mlperf_records *all,
                                                const char *package, const char *system)
{
    for (size_t i = 0; i < all->n; i++)
        if (strcmp(all->items[i].package, package) == 0 &&
            strcmp(all->items[i].system, system) == 0)
            return &all->items[i];
    return NULL;
}

struct mlperf_score_record *mlperf_record_score(const struct mlperf_record *r,
                                                const char *benchmark)
{
    for (size_t i = 0; i < r->n_results; i++)
        if (strcmp(r->results[i].benchmark, benchmark) == 0)
            return &r->results[i];
    return NULL;
}

void mlperf_record_keep_published(struct cli *cli, struct mlperf_record *made,
                                  const struct mlperf_record *there)
{
    for (size_t i = 0; there && i < there->n_results; i++) {
        const struct mlperf_score_record *stated = &there->results[i];
        struct mlperf_score_record *score = mlperf_record_score(made, stated->benchmark);
        if (!stated->published)
            continue;
        if (!score) {
            *(struct mlperf_score_record *)ARENA_PUSH(&cli->arena, made->results, made->n_results) =
                *stated;
            continue;
        }
        if (!mlperf_minutes_agree(stated, score->minutes ? strtod(score->minutes, NULL) : NAN))
            diags_add(&cli->diags, SEVERITY_WARNING, there->file, stated->line, 0,
                      "%s: the published time is %s min, but the logs give %s", stated->benchmark,
                      text_or_empty(stated->minutes), score->minutes ? score->minutes : "none");
        score->minutes = stated->minutes;
        score->published = true;
    }
}

/* ---- writing ------------------------------------------------------------------------------- */

static int write_mlperf_record(struct cli *cli, const struct shape *shape, const void *value,
                               const char *path)
{
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    shape_save_text(shape, value, &text);
    int code = import_write(cli, path, (struct bytes){text.data, text.len});
    buf_release(&text);
    return code;
}

/* What git says of the packages: where they are published, and which commit was read. */
static int write_round(struct cli *cli, const struct mlperf_record *first, const char *path)
{
    struct arena *arena = &cli->arena;
    struct repo_info git;
    const char *file =
        arena_printf(arena, "%s/rounds/%s.json", mlperf_records_folder(cli), first->round);
    struct mlperf_round_record round = {
        .round = first->round,
        .ruleset = first->ruleset,
        .title = arena_printf(arena, "MLPerf Training %s", first->round),
    };
    if (path && repo_describe(path, arena, &git) && git.url &&
        strstr(git.url, "training_results")) {
        round.repository = git.url;
        round.commit = git.commit;
    }
    return file_exists(file) ? EXIT_AGREED
                             : write_mlperf_record(cli, &mlperf_round_shape, &round, file);
}

int mlperf_records_write(struct cli *cli, const struct mlperf_record *records, size_t n,
                         const char *path)
{
    int code = write_round(cli, &records[0], path);
    for (size_t i = 0; i < n; i++) {
        const struct mlperf_record *r = &records[i];
        const char *file =
            arena_printf(&cli->arena, "%s/results/%s/%s/%s.json", mlperf_records_folder(cli),
                         r->round, r->package, r->system);
        code = exit_worse(code, write_mlperf_record(cli, &mlperf_record_shape, r, file));
    }
    cli_detail(cli, "%zu systems of %s", n, records[0].round);
    return code;
}
