/*
 * train_files: which of its files a training reads and writes, and when.
 *
 * It knows the order (resume before initial weights before the seed; a checkpoint every so many
 * steps and behind the last; final weights at the end) and leaves the files to checkpoint.h and
 * model_files.h. Where a training asks for no files it takes no memory. All ranks call these
 * together.
 */
#pragma once

#include "trainer/training/checkpoint.h"

struct train_files {
    const struct training *training; /* borrowed */
    struct optimizer *optimizer;     /* borrowed */
    struct transfer transfer;
    uint64_t saved; /* step of the last checkpoint that is written, or gone on from */
    struct checkpoints checkpoints;
    /* Of the weights that the training began with and of those that it goes on with
     * (model_files.h);
     * "": drawn from the seed, and: it begins. */
    char initial_sha256[HASH_HEX_SIZE], resumed_sha256[HASH_HEX_SIZE];
};

/* Does this training touch files? One whose ranks have parts of the weights moves them to rank 0
 * for the digest of the last ones, too. */
bool train_files_wanted(const struct training *t, bool weights_are_whole);

/* Does it draw weights from its seed? */
bool train_files_draws(const struct training *t);

int train_files_open(struct train_files *f, const struct training *t, struct optimizer *optimizer,
                     const struct checkpoint_context *context, struct err *err);
void train_files_close(struct train_files *f); /* one that was never opened (all zero) is allowed */

/* The first weights, or everything from a checkpoint: then *state becomes the checkpoint's. Folders
 * that are to be written are looked at now rather than after hours. */
int train_files_begin(struct train_files *f, struct checkpoint_state *state, struct err *err);

/* After a step: a checkpoint when one is due, or when it was the last and has none yet; the
 * observer is told. */
int train_files_stepped(struct train_files *f, const struct checkpoint_state *state, bool last,
                        const struct train_observer *observer, struct err *err);

/* The final weights. */
int train_files_end(struct train_files *f, struct err *err);

/* Device memory that is held. */
size_t train_files_bytes(const struct train_files *f);
