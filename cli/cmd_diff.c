#include "cli/cli.h"

#include "base/file.h"
#include "base/project.h"
#include "cli/diff_verdicts.h"
#include "verifier/diff.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The submission that the records name for VENDOR/CASE. */
static int find_evidence(struct cli *cli, const char *id, const char **path)
{
    struct project project;
    project_load(cli_records(cli), &project, &cli->arena, &cli->diags);
    for (size_t i = 0; i < project.n_results; i++) {
        const struct result *r = &project.results[i];
        if (strcmp(arena_printf(&cli->arena, "%s/%s", r->vendor, r->case_id), id) != 0)
            continue;
        if (r->n_evidence == 0)
            return cli_usage(cli, "%s: the record names no evidence, there is no curve", id);
        for (size_t k = 1; k < r->n_evidence; k++)
            if (strcmp(r->evidence[k].archive, r->evidence[0].archive) != 0)
                return cli_usage(cli,
                                 "%s: found several submissions (%s, %s), expected one: name "
                                 "the file",
                                 id, r->evidence[0].archive, r->evidence[k].archive);
        *path = path_join(&cli->arena, project.root, r->evidence[0].archive);
        return 0;
    }
    return cli_usage(cli,
                     "%s: found no such file or result, expected a run, a submission, a log, a "
                     "curve or VENDOR/CASE of the records",
                     id);
}

static int open_side(struct cli *cli, const char *name, struct diff_side *side)
{
    struct err err = ERR_INIT;
    const char *path = name;
    int code = file_exists(name) ? 0 : find_evidence(cli, name, &path);
    if (code)
        return code;
    if (diff_side_open(path, name, side, &cli->arena, &cli->diags, &err) < 0) {
        code = cli_diags(cli);
        return exit_worse(code, cli_fail(cli, &err));
    }
    return cli_diags(cli);
}

/* "2", "2%" or "2 %" is a ratio of 0.02. */
static int read_limit(struct cli *cli, double *limit)
{
    const char *text = cli->opt.limit;
    char *end;
    if (!text)
        return 0;
    double percent = strtod(text, &end);
    end += strspn(end, " ");
    end += *end == '%';
    if (end == text || *end || !isfinite(percent) || percent < 0)
        return cli_usage(cli, "--limit: found '%s', expected a percentage such as 2", text);
    *limit = percent / 100;
    return 0;
}

static int read_from_step(struct cli *cli, int *from_step)
{
    const char *text = cli->opt.from_step;
    char *end;
    if (!text)
        return 0;
    long step = strtol(text, &end, 10);
    if (end == text || *end || step < 0 || step >= INT_MAX)
        return cli_usage(cli, "--from-step: found '%s', expected a whole number, 0 or more", text);
    *from_step = (int)step;
    return 0;
}

static enum diff_order read_order(const struct cli *cli)
{
    if (!cli->opt.order)
        return DIFF_ORDER_UNKNOWN;
    return strcmp(cli->opt.order, "same") == 0 ? DIFF_ORDER_SAME : DIFF_ORDER_OTHER;
}

static int report(struct cli *cli, const struct diff *d)
{
    bool json = cli->opt.format && strcmp(cli->opt.format, "json") == 0;
    (json ? diff_json : diff_text)(d, &cli->out);
    int code = cli_deliver(cli);
    if (d->alignment.steps)
        return exit_worse(code, d->alignment.aligned ? EXIT_AGREED : EXIT_CHECK);
    struct err err = ERR_INIT;
    err_set(&err, ERR_INPUT, "found no common step from %d on, expected at least one",
            d->alignment.from_step);
    return exit_worse(code, cli_fail(cli, &err));
}

static int run(struct cli *cli)
{
    struct align_rule rule = {ALIGN_FROM_STEP, ALIGN_LIMIT};
    struct diff_side sides[2];
    struct diff d;
    if (cli_has_verdicts(cli))
        return cli_diff_verdicts(cli);
    int code = read_limit(cli, &rule.limit);
    code = code ? code : read_from_step(cli, &rule.from_step);
    for (int i = 0; code == 0 && i < 2; i++)
        code = open_side(cli, cli->args[i], &sides[i]);
    if (code)
        return code;
    diff_make(&sides[0], &sides[1], rule, read_order(cli), &cli->arena, &d);
    return report(cli, &d);
}

static const enum option_id options[] = {OPTION_FROM_STEP, OPTION_LIMIT, OPTION_ORDER,
                                         OPTION_FORMAT,    OPTION_OUT,   OPTION_RECORDS,
                                         OPTION_END};

const struct command command_diff = {
    .name = "diff",
    .summary = "compare a run with its reference, or older verdicts with newer ones",
    .arguments = "RUN REFERENCE",
    .examples = "  fpreport diff run/ records/references/tiny_llama.csv\n"
                "  fpreport diff --format json h100.csv a100.csv\n"
                "  fpreport diff vendor/case run.tar.zst\n"
                "  fpreport diff old.json new.json       of fpreport verify --format json\n",
    .details = "\nEach is a run directory, a sealed submission, a log, a curve (CSV: step,\n"
               "loss and perhaps iteration_time_s) or VENDOR/CASE of the records. Aligned is\n"
               "a mean of |run - reference| / |reference| below the limit, over the common\n"
               "steps from --from-step on. Statistics and notices are no part of the verdict.\n"
               "Exit 0 aligned, 1 not aligned, 3 unreadable or no common step.\n"
               "\nOf two documents of verdicts it tells which verdicts changed, and why: other\n"
               "rules, another tool, another stated value, other evidence. Exit 1 when one is\n"
               "worse: a lower state, a new error or warning, a figure that agreed no longer\n"
               "does, or a result that is gone.\n",
    .options = options,
    .out_meaning = "write the comparison to this file",
    .min_arguments = 2,
    .max_arguments = 2,
    .run = run,
};
