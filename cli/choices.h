/*
 * choices: which algorithms a run's devices chose, kept in its run directory and in each of its
 * checkpoints for another run.
 *
 *   <folder>/rank<N>.products.txt   lines of the device (device_cuda.h), one file a rank
 *
 * Rank 0 writes all of them; the text of the others comes to it by the comm.
 */
#ifndef CLI_CHOICES_H
#define CLI_CHOICES_H

#include "base/arena.h"
#include "trainer/machine.h"

#define CHOICES_MAX ((size_t)64 << 10) /* bytes of one rank */

/* Called on every rank. `folder` is rank 0's. */
int choices_keep(struct machine *m, const char *folder, struct err *err);

/* What this rank chose in a run or in one of its checkpoints, or rank 0 where there were fewer
 * ranks. ERR_INPUT when none are kept. */
int choices_read(const char *run, int rank, struct arena *arena, const char **text,
                 struct err *err);

/* Are any kept in this folder, for rank 0? */
bool choices_are_in(const char *folder, struct arena *arena);

#endif
