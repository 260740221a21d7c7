/*
 * comm_nccl: collectives of ranks on GPUs, over NCCL.
 *
 * Collectives run on a stream of their own: each waits for what the device's stream had queued,
 * and join() makes the device's stream wait for them. For a given number of ranks and topology
 * NCCL adds up in a fixed order. Environment variables of NCCL are left as they are found
 * (NCCL_NVLS_ENABLE=0 among them).
 *
 * Rank 0 makes an id of COMM_NCCL_ID bytes, which has to reach the others (rendezvous.h, or MPI)
 * before they open.
 */
#ifndef TRAINER_COMM_NCCL_H
#define TRAINER_COMM_NCCL_H

#include "trainer/comm.h"

#define COMM_NCCL_ID 128

int comm_nccl_id(char id[COMM_NCCL_ID], struct err *err);

/* `stream` is the device's (a cudaStream_t). Blocks until all ranks have come. */
int comm_nccl_open(struct comm **out, struct device *device, void *stream, int rank, int world,
                   const char id[COMM_NCCL_ID], struct err *err);

/* "2.28.3", of the library that is loaded. */
const char *comm_nccl_version(char text[16]);

#endif
