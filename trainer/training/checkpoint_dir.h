/*
 * checkpoint_dir: a folder of checkpoints, and which of them is meant.
 *
 * Each is a folder `step-NNNNNNNNN`, named by the steps that were taken; one that is being written
 * is called `step-NNNNNNNNN.partial` (trainer/tensors/partial_folder.h) and is none to anybody.
 * What is in one is train_files.h's.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"

#include <stdint.h>

#define CHECKPOINT_STATE_NAME "training.json" /* checkpoint_state.h; each has one */

const char *checkpoint_name(uint64_t step, struct arena *arena);
uint64_t checkpoint_step(const char *name);

/* Names of those that end so, oldest first; "": of all that are whole. */
int checkpoint_dir_list(const char *dir, const char *suffix, struct arena *arena,
                        const char ***names, size_t *n, struct err *err);

/* Remove what a killed training left half. */
int checkpoint_dir_clear(const char *dir, struct arena *arena, struct err *err);

/* Remove the oldest ones until `keep` are left; 0: none. */
int checkpoint_dir_prune(const char *dir, int keep, struct arena *arena, struct err *err);

/* The one that a path names: itself, or the newest of a folder of them. *out is `path` or lives in
 * the arena. ERR_INPUT when there is none. */
int checkpoint_find(const char *path, struct arena *arena, const char **out, struct err *err);
