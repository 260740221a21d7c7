#include "cli/shards/verify_shard.h"

#include "base/files/file.h"
#include "base/json/shape_pack.h"
#include "base/project/project.h"
#include "base/project/shard.h"
#include "base/signing/hash.h"
#include "base/store/store.h"
#include "base/text.h"
#include "cli/archive/archive.h"
#include "cli/sign.h"
#include "verifier/checks/rules.h"
#include "verifier/claims/duplicates.h"
#include "verifier/shard_doc.h"
#include "verifier/verdicts/shape.h"
#include "verifier/verdicts/verdicts.h"
#include "verifier/verify.h"

#include <string.h>

#define BATCH 256                    /* results whose verdicts are in memory at a time */
#define KEPT_BYTES ((size_t)1 << 20) /* written at once */

struct sharding {
    struct cli *cli;
    const struct rules *rules;
    struct shard shard;
    struct shard_head head;
    struct project project;
    struct arena texts; /* of its records, until they are loaded */
    struct file_cache file, kept;
    struct buf packed, kept_text; /* one verdict; those that are not written yet */
    struct hash kept_hash;
    bool to_file;
    struct shard_writer writer;
    struct lent_list lent; /* by results, then by evidence */
    struct shard_path *paths;
    size_t n_paths;
    int code;
};

/* ---- what verdicts depend on beside the records -------------------------------------------- */

static const char *sum_of_file(struct cli *cli, const char *path)
{
    char hex[HASH_HEX_SIZE];
    struct err ignored = ERR_INIT;
    return path && hash_file(path, (size_t)1 << 30, hex, &ignored) == 0
               ? arena_strdup(&cli->arena, hex)
               : "none";
}

const char *cli_shard_settings(struct cli *cli)
{
    const struct options *o = &cli->opt;
    struct err ignored = ERR_INIT;
    const char *root = "";
    cli_archive_root(cli, &root, &ignored);
    return arena_printf(
        &cli->arena, "records %s; flagperf %s; signers %s; revoked %s; at %s; archive %s",
        cli_records(cli), o->flagperf ? o->flagperf : "none", sum_of_file(cli, o->signers),
        sum_of_file(cli, o->revoked), o->at ? o->at : "now",
        sum_of_file(cli, path_join(&cli->arena, root ? root : "", STORE_LOG_NAME)));
}

static int read_shard(struct sharding *s, int fail_on)
{
    struct cli *cli = s->cli;
    struct err err = ERR_INIT;
    if (cli->n_args)
        return cli_usage(cli,
                         "--shard: found %s, expected no argument, because a shard is a part "
                         "of all results",
                         cli->args[0]);
    if (!cli_wants_json(cli) || cli->opt.challenge)
        return cli_usage(cli, "--shard needs --format json, and takes no --challenge");
    if (shard_read(cli->opt.shard, &s->shard, &err) < 0)
        return cli_fail(cli, &err);
    s->shard.texts = &s->texts;
    if (shard_list(&s->shard, cli_records(cli), &cli->arena, &err) < 0)
        return cli_fail(cli, &err);
    if (s->shard.n_results > SHARD_RESULTS_MAX)
        return cli_usage(cli,
                         "--shard %s: found %zu results in it, expected at most %zu: divide the "
                         "records into more shards",
                         cli->opt.shard, s->shard.n_results, SHARD_RESULTS_MAX);
    s->head = (struct shard_head){.number = (int)s->shard.number,
                                  .of = (int)s->shard.of,
                                  .tool = FPREPORT_VERSION,
                                  .rules = rules_version(s->rules),
                                  .only = rules_only_text(s->rules, &cli->arena),
                                  .settings = cli_shard_settings(cli),
                                  .fail_on = fail_on,
                                  .list = s->shard.list,
                                  .own = s->shard.own};
    return EXIT_AGREED;
}

static bool same_head(const struct shard_head *a, const struct shard_head *b)
{
    return a->number == b->number && a->of == b->of && a->fail_on == b->fail_on &&
           text_equal_or_empty(a->tool, b->tool) && text_equal_or_empty(a->rules, b->rules) &&
           text_equal_or_empty(a->only, b->only) && text_equal_or_empty(a->settings, b->settings) &&
           text_equal_or_empty(a->list, b->list) && text_equal_or_empty(a->own, b->own);
}

