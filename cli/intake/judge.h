/*
 * judge: what is wrong with a run is for its vendor to hear before anybody else does.
 *
 * The errors of a verdict with their cures, said before `collect` writes anything.
 */
#pragma once

#include "base/records/verdict.h"
#include "cli/cli.h"

/* EXIT_CHECK where there are errors and no --force: nothing is to be written. `file` stands in
 * front of what names no other file. */
int judge_before_writing(struct cli *cli, const char *file, const struct verdict *v);
