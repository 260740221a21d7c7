/*
 * explain_figure: how a figure of a verdict was recomputed, for `fpreport explain RESULT METRIC`:
 * what it is made of, by which formula, and what records say where N and peaks are from.
 */
#ifndef CLI_VERIFY_EXPLAIN_FIGURE_H
#define CLI_VERIFY_EXPLAIN_FIGURE_H

#include "base/project/project.h"
#include "base/records/verdict.h"
#include "cli/cli.h"

/* All figures of this name in these verdicts; `name` NULL: the names that there are, as a usage
 * error. An exit code. */
int explain_metric(struct cli *cli, const struct project *project, const struct verdict *v,
                   size_t n, const char *name);

#endif
