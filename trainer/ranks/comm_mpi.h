/*
 * comm_mpi: collectives of ranks on processors, over MPI.
 *
 * For the multi-rank logic to be tried where there is no GPU; buffers lie in the host's memory.
 * Sums are taken in the order of ranks, whatever the MPI library would do, so that the bits depend
 * on the number of ranks only. Collectives are done when they return: join has nothing to wait for.
 *
 * Also made a shared object of, for what programs that know no MPI ask of one (ranks.h): start,
 * share and end.
 *
 * A rank that fails ends all: comm_mpi_abort, or the end of its process, makes mpirun stop the
 * rest.
 */
#pragma once

#include "trainer/ranks/comm.h"

/* MPI_Init before anything else of the process uses MPI; `rank` and `world` say who we are. */
int comm_mpi_start(int *rank, int *world, struct err *err);
int comm_mpi_open(struct comm **out, struct device *device, struct err *err);
void comm_mpi_end(void);
void comm_mpi_abort(int code); /* ends this process, too */

/* The same bytes on every rank, before there is a device: rank 0's. */
int comm_mpi_share(void *bytes, size_t n, struct err *err);
