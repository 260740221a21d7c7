/*
 * training_files: which files a native training reads and writes beside its data and its log, from
 * the case and the options --checkpoint-every, --keep, --resume and --init.
 */
#pragma once

#include "base/project/project.h"
#include "cli/cli.h"
#include "trainer/run/rundir.h"

#define TRAINING_FOLDER "result" /* where run directories go, where nobody says */
#define TRAINING_KEEP 1          /* checkpoints that stay where nobody says */

/* As trainer/training/train.h takes them; NULL or 0 where there is none. */
struct native_files {
    const char *initial_weights, *initial_sha256;
    const char *resume; /* the checkpoint itself */
    bool each_looked;   /* every rank looked for it */
    const char *checkpoint_dir;
    int checkpoint_every, checkpoint_keep;

    const char *initial_name; /* for the record */
    struct run_origin origin; /* step 0: it begins */
};

/* Before there is a run directory, so that a mistake leaves none; checkpoint_dir stays NULL. Only
 * rank 0, and who starts the ranks, `looks` at the disk: others may not have the files. --resume
 * becomes the checkpoint that it names, so that ranks that are started take the same. `--resume
 * latest` is the newest checkpoint of the case's runs in the folder for runs, which every rank
 * looks for; without one the training begins. */
int training_files(struct cli *cli, const struct case_record *c, bool looks,
                   struct native_files *out, struct err *err);

/* checkpoint_dir, once the run directory is known; NULL for a rank that has none. */
void training_files_place(struct cli *cli, struct native_files *f, const char *root);

/* Warns where the disk has too little room for the checkpoints: hours may pass until it is full. */
void training_files_room(struct cli *cli, const struct native_files *f, size_t parameters);
