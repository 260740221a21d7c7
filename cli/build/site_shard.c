#include "cli/build/site_shard.h"

#include "base/files/dir.h"
#include "base/json/shape.h"
#include "renderer/output/list.h"
#include "renderer/output/outdir.h"
#include "verifier/checks/rules.h"

#include <string.h>

#define SITE_SHARD_SCHEMA "fpreport.site-shard/1"

/* The file that says which part it is. */
struct site_part {
    int line, number, of, code;
    const char *tool, *rules, *list;
};

static const struct field part_fields[] = {
    FIELD(PLACE, struct site_part, number, .required = true),
    FIELD(PLACE, struct site_part, of, .required = true),
    FIELD(TEXT, struct site_part, tool, .required = true),
    FIELD(TEXT, struct site_part, rules, .required = true),
    FIELD(SHA256, struct site_part, list, .required = true),
    FIELD(PLACE, struct site_part, code),
};

static const struct shape part_shape =
    SHAPE("part", struct site_part, part_fields, .schema = SITE_SHARD_SCHEMA);

/* ---- one part ------------------------------------------------------------------------------ */

int site_shard_begin(struct build *b)
{
    struct err err = ERR_INIT;
    const struct options *o = &b->cli->opt;
    if (!o->shard)
        return EXIT_AGREED;
    if (!o->verdicts)
        return cli_usage(b->cli, "--shard needs --verdicts, because all parts of a site must show "
                                 "the same verdicts");
    b->shard = arena_alloc(&b->cli->arena, sizeof *b->shard);
    if (shard_read(o->shard, b->shard, &err) < 0 ||
        shard_list(b->shard, cli_records(b->cli), &b->cli->arena, &err) < 0)
        return cli_fail(b->cli, &err);
    return EXIT_AGREED;
}

bool site_shard_has(const struct build *b, const char *path)
{
    const char *slash = strrchr(path, '/');
    return !b->shard ||
           shard_number(path, slash ? (size_t)(slash - path) : 0, b->shard->of) == b->shard->number;
}

static bool is_of_other_part(void *self, const char *path, const struct reuse_key *key)
{
    (void)key;
    return !site_shard_has(self, path);
}

/* As if the files of the other shards were there from the last build. */
void site_shard_skip(struct build *b)
{
    if (!b->shard)
        return;
    b->reuse.od = b->od;
    b->reuse.results = arena_array(&b->cli->arena, b->project.n_results, sizeof *b->reuse.results);
    b->reuse.reuse = (struct reuse){.results = b->reuse.results,
                                    .keeps = is_of_other_part,
                                    .keeps_folder = is_of_other_part,
                                    .self = b};
}

int site_shard_emit(struct build *b, int code, file_sink *emit, void *self, struct err *err)
{
    struct buf text;
    if (!b->shard)
        return 0;
    const struct site_part part = {.number = (int)b->shard->number,
                                   .of = (int)b->shard->of,
                                   .tool = FPREPORT_VERSION,
                                   .rules = RULES_CURRENT,
                                   .list = b->shard->list,
                                   .code = code};
    buf_init(&text, BUF_DEFAULT_MAX);
    shape_save_text(&part_shape, &part, &text);
    int rc = emit(self, SITE_SHARD_NAME, text.data, text.len, err);
    buf_release(&text);
    return rc;
}

/* ---- joined -------------------------------------------------------------------------------- */

struct joining {
    struct cli *cli;
    struct outdir *od;
    struct site_part first;
    const char **folders; /* by number; NULL: not there */
    size_t n;
    int code;
};

static int read_part(struct joining *j, const char *folder)
{
    struct cli *cli = j->cli;
    struct site_part part;
    const char *path = path_join(&cli->arena, folder, SITE_SHARD_NAME);
    if (shape_load_file(&part_shape, path, &part, &cli->arena, &cli->diags) < 0)
        return exit_worse(cli_diags(cli), EXIT_USAGE);
    if (!j->n) {
        j->first = part;
        j->n = part.of > 0 && part.of <= SHARDS_MAX ? (size_t)part.of : 0;
        j->folders = arena_array(&cli->arena, j->n, sizeof *j->folders);
    }
    bool same = part.of == j->first.of && strcmp(part.tool, j->first.tool) == 0 &&
                strcmp(part.rules, j->first.rules) == 0 && strcmp(part.list, j->first.list) == 0;
    if (!same || !j->n || (size_t)part.number >= j->n || j->folders[part.number])
        return cli_usage(cli,
                         "%s: part %d of %d does not fit the other parts, expected %d different "
                         "parts with the same records, rules and version: build this part again",
                         path, part.number, part.of, j->first.of);
    j->folders[part.number] = folder;
    j->code = exit_worse(j->code, part.code);
    return EXIT_AGREED;
}

