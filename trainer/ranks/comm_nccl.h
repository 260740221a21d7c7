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
 *
 * NCCL notices some failures (a connection to another machine that breaks) while the rank waits for
 * a collective that will never end, and tells them to who asks. A thread asks every
 * COMM_NCCL_ASK_MS, and calls `failed` once, with NCCL's cause. A call that NCCL refuses returns
 * it.
 *
 * A good end is one that all ranks come to: close() waits until all of them have sent what they had
 * to, and frees everything. Behind abandon(), and where `failed` was called, it waits for nobody.
 */
#pragma once

#include "trainer/ranks/comm.h"

#define COMM_NCCL_ID 128

int comm_nccl_id(char id[COMM_NCCL_ID], struct err *err);

#define COMM_NCCL_ASK_MS 500

struct comm_nccl_place {
    void *stream; /* the device's (a cudaStream_t) */
    int ordinal;  /* of its GPU */
    int rank, world;
    const char *id; /* [COMM_NCCL_ID] */
    /* On another thread, which may neither abandon nor close it; NULL: nobody asks. */
    void (*failed)(void *context, const char *cause);
    void *context;
};

/* Blocks until all ranks have come. */
int comm_nccl_open(struct comm **out, struct device *device, const struct comm_nccl_place *place,
                   struct err *err);

/* "2.28.3", of the library that is loaded. */
const char *comm_nccl_version(char text[16]);
