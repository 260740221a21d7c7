/* verify_mlperf: what of a command line is MLPerf Training, and its verdicts. */
#ifndef CLI_VERIFY_VERIFY_MLPERF_H
#define CLI_VERIFY_VERIFY_MLPERF_H

#include "cli/cli.h"
#include "verifier/verify_mlperf.h"

/* 1: every argument is a log, a directory of runs, a package or a round of MLPerf Training; 0: none
 * is. Both in one call are a usage error: -1 after a message. */
int cli_mlperf_asked(struct cli *cli);

/* The rules and reference points: of the project's records, else the installed ones. An exit code
 * after a message. */
int cli_mlperf_rulebook(struct cli *cli, struct mlperf_rulebook *out);

/* Verdicts of all arguments. An exit code after a message. */
int cli_verify_mlperf(struct cli *cli, const struct rules *rules, struct verdict **verdicts,
                      size_t *n);

#endif
