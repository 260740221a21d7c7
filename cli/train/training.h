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
 *
 * A case of several ranks: where nobody has started them (ranks.h), training_run starts them on
 * this machine and watches over them (launch.h); the run directory is then its own, and not a
 * rank's. Otherwise it is that of rank 0, and the other ranks write nothing.
 */
#pragma once

#include "base/project/project.h"
#include "base/records/challenge.h"
#include "base/records/layout.h"
#include "cli/cli.h"
#include "cli/train/launch.h"
#include "cli/train/training_files.h"
#include "trainer/machine/machine.h"
#include "trainer/run/session.h"

struct training {
    const char *name;   /* id below records/cases, or a case file */
    const char *folder; /* for run directories; NULL: TRAINING_FOLDER */
    bool hands_over;    /* to fptrain beside this program, if that has the device and we have not */

    /* native: where */
    const struct machine_kind *machine;
    struct ranks ranks;
    int ordinal;               /* of the GPU; negative: the rank's */
    bool launches;             /* we start the ranks */
    struct rank_report report; /* we were started so */
    struct native_files files;

    const struct accelerator *card; /* of a command, by --accelerator; NULL */
    struct layout layout;           /* of a command's run (command_layout.h) */

    struct challenge challenge; /* round NULL: none; else record.seed is its */

    struct case_record record;
    struct bytes bytes; /* of the case file */
    struct model model;
    struct session_options options;
    struct session session;
    bool began;  /* there is a run directory: session.dir.root */
    int asked;   /* the signal that it was asked to stop with; 0: none */
    bool unsaid; /* the run is complete, and its command's output could not be shown: EXIT_IO */
};

/* EXIT_INPUT when a record is missing or malformed, EXIT_USAGE when the case is run by a command
 * and there is none; nothing was written then. */
int training_load(struct cli *cli, struct training *t);

/* Of that, only the case: t->record and t->bytes of t->name. */
int training_case(struct cli *cli, struct training *t);

/* Behind that, its model: t->model. EXIT_INPUT when its record is missing or malformed. */
int training_model(struct cli *cli, struct training *t);

/* The exit code of the run: 0 only when it is complete, the command's own otherwise. The run
 * directory says how it ended in any case. */
int training_run(struct cli *cli, struct training *t);

/* training_place.c: find out where and as which rank the case is trained, from the options --gpus,
 * --ranks and --device, the case and the environment. An exit code. */
int training_place(struct cli *cli, struct training *t);

/* Of that, only t->machine and t->ordinal: by --device and the precision of t->record. */
int training_machine(struct cli *cli, struct training *t);

/* Why this process does not train, before there is a machine: printed, and told to the ranks that
 * may wait for it. The exit code. */
int training_fail(struct cli *cli, const struct err *err);
void training_decline(const char *cause);

/* The fptrain that lies beside this program; NULL: none does. */
const char *training_gpu_program(struct cli *cli);

/* The command line that trains the same case with the same options in this program. */
const char *const *training_argv(struct cli *cli, const char *path);
