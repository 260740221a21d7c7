/*
 * checkpoint: a training on disk, from which it goes on as if it had never stopped.
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
 * disk (trainer/optimizer/transfer.h), or, to what the observer adds, on any of them.
 */
#pragma once

#include "base/arena.h"
#include "trainer/optimizer/transfer.h"
#include "trainer/training/checkpoint_state.h"
#include "trainer/training/train.h"

struct checkpoints {
    const struct training *training;   /* borrowed */
    struct transfer *transfer;         /* borrowed */
    struct checkpoint_context context; /* what a checkpoint is held to; strings borrowed */
    int lock;                          /* descriptor of checkpoint_dir on rank 0; -1: none */
};

/*
 * Weights, moments and state from `training->resume`: one checkpoint, or a folder of them, whose
 * newest is taken. ERR_INPUT when there is none, when it is malformed, or when it is one of
 * another training: the file, what was found and what was expected. `sha256` as model_files_load's.
 */
int checkpoint_resume(struct checkpoints *c, struct checkpoint_state *state,
                      char sha256[HASH_HEX_SIZE], struct err *err);

/*
 * Makes training->checkpoint_dir ready for checkpoints behind this step: made where it is missing,
 * cleared of what a killed training left. ERR_USAGE when it holds checkpoints of later steps, which
 * belong to another training, and while another training that still runs writes there (where the
 * file system can tell: it is asked by flock()).
 */
int checkpoint_prepare(struct checkpoints *c, uint64_t step, struct err *err);
void checkpoint_release(struct checkpoints *c); /* prepared or not */

/* One more in training->checkpoint_dir, to which the observer may add. Fills step, path (lives
 * until `arena` is released) and bytes of *saved. */
int checkpoint_save(struct checkpoints *c, const struct checkpoint_state *state,
                    const struct train_observer *observer, struct arena *arena,
                    struct train_saved *saved, struct err *err);
