/*
 * ranks: which of how many processes of one training this is, as whoever started it says.
 *
 * Known starters are rows of one table (ranks.c): torchrun and what sets the same variables
 * (fpreport's own `--gpus` does), OpenMPI's mpirun, and srun. Without any of their variables the
 * process is alone. Where the ranks meet is MASTER_ADDR and MASTER_PORT; on one machine both have
 * a default.
 */
#ifndef TRAINER_RANKS_H
#define TRAINER_RANKS_H

#include "base/err.h"

#define RANKS_MAX 4096
#define RANKS_PORT 29500 /* torchrun's */

struct ranks {
    const char *starter; /* "torchrun", "mpirun", "srun"; NULL: nobody, one rank */
    int rank, world;     /* of all */
    int local_rank;      /* on this machine: the GPU to take */
    int local_world;     /* ranks on this machine; 0: not told */
    const char *address; /* where rank 0 listens */
    int port;
    const char *job; /* a name that the ranks of this training share, to know each other by */
};

/* ERR_USAGE names a variable that is missing beside others or holds no such number. Strings are the
 * environment's. */
int ranks_find(struct ranks *out, struct err *err);

#endif
