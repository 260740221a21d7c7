/*
 * rendezvous: where the ranks of a training meet, and how each learns that another one is gone.
 *
 * Rank 0 listens; every other rank connects and says its number, the number of ranks and the job's
 * name; when all have come, each is sent rank 0's bytes (NCCL's id). The connections stay: a rank
 * that ends well says so, a rank that fails says why, and one that just vanishes is noticed when
 * its connection closes, or within RENDEZVOUS_SILENCE_S when its machine is gone. Rank 0 tells all
 * others. A thread of its own waits for such news, because the rank itself may hang in a collective
 * that will never end; it calls `lost` once, with a sentence that names the rank and the cause.
 *
 * What connects and does not know the job is turned away. Nothing is encrypted: ranks belong into a
 * network of their own, as NCCL's do.
 */
#ifndef TRAINER_RENDEZVOUS_H
#define TRAINER_RENDEZVOUS_H

#include "trainer/ranks.h"

#include <stddef.h>

#define RENDEZVOUS_BYTES_MAX 4096
#define RENDEZVOUS_WAIT_S 120    /* for all ranks to come */
#define RENDEZVOUS_SILENCE_S 20  /* after which a machine counts as gone */
#define RENDEZVOUS_CAUSE_MAX 512 /* bytes of a cause */

struct rendezvous;

/* `bytes` [n] are rank 0's, and everybody's when it returns. `lost` is called on another thread. */
int rendezvous_open(struct rendezvous **out, const struct ranks *ranks, void *bytes, size_t n,
                    void (*lost)(void *context, const char *sentence), void *context,
                    struct err *err);

/* This rank ends: well (cause NULL), or not, and then the others hear of it. On a good end, rank 0
 * waits for the others to end too, or be lost. */
void rendezvous_close(struct rendezvous *r, const char *cause);

#endif
