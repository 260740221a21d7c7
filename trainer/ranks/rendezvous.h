/*
 * rendezvous: where the ranks of a training meet, and how each learns that another one is gone.
 *
 * Rank 0 listens; every other rank connects and says its number, the number of ranks, the job's
 * name and its device; when all have come, each is sent rank 0's bytes (NCCL's id). By an MPI
 * (ranks.h) these bytes travel before, and with them where rank 0 listens and a name for the job
 * that nobody can guess. What connects and does not know the job is turned away. Nothing is
 * encrypted: ranks belong into a network of their own, as NCCL's do.
 *
 * A rank that cannot take part comes and says why (`failed`). That ends the meeting for all, as do
 * two ranks of one number, of two opinions on how many they are, or with one GPU; rank 0 stays for
 * RENDEZVOUS_LINGER_S more to tell those who come later.
 *
 * The connections stay. A rank that ends well says so, one that fails says why, one that dies is
 * noticed when its connection closes. One that says nothing for RENDEZVOUS_SILENCE_S is stopped, or
 * its machine or the way to it is gone; each rank says every RENDEZVOUS_BEAT_S that it is there.
 * A rank whose mpirun, or srun's process on its machine, is gone, is lost itself.
 * That is said by a thread of its own, so that a long step, or a rank that waits for another one,
 * is not silence; time in which the listener itself was stopped does not count. Rank 0 tells all
 * others. The same thread calls `lost` once, with a sentence that names the rank and the cause,
 * because the rank itself may hang in a collective that will never end.
 */
#pragma once

#include "trainer/ranks/ranks.h"

#include <stdbool.h>
#include <stddef.h>

/* What ranks say to each other at and after their meeting (rendezvous.h).
 *
 * A message is a byte of kind, two bytes of length (little endian), and that many bytes. It is sent
 * by one call, so that threads may send on one connection. */

#define RANK_BYTES_MAX 4096 /* that rank 0 has for everybody */

enum message_word {
    MESSAGE_HELLO = 'H',   /* struct rank_hello, packed */
    MESSAGE_START = 'B',   /* all are here; what rank 0 has for everybody */
    MESSAGE_ALIVE = 'A',   /* nothing is new */
    MESSAGE_END = 'E',     /* well; nothing follows */
    MESSAGE_FAILURE = 'F', /* the cause, and from rank 0 the whole sentence */
};

struct rank_message {
    enum message_word word;
    size_t n;
    unsigned char bytes[RANK_BYTES_MAX];
};

/* Who comes: strings are cut to what fits. */
struct rank_hello {
    int rank, world;
    char job[128];
    char device[128]; /* see rendezvous.h */
};

bool rank_say(int fd, enum message_word word, const void *bytes, size_t n);
bool rank_say_hello(int fd, const struct rank_hello *hello);

/* A whole message before `until` (socket.h), or false. */
bool rank_hear(int fd, struct rank_message *m, double until);
bool rank_hear_hello(int fd, struct rank_hello *hello, double until);

/* All times ranks.patience. */
#define RENDEZVOUS_WAIT_S 120    /* for all ranks to come */
#define RENDEZVOUS_LINGER_S 10   /* for ranks to hear that there will be no meeting */
#define RENDEZVOUS_BEAT_S 4      /* a sign of life */
#define RENDEZVOUS_SILENCE_S 20  /* without one, after which a rank counts as gone */
#define RENDEZVOUS_CAUSE_MAX 512 /* bytes of a cause */

struct rendezvous;

struct rendezvous_wish {
    const struct ranks *ranks;
    struct mpi *mpi;    /* NULL: none */
    const char *device; /* that no two ranks may share; "": they may */
    const char *failed; /* why this rank cannot take part; NULL: it does */
    void *bytes;        /* [n] are rank 0's, and everybody's in the end */
    size_t n;
    void (*lost)(void *context, const char *sentence); /* called on another thread */
    void *context;
};

int rendezvous_open(struct rendezvous **out, const struct rendezvous_wish *wish, struct err *err);

/* Rank 0's address as this rank has reached it; rank 0: where it listens, "" for everywhere. */
const char *rendezvous_address(const struct rendezvous *r);

/* This rank ends: well (cause NULL), or not, and then the others hear of it. On a good end, rank 0
 * waits for the others to end too, or be lost. */
void rendezvous_close(struct rendezvous *r, const char *cause);
