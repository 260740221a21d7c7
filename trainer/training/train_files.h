/*
 * train_files: which of its files a training reads and writes, and when.
 *
 * It knows the order (resume before initial weights before the seed; a checkpoint every so many
 * steps and behind the last; final weights at the end) and leaves the files to the checkpoint and
 * model_files.h. Where a training asks for no files it takes no memory. All ranks call these
 * together.
 */
#pragma once

#include "base/arena.h"
#include "trainer/optimizer/transfer.h"
#include "trainer/training/checkpoint_state.h"
#include "trainer/training/train.h"

/* A training on disk, from which it goes on as if it had never stopped.
 *
 * A folder of checkpoints holds one folder per checkpoint, named by the steps that were taken:
 *
 *   step-000000010/
 *     model.safetensors    the trained weights (fp32; masters where there are any)
 *     config.json          with which transformers reads the folder
 *                          of adapters, both as peft's: adapter_model, adapter_config
 *     adam_m.safetensors   AdamW's first moment, under the weights' names
 *     adam_v.safetensors   the second
 *     training.json        checkpoint_state.h
 *     rank<N>.products.txt on GPUs: which algorithms rank N's products took (cli/train/choices.h);
 * a training that goes on takes the same, or its last digits may differ
 *
 * A checkpoint is written aside and renamed (trainer/tensors/partial_folder.h): whoever looks, and
 * the next training, sees all of it or nothing. Only when the new one is durable the oldest ones
 * are taken away, until `checkpoint_keep` are left; the disk needs room for one more than that.
 *
 * Nothing in a checkpoint depends on the number of ranks, on ZeRO's level, or on how a step's
 * sequences are split into micro-batches; a training may be resumed with others, as long as a step
 * has as many sequences. With the same ones it gives the same bits as one that was not stopped.
 *
 * All ranks call these together, and all return what happened on rank 0, which alone touches the
 * disk (trainer/optimizer/transfer.h), or, to what the observer adds, on any of them. */

struct checkpoints {
    const struct training *training;   /* borrowed */
    struct transfer *transfer;         /* borrowed */
    struct checkpoint_context context; /* what a checkpoint is held to; strings borrowed */
    int lock;                          /* descriptor of checkpoint_dir on rank 0; -1: none */
};

/*
 * Makes training->checkpoint_dir ready for checkpoints behind this step: made where it is missing,
 * cleared of what a killed training left. ERR_USAGE when it holds checkpoints of later steps, which
 * belong to another training, and while another training that still runs writes there (where the
 * file system can tell: it is asked by flock()).
 */
void checkpoint_release(struct checkpoints *c); /* prepared or not */

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
