#include "cli/build/build.h"

#include "base/files/followed.h"
#include "cli/build/cache.h"
#include "cli/build/site_shard.h"
#include "renderer/output/list.h"
#include "renderer/output/outdir.h"
#include "verifier/verdicts/verdicts.h"

#include <stdlib.h>
#include <string.h>

/* The log of a build may be public, too: what is withheld is not in it. */
static const char *where_it_is_said(struct build *b, size_t i, const struct check_result *c)
{
    return c->redacted ? arena_printf(&b->cli->arena, "; `fpreport verify %s` shows the message",
                                      b->verdicts[i].id)
                       : "";
}

/* Findings of severity error, one line each: the whole list is on the site. */
static void say_failures(struct build *b)
{
    for (size_t i = 0; i < b->project.n_results; i++)
        for (size_t k = 0; k < b->verdicts[i].n_checks; k++) {
            const struct check_result *c = &b->verdicts[i].checks[k];
            if (c->outcome == OUTCOME_FAIL && c->severity == SEVERITY_ERROR)
                diags_add(&b->cli->diags, SEVERITY_ERROR, c->file, c->line, 0, "%s%s [%s]",
                          c->message, where_it_is_said(b, i, c), c->rule);
        }
    cli_diags(b->cli);
}

static bool any_failed(const struct build *b)
{
    for (size_t i = 0; i < b->project.n_results; i++)
        if (verdict_fails(&b->verdicts[i], SEVERITY_ERROR))
            return true;
    return false;
}

static void say_files(struct cli *cli, const char *out, const struct outdir_stats *stats)
{
    buf_printf(&cli->out, "%s: %zu files written, %zu unchanged, %zu removed", out, stats->written,
               stats->unchanged, stats->removed);
    if (stats->kept_foreign)
        buf_printf(&cli->out, ", %zu files of other programs left unchanged", stats->kept_foreign);
    buf_char(&cli->out, '\n');
}

static int add_to_site(void *self, const char *path, const void *data, size_t len, struct err *err)
{
    struct build *b = self;
    return site_shard_has(b, path) ? outdir_add(b->od, path, data, len, err) : 0;
}

static int add_whole(void *self, const char *path, const void *data, size_t len, struct err *err)
{
    return outdir_add(((struct build *)self)->od, path, data, len, err);
}

static int build_into(struct build *b, int code, struct outdir_stats *stats)
{
    struct err err = ERR_INIT;
    code = exit_worse(code, any_failed(b) ? EXIT_CHECK : EXIT_AGREED);
    if (build_emit(b, add_to_site, b, &err) == 0 &&
        site_shard_emit(b, code, add_whole, b, &err) == 0 &&
        outdir_finish(b->od, stats, &b->cli->diags, &err) == 0)
        return EXIT_AGREED;
    outdir_abandon(b->od);
    return cli_fail(b->cli, &err);
}

/* Where `path` lies or will lie: the nearest folder of it that is there (base/files/followed.h).
 * Freed by the caller; NULL with a message. */
static char *place_of_output(const char *path, struct arena *arena, struct err *err)
{
    char *at = arena_strdup(arena, path), *slash;
    while (!file_is_dir(at) && (slash = strrchr(at, '/')) && slash > at)
        *slash = '\0';
    const char *there = file_is_dir(at) ? at : *at == '/' ? "/" : ".";
    char *real = followed_real(there, err);
    if (!real && !err->kind)
        err_errno(err, ERR_USAGE, "%s", there);
    return real;
}

/* A site below the records would be read as records by the next build. */
static bool is_below_records(const char *place, const char *folder)
{
    char *whole = file_real(folder);
    size_t n = whole ? strlen(whole) : 0;
    bool below = whole && strncmp(place, whole, n) == 0 && (place[n] == '/' || place[n] == '\0');
    free(whole);
    return below;
}

/* The folders on the way to a site are made only where it may lie. */
static int make_way(struct cli *cli, const char *out, const char *records)
{
    struct err err = ERR_INIT;
    char *place = place_of_output(out, &cli->arena, &err);
    bool below = place && is_below_records(place, records);
    free(place);
    if (below)
        return cli_usage(cli, "%s: the folder is inside the records, expected another folder", out);
    return place && file_mkdirs_for(out, &err) == 0 ? EXIT_AGREED : cli_fail(cli, &err);
}

/* Everything was as it is now: what was said is said again. */
static int build_again(struct build_cache *cache, const char *out)
{
    struct cli *cli = cache->cli;
    const struct outdir_stats stats = {.unchanged = cache->was.files,
                                       .kept_foreign = cache->left.n_foreign};
    cli_say_again(cli, cache->was.said);
    cli_detail(cli, "cache: nothing has changed");
    if (!cli->opt.quiet) {
        buf_str(&cli->out, cache->was.totals);
        say_files(cli, out, &stats);
    }
    return cache->was.code;
}

/* What cannot be read would vanish from the site that stands, or give it another name: then it
 * stays as it is. Without one there is nothing to lose. */
static bool stays(const struct build *b, int code)
{
    bool chosen = b->cli->opt.keep_going && !b->unset;
    return code == EXIT_INPUT && !chosen && b->od->old->n > 0;
}

