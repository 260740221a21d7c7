/*
 * mpi: the MPI that started us, where one did and is here: rank 0 tells all others something.
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
 * fails before leaves without MPI_Finalize. All calls are made by one thread.
 */
#pragma once

#include "trainer/ranks/ranks.h"

#include <stddef.h>

#define MPI_OBJECT "fpreport-mpi.so"

struct mpi;

/* NULL: no MPI has started us, or there is none here, or it is another one that did. ERR_IO when it
 * fails. */
int mpi_open(struct mpi **out, const struct ranks *ranks, struct err *err);

/* The same bytes on every rank: rank 0's. */
int mpi_share(struct mpi *m, void *bytes, size_t n, struct err *err);

/* `well`: waits for all ranks to have come so far. */
void mpi_close(struct mpi *m, bool well);