static const char *kept_path(const struct sharding *s)
{
    return arena_printf(&s->cli->arena, "%s" SHARD_KEPT_SUFFIX, s->cli->opt.out);
}

/* Is there the document that would be written? One that was ended by this machine is not. */
static bool is_done(struct sharding *s)
{
    struct arena own = ARENA_INIT;
    struct err ignored = ERR_INIT;
    struct shard_doc d;
    bool done = s->to_file && shard_doc_read(s->cli->opt.out, &own, &d, &ignored) == 0 &&
                same_head(&d.head, &s->head) && d.end.code <= EXIT_INPUT &&
                text_equal_or_empty(d.end.kept, sum_of_file(s->cli, kept_path(s)));
    if (done) {
        s->code = d.end.code;
        cli_note(s->cli,
                 "%s: shard %s already exists, with the same records, rules and version: "
                 "skipped",
                 s->cli->opt.out, s->cli->opt.shard);
    }
    arena_release(&own);
    return done;
}

/* ---- verified in batches ------------------------------------------------------------------- */

static int load_shard(struct sharding *s)
{
    struct cli *cli = s->cli;
    cli_load_shard(cli, &s->shard, &s->project);
    arena_release(&s->texts);
    if (cli->diags.machine)
        return EXIT_IO;
    int code = cli_flagperf(cli, &s->project);
    int unsure = cli_signers(cli, &s->project);
    if (unsure == 0)
        code = exit_worse(code, cli_archive(cli, &s->project));
    s->code = exit_worse(s->code, code);
    return code == EXIT_IO || cli->diags.machine ? EXIT_IO : unsure;
}

static void note_path(struct sharding *s, const char *path, const char *file)
{
    *(struct shard_path *)ARENA_PUSH(&s->cli->arena, s->paths, s->n_paths) =
        (struct shard_path){path, file};
}

/* A verdict for which evidence could not be read accuses nobody. */
static void note_machine(struct sharding *s, const struct verdict *v)
{
    struct err err = ERR_INIT;
    if (!v->machine)
        return;
    err_set(&err, ERR_IO, "%s; this verdict does not count", v->machine);
    diags_add_err(&s->cli->diags, v->file, 0, 0, &err);
    s->code = exit_worse(s->code, EXIT_IO);
}

static void note_lent_seen(struct sharding *s, const struct verdict *v, size_t place)
{
    size_t before = s->lent.n;
    cli_lent_evidence(s->cli, &s->project, v, 1, &s->lent);
    for (size_t i = before; i < s->lent.n; i++) {
        s->lent.items[i].place = place;
        s->lent.items[i].seen = true;
    }
}

static int flush_kept(struct sharding *s, bool all, struct err *err)
{
    if (!all && s->kept_text.len < KEPT_BYTES)
        return 0;
    hash_add(&s->kept_hash, s->kept_text.data, s->kept_text.len);
    int rc = file_cache_add(&s->kept, s->kept_text.data, s->kept_text.len, err);
    buf_clear(&s->kept_text);
    return rc;
}

/* Behind its length. */
static int keep_verdict(struct sharding *s, const struct verdict *v, struct err *err)
{
    if (!s->to_file)
        return 0;
    buf_clear(&s->packed);
    shape_pack(&verdict_shape, v, &s->packed);
    pack_number(&s->kept_text, s->packed.len);
    pack_bytes(&s->kept_text, s->packed.data, s->packed.len);
    return buf_check(&s->packed, v->id, err) < 0 ? -1 : flush_kept(s, false, err);
}

static int verify_batch(struct sharding *s, const struct result *results, size_t n, size_t *from,
                        struct err *err)
{
    struct arena own = ARENA_INIT;
    struct verdict *verdicts = arena_array(&own, n, sizeof *verdicts);
    int rc = 0;
    verify_many(&s->project, s->rules, results, n, &own, verdicts);
    for (size_t i = 0; i < n && rc == 0; i++) {
        struct across_result across;
        size_t place = shard_place_of(&s->shard, results[i].file, from);
        note_machine(s, &verdicts[i]);
        note_lent_seen(s, &verdicts[i], place);
        rc = keep_verdict(s, &verdicts[i], err);
        across_take(&s->project, &verdicts[i], place, &own, &across);
        if (verdict_fails(&verdicts[i], s->head.fail_on))
            s->code = exit_worse(s->code, EXIT_CHECK);
        rc = rc < 0 ? -1 : shard_doc_add(&s->writer, &verdicts[i], &across, err);
    }
    arena_release(&own);
    return rc;
}

