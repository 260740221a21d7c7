/* verify_mlperf: what of a command line is MLPerf Training, and its verdicts. */
#pragma once

#include "cli/cli.h"
#include "cli/mlperf_rulebook.h"
#include "verifier/verify_mlperf.h"

/* What the path is, by its content. A log of a benchmark that no rule set has is a training log,
 * and a note says so: MLPERF_NO_INPUT. */
enum mlperf_input cli_mlperf_input(struct cli *cli, const char *path);

/* 1: every argument is a log, a directory of runs, a package or a round of MLPerf Training; 0: none
 * is. Both in one call are a usage error: -1 after a message. */
int cli_mlperf_asked(struct cli *cli);

/* Verdicts of the first `n_paths` arguments. An exit code after a message. */
int cli_verify_mlperf(struct cli *cli, const struct rules *rules, size_t n_paths,
                      struct verdict **verdicts, size_t *n);

/* How a figure of the directories at the first argument came about; `metric` NULL: the message
 * lists them. An exit code. */
int cli_explain_mlperf(struct cli *cli, const char *metric);
