/* verify_challenge: `verify --challenge`: what the one submission of the command line is held to.
 */
#pragma once

#include "base/project/project.h"
#include "cli/cli.h"

/* Sets p->retraining: the challenge and, where the submission answers it, the first steps of its
 * case, which are trained now (cli/reproduce/retrain.h). Nothing without --challenge. An exit code,
 * after a message. */
int cli_verify_challenge(struct cli *cli, struct project *p);
