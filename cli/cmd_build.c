#include "cli/build.h"

#include "base/outdir.h"
#include "verifier/verdicts.h"

#include <stdlib.h>
#include <string.h>

/* Findings of severity error, one line each: the whole list is on the site. */
static void say_failures(struct build *b)
{
    for (size_t i = 0; i < b->project.n_results; i++)
        for (size_t k = 0; k < b->verdicts[i].n_checks; k++) {
            const struct check_result *c = &b->verdicts[i].checks[k];
            if (c->outcome == OUTCOME_FAIL && c->severity == SEVERITY_ERROR)
                diags_add(&b->cli->diags, SEVERITY_ERROR, c->file, c->line, 0, "%s [%s]",
                          c->message, c->rule);
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

static void say_summary(struct build *b, const char *out, const struct outdir_stats *stats)
{
    verdicts_totals(b->verdicts, b->project.n_results, &b->cli->out);
    buf_printf(&b->cli->out, "%s: %zu files written, %zu unchanged, %zu removed", out,
               stats->written, stats->unchanged, stats->removed);
    if (stats->kept_foreign)
        buf_printf(&b->cli->out, ", %zu of others left alone", stats->kept_foreign);
    buf_char(&b->cli->out, '\n');
}

static int add(void *self, const char *path, const void *data, size_t len, struct err *err)
{
    return outdir_add(self, path, data, len, err);
}

static int build_into(struct build *b, const char *out, struct outdir_stats *stats)
{
    struct err err = ERR_INIT;
    struct outdir od;
    if (outdir_open(&od, out, &err) < 0)
        return cli_fail(b->cli, &err);
    if (build_emit(b, add, &od, &err) < 0) {
        outdir_abort(&od);
        return cli_fail(b->cli, &err);
    }
    if (outdir_commit(&od, stats, &b->cli->diags, &err) < 0)
        return cli_fail(b->cli, &err);
    return EXIT_AGREED;
}

/* A site below the records would be read as records by the next build. */
static bool is_below(const char *path, const char *folder, struct arena *arena)
{
    char *whole = realpath(folder, NULL);
    const char *slash = strrchr(path, '/');
    const char *parent = slash ? arena_strndup(arena, path, (size_t)(slash - path) + 1) : ".";
    char *place = realpath(file_is_dir(path) ? path : parent, NULL);
    size_t n = whole ? strlen(whole) : 0;
    bool below =
        whole && place && strncmp(place, whole, n) == 0 && (place[n] == '/' || place[n] == '\0');
    free(whole);
    free(place);
    return below;
}

int build_site(struct cli *cli, const char *out)
{
    struct build b;
    struct outdir_stats stats;
    const char *records = cli_records(cli);
    if (is_below(out, records, &cli->arena))
        return cli_usage(cli, "%s: lies in the records, expected a folder of its own", out);
    int code = build_load(&b, cli);
    if (code == EXIT_USAGE)
        return code;
    int built = build_into(&b, out, &stats);
    if (built != EXIT_AGREED) /* the old site stands: nothing to sum up */
        return exit_worse(code, built);
    say_failures(&b);
    if (!cli->opt.quiet)
        say_summary(&b, out, &stats);
    return exit_worse(code, any_failed(&b) ? EXIT_CHECK : EXIT_AGREED);
}

static int run(struct cli *cli)
{
    return build_site(cli, cli->opt.out ? cli->opt.out : BUILD_DEFAULT_OUT);
}

static const enum option_id options[] = {OPTION_OUT, OPTION_RECORDS, OPTION_FLAGPERF,
                                         OPTION_PREVIOUS, OPTION_END};

const struct command command_build = {
    .name = "build",
    .summary = "verify everything under records/ and write pages and website",
    .arguments = "",
    .examples = "  fpreport build\n"
                "  fpreport build --records my-records -o /srv/www/results\n",
    .details = "\nThe folder is replaced as a whole or not at all; unchanged files keep their\n"
               "times, files of others are left alone. A result that fails its checks is\n"
               "published as failed, and the exit code is 1. With --previous, pages say what has\n"
               "changed since that site, and the history of verdicts goes on.\n",
    .options = options,
    .out_meaning = "folder of the site (site)",
    .run = run,
};
