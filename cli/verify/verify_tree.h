/* verify_tree: `fpreport verify` of a tree of results or a log, with --against and --case. */
#pragma once

#include "base/project/project.h"
#include "base/records/verdict.h"
#include "cli/cli.h"
#include "verifier/verify.h"

/* --against and --case, read once for all trees; `rules` is left to the caller. */
int cli_read_against(struct cli *cli, struct project *project, struct verify_against *out);

/* Adds one verdict for each round; an exit code. */
int cli_verify_tree(struct cli *cli, const struct project *project,
                    const struct verify_against *against, const char *path,
                    struct verdict **verdicts, size_t *n);
