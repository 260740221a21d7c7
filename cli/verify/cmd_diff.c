#include "cli/cli.h"

#include "cli/verify/diff_runs.h"
#include "cli/verify/diff_verdicts.h"
#include "verifier/diff/table.h"
#include "verifier/logs/rows/own_rows.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int open_side(struct cli *cli, const struct diff_run *run, struct diff_side *side)
{
    struct err err = ERR_INIT;
    const struct pattern_row *own = own_rows_load(cli_records(cli), &cli->arena, &cli->diags);
    if (diff_side_open_own(run->path, run->name, own, side, &cli->arena, &cli->diags, &err) < 0) {
        int code = cli_diags(cli);
        return exit_worse(code, cli_fail(cli, &err));
    }
    side->plan = run->plan;
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

static int read_stride(struct cli *cli, double *stride)
{
    const char *text = cli->opt.stride;
    char *end;
    *stride = text ? strtod(text, &end) : NAN;
    if (text && (*end || !(*stride >= 1) || *stride > INT_MAX || *stride != floor(*stride)))
        return cli_usage(cli, "--stride: found '%s', expected a whole number from 1 on", text);
    return 0;
}

/* Numbers of reports are no steps: they are not compared with steps unless somebody says how many
 * lie between two reports. */
static int settle_counted(struct cli *cli, struct diff_side *run, struct diff_side *reference,
                          double stride)
{
    struct err err = ERR_INIT;
    struct diff_side *both[] = {run, reference};
    for (size_t i = 0; i < 2; i++)
        if (both[i]->curve.counted && !isnan(stride))
            diff_side_stride(both[i], stride);
    if (run->curve.by_epoch != reference->curve.by_epoch &&
        run->curve.counted == reference->curve.counted) {
        const struct diff_side *epochs = run->curve.by_epoch ? run : reference;
        err_set(&err, ERR_INPUT,
                "%s: found a curve over epochs, expected a curve over loss reports", epochs->name);
        return cli_fail(cli, &err);
    }
    if (run->curve.counted == reference->curve.counted)
        return 0;
    const struct diff_side *counted = run->curve.counted ? run : reference;
    const struct curve *other = run->curve.counted ? &reference->curve : &run->curve;
    err_set(&err, ERR_INPUT,
            "%s: found %zu %s, expected --stride N, the steps from one to the next (on the other "
            "side: %.15g)",
            counted->name, counted->curve.n,
            counted->curve.by_epoch ? "losses of epochs" : "reports without a step number",
            other->n > 1 ? (other->step[other->n - 1] - other->step[0]) / (double)(other->n - 1)
                         : 1);
    return cli_fail(cli, &err);
}

static enum diff_order read_diff_order(const struct cli *cli)
{
    if (!cli->opt.order)
        return DIFF_ORDER_UNKNOWN;
    return strcmp(cli->opt.order, "same") == 0 ? DIFF_ORDER_SAME : DIFF_ORDER_OTHER;
}

/* 0, 1 or, where nothing could be compared, 3 after a message. */
static int verdict_of_diff(struct cli *cli, const struct diff *d)
{
    struct err err = ERR_INIT;
    if (d->alignment.steps)
        return d->alignment.aligned && !d->not_finite ? EXIT_AGREED : EXIT_CHECK;
    err_set(&err, ERR_INPUT, "%s: found no common %s from %d on, expected at least one",
            d->run->name, d->run->curve.by_epoch ? "epoch" : "step", d->alignment.from_step);
    return cli_fail(cli, &err);
}

static int report_diffs(struct cli *cli, const struct diff *diffs, size_t n)
{
    bool json = cli_wants_json(cli);
    if (n == 1)
        (json ? diff_json : diff_text)(diffs, &cli->out);
    else
        (json ? diff_table_json : diff_table_text)(diffs, n, &cli->out);
    int code = cli_deliver(cli);
    for (size_t i = 0; i < n; i++)
        code = exit_worse(code, verdict_of_diff(cli, &diffs[i]));
    return code;
}

/* The last word is the reference; a result alone has the one that its case names. */
static int find_runs_to_compare(struct cli *cli, struct diff_runs *runs, struct diff_run *reference)
{
    int n = cli->n_args > 1 ? cli->n_args - 1 : 1, code = 0;
    struct diff_runs last = {NULL, 0};
    code = cli->n_args > 1 ? diff_runs_add(cli, cli->args[n], &last)
                           : diff_runs_reference(cli, cli->args[0], reference);
    if (code)
        return code;
    if (last.n > 1)
        return cli_usage(cli, "%s: found %zu submissions, expected one reference: name the file",
                         cli->args[n], last.n);
    *reference = last.n ? last.items[0] : *reference;
    for (int i = 0; code == 0 && i < n; i++)
        code = diff_runs_add(cli, cli->args[i], runs);
    return code;
}

static int compare_runs_with_reference(struct cli *cli, const struct diff_runs *runs,
                                       const struct diff_run *reference, struct align_rule rule)
{
    struct diff_side *sides = arena_array(&cli->arena, runs->n + 1, sizeof *sides);
    struct diff *diffs = arena_array(&cli->arena, runs->n, sizeof *diffs);
    double stride;
    int code = 0;
    for (size_t i = 0; code == 0 && i < runs->n; i++)
        code = open_side(cli, &runs->items[i], &sides[i]);
    code = code ? code : open_side(cli, reference, &sides[runs->n]);
    code = code ? code : read_stride(cli, &stride);
    for (size_t i = 0; code == 0 && i < runs->n; i++)
        code = settle_counted(cli, &sides[i], &sides[runs->n], stride);
    if (code)
        return code;
    for (size_t i = 0; i < runs->n; i++)
        diff_make(&sides[i], &sides[runs->n], rule, read_diff_order(cli), &cli->arena, &diffs[i]);
    return report_diffs(cli, diffs, runs->n);
}

static int run_diff(struct cli *cli)
{
    struct align_rule rule = {ALIGN_FROM_STEP, ALIGN_LIMIT};
    struct diff_runs runs = {NULL, 0};
    struct diff_run reference;
    if (cli->n_args == 2 && cli_has_shards(cli))
        return cli_diff_shards(cli);
    if (cli->n_args == 2 && cli_has_verdicts(cli))
        return cli_diff_verdicts(cli);
    int code = read_limit(cli, &rule.limit);
    code = code ? code : read_from_step(cli, &rule.from_step);
    code = code ? code : cli_sandbox(cli);
    code = code ? code : find_runs_to_compare(cli, &runs, &reference);
    return code ? code : compare_runs_with_reference(cli, &runs, &reference, rule);
}

static const enum option_id options[] = {
    OPTION_FROM_STEP, OPTION_LIMIT,   OPTION_STRIDE,           OPTION_ORDER,   OPTION_FORMAT,
    OPTION_OUT,       OPTION_RECORDS, OPTION_REQUIRE_LANDLOCK, OPTION_ARCHIVE, OPTION_END};

const struct command command_diff = {
    .name = "diff",
    .summary = "compare losses with a reference, or older verdicts with newer",
    .arguments = "RUN... REFERENCE",
    .examples = "  fpreport diff run/ records/references/tiny_llama.csv\n"
                "  fpreport diff --format json h100.csv a100.csv\n"
                "  fpreport diff tp8.log tp4pp2.log pp8.log a100.csv\n"
                "  fpreport diff vendor/case\n"
                "  fpreport diff old.json new.json       of fpreport verify --format json\n",
    .details = "\n"
               "RUN and REFERENCE are run directories, sealed submissions, logs, curves (CSV:\n"
               "step, loss, optionally iteration_time_s), or VENDOR/CASE of the records (all\n"
               "submissions of that result). VENDOR/CASE alone is compared with the reference\n"
               "curve of its case. diff prints one row per run, with its parallel plan. A run is\n"
               "aligned if the mean of |run - reference| / |reference| over the common steps,\n"
               "from --from-step on, is below the limit; statistics and notices do not affect\n"
               "this. FILE#COLUMN selects one column of a curve. If a log has no step numbers,\n"
               "diff numbers its loss reports; --stride then compares by step.\n"
               "Exit code: 0 aligned, 1 not aligned or NaN, 3 unreadable or no common step.\n"
               "\n"
               "diff also compares two JSON outputs of verify, or two folders of shards. diff\n"
               "lists the changed verdicts with the reason: other rules, version, stated value\n"
               "or evidence. diff exits with 1 if a verdict became worse: a lower state, a new\n"
               "error or warning, a number that no longer agrees, or a missing result.\n",
    .options = options,
    .out_meaning = "write the comparison to this file",
    .min_arguments = 1,
    .max_arguments = -1,
    .run = run_diff,
};