static int write_shard(struct sharding *s, struct err *err)
{
    const struct project *p = &s->project;
    struct cli *cli = s->cli;
    size_t from = 0;
    shard_doc_begin(&s->writer, &cli->out, s->to_file ? &s->file : NULL, &s->head);
    for (size_t i = 0; i < p->n_results; i += BATCH) {
        size_t n = p->n_results - i < BATCH ? p->n_results - i : BATCH;
        if (verify_batch(s, p->results + i, n, &from, err) < 0)
            return -1;
    }
    struct shard_end end = {.incomplete = s->code > EXIT_CHECK || cli->diags.errors};
    char kept[HASH_HEX_SIZE];
    if (s->to_file && flush_kept(s, true, err) < 0)
        return -1;
    hash_final(&s->kept_hash, kept);
    s->code = exit_worse(s->code, cli_diags(cli));
    end.code = s->code;
    end.kept = s->to_file ? kept : NULL;
    return shard_doc_end(&s->writer, s->lent.items, s->lent.n, s->paths, s->n_paths, &end, err);
}

static int put_shard(struct sharding *s)
{
    struct cli *cli = s->cli;
    struct err err = ERR_INIT;
    hash_init(&s->kept_hash);
    int rc = !s->to_file                                                ? 0
             : file_mkdirs_for(s->cli->opt.out, &err) < 0               ? -1
             : file_cache_begin(&s->file, s->cli->opt.out, 0, &err) < 0 ? -1
             : file_cache_begin(&s->kept, kept_path(s), 0, &err) < 0    ? -1
                                                                        : 0;
    if (rc == 0)
        rc = write_shard(s, &err);
    shard_doc_release(&s->writer);
    buf_release(&s->packed);
    buf_release(&s->kept_text);
    /* The document names the other file: it comes last. */
    if (rc == 0 && s->to_file)
        rc = file_cache_end(&s->kept, "", 0, &err) < 0 ? -1 : file_cache_end(&s->file, "", 0, &err);
    if (s->to_file) {
        file_cache_drop(&s->file);
        file_cache_drop(&s->kept);
        buf_clear(&cli->out);
    }
    return rc < 0 ? cli_fail(cli, &err) : s->code;
}

int cli_verify_shard(struct cli *cli, const struct rules *rules, int fail_on)
{
    struct sharding s = {.cli = cli,
                         .rules = rules,
                         .file = {.fd = -1},
                         .kept = {.fd = -1},
                         .packed = BUF_INIT(SHARD_DOC_MAX),
                         .kept_text = BUF_INIT(SIZE_MAX),
                         .to_file = cli->opt.out && strcmp(cli->opt.out, "-") != 0};
    int code = read_shard(&s, fail_on);
    if (code || is_done(&s)) {
        arena_release(&s.texts);
        return code ? code : s.code;
    }
    int unsure = load_shard(&s);
    if (unsure)
        return exit_worse(unsure, cli_diags(cli));
    duplicates_postpone(&s.project);
    cli_lent_results(cli, &s.project, s.project.by_case, s.project.n_results, &s.lent);
    const struct project *p = &s.project;
    for (size_t i = 0; i < p->n_cases; i++)
        if (p->cases[i].alignment && p->cases[i].alignment->reference)
            note_path(&s, p->cases[i].alignment->reference, p->cases[i].file);
    for (size_t i = 0; i < p->n_results; i++)
        for (size_t k = 0; k < p->results[i].n_evidence; k++)
            note_path(&s, p->results[i].evidence[k].archive, p->results[i].file);
    for (size_t i = 0; i < p->n_reproductions; i++)
        note_path(&s, p->reproductions[i].archive, p->reproductions[i].file);
    return put_shard(&s);
}
