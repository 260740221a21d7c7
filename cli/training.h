/*
 * training: a case, run from the command line: its files read, a run directory begun, trained
 * natively or by a command, and ended. `train` does this and no more, `reproduce` goes on with
 * the run that it leaves.
 *
 *     struct training t = {.name = "tiny_llama"};
 *     code = training_load(cli, &t);      the case and, for the native trainer, its model
 *     code = training_run(cli, &t);       t.session.dir.root is the run directory
 *
 * Both print what went wrong and return an exit code. The command behind `--` (cli->rest) is run
 * as the case where there is one.
 */
#ifndef CLI_TRAINING_H
#define CLI_TRAINING_H

#include "base/project.h"
#include "cli/cli.h"
#include "trainer/session.h"

#define TRAINING_FOLDER "result" /* where run directories go */

struct training {
    const char *name;   /* id below records/cases, or a case file */
    const char *folder; /* for run directories; NULL: TRAINING_FOLDER */
    struct case_record record;
    struct bytes bytes; /* of the case file */
    struct model model;
    struct session_options options;
    struct session session;
    bool began; /* there is a run directory: session.dir.root */
};

/* EXIT_INPUT when a record is missing or malformed, EXIT_USAGE when the case is run by a command
 * and there is none; nothing was written then. */
int training_load(struct cli *cli, struct training *t);

/* The exit code of the run: 0 only when it is complete, the command's own otherwise. The run
 * directory says how it ended in any case. */
int training_run(struct cli *cli, struct training *t);

#endif
