#include "cli/verify/verify_mlperf.h"
#include "verifier/mlperf/result/summary.h"

#include <string.h>

static const char *summary_format_name(size_t i)
{
    return mlperf_summary_formats[i].name;
}

static int run_summary(struct cli *cli)
{
    const struct mlperf_summary_format *f = mlperf_summary_formats;
    struct mlperf_summary summary;
    struct verdict *verdicts;
    size_t n;
    while (cli->opt.format && strcmp(f->name, cli->opt.format) != 0)
        f++;
    int asked = cli_mlperf_asked(cli);
    if (asked < 0)
        return EXIT_USAGE;
    if (!asked)
        return cli_usage(cli,
                         "%s: found no packages of MLPerf Training, expected folders with "
                         "results/ and systems/",
                         cli->args[0]);
    int code = cli_verify_mlperf(cli, NULL, (size_t)cli->n_args, &verdicts, &n);
    if (code)
        return code;
    mlperf_summarise(verdicts, n, &cli->arena, &summary);
    f->write(&summary, &cli->arena, &cli->out);
    return exit_worse(cli_diags(cli), cli_deliver(cli));
}

static const enum option_id options[] = {OPTION_FORMAT, OPTION_OUT, OPTION_RULESET, OPTION_RECORDS,
                                         OPTION_END};

const struct command command_summary = {
    .name = "summary",
    .summary = "print the result table of MLPerf Training packages",
    .arguments = "PACKAGE…",
    .examples = "  fpreport summary training_results_v5.1 --format csv -o v5.1.csv\n",
    .details = "\n"
               "PACKAGE is the folder with the MLPerf results of one submitter, or a folder of\n"
               "such folders. The table has one row for each system, with the minutes to train\n"
               "each benchmark; the JSON output also has energy, batch size and the outcome of\n"
               "the RCP test (reference convergence points). summary never changes a package.\n",
    .options = options,
    .out_meaning = "write the table to this file",
    .format = summary_format_name,
    .min_arguments = 1,
    .max_arguments = -1,
    .run = run_summary,
};