static int leave_as_it_was(struct build *b, const char *out)
{
    outdir_abandon(b->od);
    if (b->unset)
        cli_note(b->cli,
                 "%s is unchanged, because a site needs the title and the address in site.json",
                 out);
    else
        cli_note(b->cli, "%s stays unchanged; --keep-going leaves out records that cannot be read",
                 out);
    return EXIT_INPUT;
}

/* Said on the terminal, and kept for a build that finds nothing changed. */
static int sum_up_build(struct build *b, struct build_cache *cache, struct outdir *od,
                        const char *out, const struct outdir_stats *stats, int code)
{
    struct cli *cli = cache->cli;
    struct buf totals;
    cli->said = &cache->said;
    say_failures(b);
    buf_init(&totals, BUF_DEFAULT_MAX);
    verdicts_totals(b->verdicts, b->project.n_results, &totals);
    code = exit_worse(code, any_failed(b) ? EXIT_CHECK : EXIT_AGREED);
    if (!cache->off) {
        build_reuse_store(&b->reuse, b->verdicts);
        build_parts_store(b);
    }
    build_cache_keep(cache, od, stats,
                     &(struct build_words){.code = code,
                                           .said = cache->said.data,
                                           .totals = totals.data,
                                           .files = stats->written + stats->unchanged});
    if (!cli->opt.quiet) {
        buf_add(&cli->out, totals.data, totals.len);
        say_files(cli, out, stats);
    }
    buf_release(&totals);
    return code;
}

/* What was found is noted for the next build; what happened to single files is not. */
static int build_new(struct build *b, struct build_cache *cache, struct outdir *od, const char *out)
{
    struct cli *cli = cache->cli;
    struct outdir_stats stats;
    struct err err = ERR_INIT;
    build_cache_look(cache);
    od->known = cache->left_alone ? &cache->left : NULL;
    od->with_spare = !cache->off;
    if (outdir_begin(od, &err) < 0)
        return cli_fail(cli, &err);
    cli->said = &cache->said;
    int code = build_load(b, cli, cache, od);
    if (code == EXIT_USAGE || code == EXIT_IO || b->refused)
        return outdir_abandon(od), code;
    if (stays(b, code))
        return leave_as_it_was(b, out);
    cli->said = NULL;
    if (cache->usable)
        cli_detail(cli, "cache: %zu of %zu results are verified", b->reuse.verified,
                   b->project.n_results);
    int built = build_into(b, code, &stats);
    cli_diags(cli);
    if (built != EXIT_AGREED) /* the old site stands: nothing to sum up */
        return exit_worse(code, built);
    return sum_up_build(b, cache, od, out, &stats, code);
}

static int build_anew(struct build_cache *cache, struct outdir *od, const char *out)
{
    struct build b = {.parts = BUILD_PARTS_INIT};
    int code = build_new(&b, cache, od, out);
    build_close(&b);
    return code;
}

int build_site(struct cli *cli, const char *out)
{
    struct err err = ERR_INIT;
    struct outdir od;
    struct build_cache cache;
    int code = make_way(cli, out, cli_records(cli));
    if (code)
        return code;
    if (outdir_lock(&od, out, &err) < 0)
        return cli_fail(cli, &err);
    build_cache_open(&cache, cli, &od, out);
    code = build_cache_holds(&cache) ? build_again(&cache, out) : build_anew(&cache, &od, out);
    cli->said = NULL;
    build_cache_close(&cache);
    outdir_close(&od);
    return code;
}

static int run_build(struct cli *cli)
{
    const char *out = cli->opt.out ? cli->opt.out : BUILD_DEFAULT_OUT;
    if (cli->opt.join)
        return site_shards_join(cli, out);
    return cli_need_project(cli) ? EXIT_USAGE : build_site(cli, out);
}

static const enum option_id options[] = {
    OPTION_OUT,      OPTION_RECORDS,  OPTION_FLAGPERF,   OPTION_BRANCH,
    OPTION_PREVIOUS, OPTION_NO_CACHE, OPTION_KEEP_GOING, OPTION_REQUIRE_LANDLOCK,
    OPTION_ARCHIVE,  OPTION_VERDICTS, OPTION_SHARD,      OPTION_JOIN,
    OPTION_END};

const struct command command_build = {
    .name = "build",
    .summary = "verify everything under records/ and write pages and website",
    .arguments = "",
    .examples = "  fpreport build\n"
                "  fpreport build --records my-records -o /srv/www/results\n",
    .details = "\n"
               "build writes the site folder completely or not at all. Other files in the site\n"
               "folder stay, and unchanged files keep their times. If a result fails a check,\n"
               "build publishes it as failed and exits with 1. The site also lists the changes\n"
               "since its last publication.\n"
               "\n"
               "If a record is unreadable, build exits with 3 and does not change the site. With\n"
               "--keep-going, or for a new site, build ignores unreadable records, but never an\n"
               "unreadable site.json. If signers/ has an error, or this machine cannot read a\n"
               "file (exit 4), build always stops. The cache SITE.fpreport-cache saves repeated\n"
               "work; you may delete this file, and --no-cache ignores it.\n"
               "\n"
               "To share the work among machines: --verdicts V reads the verdicts of 'verify\n"
               "--shard', --shard K/N -o PARTS/K builds one part, --join PARTS joins the parts.\n",
    .options = options,
    .out_meaning = "write the site into this folder (site)",
    .run = run_build,
};