static int read_all_parts(struct joining *j)
{
    struct cli *cli = j->cli;
    struct dir_entry *entries;
    size_t n;
    struct err err = ERR_INIT;
    if (dir_list(cli->opt.join, &cli->arena, &entries, &n, &err) < 0)
        return err.kind == ERR_INPUT ? cli_usage(cli, "--join: %s", err.text) : cli_fail(cli, &err);
    for (size_t i = 0; i < n; i++) {
        const char *folder = path_join(&cli->arena, cli->opt.join, entries[i].name);
        bool is_part =
            entries[i].is_dir && file_exists(path_join(&cli->arena, folder, SITE_SHARD_NAME));
        int code = is_part ? read_part(j, folder) : EXIT_AGREED;
        if (code)
            return code;
    }
    for (size_t i = 0; i < j->n; i++)
        if (!j->folders[i])
            return cli_usage(cli, "%s: found no part %zu of %zu, expected all of them",
                             cli->opt.join, i, j->n);
    return j->n ? EXIT_AGREED
                : cli_usage(cli,
                            "%s: found no part of a site, expected the parts that `build "
                            "--shard` made",
                            cli->opt.join);
}

static int join_file(struct joining *j, const char *folder, const struct outdir_file *f,
                     struct err *err)
{
    struct arena own = ARENA_INIT;
    struct bytes bytes;
    char hex[HASH_HEX_SIZE];
    int rc = file_read(path_join(&own, folder, f->path), OUTDIR_FILE_MAX, &own, &bytes, err);
    if (rc == 0) {
        hash_sha256(bytes.data, bytes.len, hex);
        if (strcmp(hex, f->digest) != 0)
            rc = err_set(err, ERR_USAGE,
                         "%s/%s: the file was changed after the part was built; "
                         "build the part again",
                         folder, f->path);
    }
    if (rc == 0)
        rc = outdir_add(j->od, f->path, bytes.data, bytes.len, err);
    arena_release(&own);
    return rc;
}

static int join_files(struct joining *j, struct outdir_stats *stats)
{
    struct err err = ERR_INIT;
    int rc = outdir_begin(j->od, &err);
    for (size_t i = 0; i < j->n && rc == 0; i++) {
        struct outdir_list list;
        rc = outdir_list_load(&list, j->folders[i], &j->cli->arena, &err);
        for (size_t k = 0; rc == 0 && k < list.n; k++)
            if (strcmp(list.files[k].path, SITE_SHARD_NAME) != 0)
                rc = join_file(j, j->folders[i], &list.files[k], &err);
    }
    if (rc == 0)
        rc = outdir_finish(j->od, stats, &j->cli->diags, &err);
    if (rc == 0)
        return cli_diags(j->cli);
    outdir_abandon(j->od);
    return cli_fail(j->cli, &err);
}

int site_shards_join(struct cli *cli, const char *out)
{
    struct err err = ERR_INIT;
    struct outdir od;
    struct outdir_stats stats;
    struct joining j = {.cli = cli, .od = &od};
    int code = read_all_parts(&j);
    if (code)
        return code;
    if (file_mkdirs_for(out, &err) < 0 || outdir_lock(&od, out, &err) < 0)
        return cli_fail(cli, &err);
    code = join_files(&j, &stats);
    outdir_close(&od);
    if (!code && !cli->opt.quiet)
        buf_printf(&cli->out, "%s: %zu parts, %zu files written, %zu unchanged, %zu removed\n", out,
                   j.n, stats.written, stats.unchanged, stats.removed);
    return exit_worse(code, j.code);
}
