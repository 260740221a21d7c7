/*
 * choices: which algorithms a run's devices chose, kept in its run directory and in each of its
 * checkpoints for another run.
 *
 *   <folder>/rank<N>.products.txt   lines of the device (device_cuda.h), one file a rank
 *
 * Rank 0 writes all of them; the text of the others comes to it by the comm. The memory that this
 * takes is taken before the training begins: a rank that found none later would leave the others
 * waiting for its text. Whatever else goes wrong with a rank's text, all ranks hear of.
 */
#pragma once

#include "base/arena.h"
#include "trainer/machine/machine.h"

#define CHOICES_MAX ((size_t)1 << 20) /* bytes of one rank */

struct choices {
    struct machine *machine; /* borrowed; NULL: its kind chooses nothing */
    void *memory;            /* [ranks * CHOICES_MAX], the device's */
    char *own, *all;         /* [CHOICES_MAX]; [ranks * CHOICES_MAX] */
};

/* On every rank. All zero is one that holds nothing. */
int choices_open(struct choices *c, struct machine *m, struct err *err);
void choices_close(struct choices *c);

/* By all ranks together. `folder` is rank 0's, which alone may fail to write there; any other
 * failure but one of the device is every rank's, and names whose it is. */
int choices_keep(struct choices *c, const char *folder, struct err *err);

/* What this rank chose in a run or in one of its checkpoints, or rank 0 where there were fewer
 * ranks. ERR_INPUT when none are kept. */
int choices_read(const char *run, int rank, struct arena *arena, const char **text,
                 struct err *err);

/* Are any kept in this folder, for rank 0? */
bool choices_are_in(const char *folder, struct arena *arena);
