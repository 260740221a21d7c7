/*
 * ranks: which of how many processes of one training this is, as whoever started it says.
 *
 * Known starters are rows of one table (ranks.c): torchrun and what sets the same variables
 * (fpreport's own `--gpus` does), OpenMPI's mpirun, MPICH's mpiexec, and srun. Without any of their
 * variables the process is alone.
 *
 * Where the ranks meet is MASTER_ADDR and MASTER_PORT, or the port behind that one when torchrun's
 * own process listens there, which TORCHELASTIC_USE_AGENT_STORE=True says. Without them: loopback
 * when all are on one machine; under srun the first machine of the step, which is rank 0's unless
 * the step was distributed at will, and a port by the job's number; under an MPI rank 0 tells the
 * others. SLURM_LAUNCH_NODE_IPADDR is no such place: srun may have been called on a login
 * node. Who starts the ranks on its own machine may hand rank 0 a socket that listens there, so
 * that nobody can come between finding a free port and using it.
 */
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define RANKS_MAX 4096
#define RANKS_PORT 29500 /* torchrun's; under srun, one of the RANKS_PORTS from there on */
#define RANKS_PORTS 1000

struct ranks {
    const char *starter; /* "torchrun", "mpirun", "mpiexec", "srun"; NULL: nobody, one rank */
    bool by_mpi;         /* that starter is an MPI's */
    int rank, world;     /* of all */
    int local_rank;      /* on this machine: the GPU to take */
    int local_world;     /* ranks on this machine; 0: not told */
    char address[256];   /* where rank 0 listens; "": not told, by_mpi only */
    int port;            /* 0: not told, by_mpi only */
    char job[128];       /* a name that the ranks of this training share, to know each other by */
    double patience;     /* limits of rendezvous.h are times this; 0 stands for 1 */
    int listener;        /* rank 0's: who started it listens at the place already; 0: nobody does */
};

#define RANKS_PATIENCE "FPREPORT_PATIENCE" /* variable: 0.01 to 100, the same for all ranks */
#define RANKS_LISTENER "FPREPORT_LISTENER" /* variable that holds its descriptor */
#define RANKS_JOB 33

/* A name for a job that nobody can guess. */
int ranks_name_job(char job[RANKS_JOB], struct err *err);

/* ERR_USAGE names a variable that is missing beside others or holds no such number. */
int ranks_find(struct ranks *out, struct err *err);

/* The MPI that started us, where one did and is here: rank 0 tells all others something.
 *
 * No program is linked with an MPI, so that each starts where there is none. What needs one is
 * comm_mpi.c, which the Makefile also makes a shared object of where there is an mpicc: it lies
 * beside the program (MPI_OBJECT) and is opened when an MPI's starter has started us. It is the one
 * part that knows this MPI's binary interface: for another MPI it is made again (`make mpi
 * MPICC=…`), and the program stays.
 *
 * MPI is there for the meeting of the ranks and no longer: MPI_Finalize follows MPI_Init within the
 * second. A rank that ends badly later ends so by its exit status or its signal, which mpirun ends
 * all for, too; and nothing of MPI (threads, hooks into the allocation of memory, a last barrier
 * that mpirun no longer serves when it was asked to end) is in the way of the training. A rank that
 * fails before leaves without MPI_Finalize. All calls are made by one thread. */

#define MPI_OBJECT "fpreport-mpi.so"

struct mpi;

/* NULL: no MPI has started us, or there is none here, or it is another one that did. ERR_IO when it
 * fails. */
int mpi_open(struct mpi **out, const struct ranks *ranks, struct err *err);

/* The same bytes on every rank: rank 0's. */
int mpi_share(struct mpi *m, void *bytes, size_t n, struct err *err);

/* `well`: waits for all ranks to have come so far. */
void mpi_close(struct mpi *m, bool well);
