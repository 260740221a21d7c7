/* mlperf_rulebook: the rules of MLPerf rounds that a command uses. */
#pragma once

#include "cli/cli.h"
#include "verifier/mlperf/rules/rulebook.h"

/* The rules and reference points: of the project's records, else the installed ones. An exit code
 * after a message. */
int cli_mlperf_rulebook(struct cli *cli, struct mlperf_rulebook *out);
