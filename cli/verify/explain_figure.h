/* explain_figure: how a figure of a verdict was recomputed, from its inputs to its tolerance. */
#pragma once

#include "base/project/project.h"
#include "base/records/verdict.h"
#include "cli/cli.h"

/* The figures of this name, by the heading of their column or by their key; NULL: a list of all of
 * them. An exit code: EXIT_USAGE, after a message, where there is none. */
int explain_figures(struct cli *cli, const struct project *project, const struct verdict *v,
                    size_t n, const char *name);
