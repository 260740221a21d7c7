/*
 * rendezvous_own: what the two halves of a rendezvous share: the meeting (rendezvous_meet.c), and
 * the watch over those who have met (rendezvous.c).
 */
#pragma once

#include "trainer/ranks/rendezvous.h"

#include <pthread.h>
#include <sys/types.h>

enum peer_state { PEER_AWAITED, PEER_HERE, PEER_ENDED };

struct peer {
    int fd; /* -1: none */
    int rank;
    enum peer_state state;
    double silent;    /* s since it said something, as far as we were not stopped ourselves */
    char device[128]; /* until all have met */
};

struct rendezvous {
    struct ranks ranks; /* as the meeting has settled them */
    struct peer *peers; /* rank 0: the others, by rank; else rank 0 alone */
    int n_peers;
    char address[256]; /* rank 0's */
    pid_t starter;     /* the process that an MPI or srun started this rank by; 0: not known */
    int wake;          /* eventfd that ends the watch */
    pthread_t watch;
    void (*lost)(void *context, const char *sentence);
    void *context;
};

/* One of rendezvous.h's limits, for these ranks. */
static inline double rendezvous_limit(const struct ranks *ranks, double seconds)
{
    return seconds * (ranks->patience > 0 ? ranks->patience : 1);
}

/* All ranks have come, and `wish->bytes` are everybody's. */
int rendezvous_meet(struct rendezvous *r, const struct rendezvous_wish *wish, struct err *err);

/* Rank 0 tells those that are still here. */
void rendezvous_tell(struct rendezvous *r, const char *sentence);
