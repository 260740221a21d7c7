/*
 * train_native: a case record, run by the native trainer, logged and shown.
 */
#ifndef CLI_TRAIN_NATIVE_H
#define CLI_TRAIN_NATIVE_H

#include "base/project.h"
#include "cli/cli.h"
#include "trainer/rundir.h"

/* What the log's summary says, for the closing lines on the terminal. */
struct native_outcome {
    bool complete; /* all steps were taken */
    int signal;    /* that stopped it early; 0: none */
    int steps;
    double final_loss, unigram_entropy_nats; /* nats per token */
    double tokens_per_second, step_seconds;  /* without the case's warm-up steps */
    const char *data_sha256, *weights_sha256;
};

/* Can this case be trained here at all? ERR_INPUT with the file and what it should say. Asked
 * before there is a run directory, so that a mistake in a case leaves no run behind. */
int native_check(struct cli *cli, const struct case_record *c, const struct model *model,
                 struct err *err);

/* Train the case into the run directory. Progress goes to stderr if it is a terminal. */
int native_run(struct cli *cli, const struct case_record *c, const struct model *model,
               struct rundir *run, struct native_outcome *outcome, struct err *err);

#endif
