/*
 * comm_tcp: collectives of ranks on processors, over TCP with rank 0 in the middle.
 *
 * For the multi-rank logic to run where there is neither a GPU nor an MPI: every byte goes through
 * rank 0, which adds up in the order of ranks, so that the bits depend on the number of ranks only
 * (they are comm_mpi's). Collectives are done when they return: join has nothing to wait for.
 *
 * A group is a comm of its own kind, with the first of its ranks in the middle; there the first
 * rank and another one also send and receive, by an outbox.
 *
 * Rank 0 listens before the ranks meet; `meet` reaches the others by the rendezvous. Nothing is
 * encrypted; what does not know the key is turned away.
 */
#pragma once

#include "trainer/ranks/comm.h"

#include <stdint.h>

struct comm_tcp_hub {
    int listener; /* rank 0's; -1: none */
    struct {
        uint32_t port;
        unsigned char key[16];
    } meet;
};

struct comm_tcp_place {
    int rank, world;
    const char *address; /* rank 0's, as this rank reaches it */
};

/* Rank 0: listen at any free port of this address ("": of all). */
int comm_tcp_listen(struct comm_tcp_hub *hub, const char *address, struct err *err);
void comm_tcp_forget(struct comm_tcp_hub *hub);

/* Returns when all ranks have come; takes the listener, also when it fails. */
int comm_tcp_open(struct comm **out, struct device *device, const struct comm_tcp_place *place,
                  struct comm_tcp_hub *hub, struct err *err);
