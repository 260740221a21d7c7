/*
 * worker: untrusted bytes are read in child processes, in a sandbox.
 *
 * For each item a process is forked. It first does what needs the file system (`read`: our own
 * code, which reads untrusted files whole and looks at nothing in them), then enters the sandbox
 * (sandbox.h) and does what looks at the bytes (`work`), and ends. What it has to say comes through
 * a pipe as records of known kinds and sizes in one order: what `read` noted, the places that it
 * came to, the answer, the end. The parent takes no part in the reading: it collects records up to
 * WORKER_ANSWER_MAX, and stops a process that stands still or does not come to its end. Of those
 * that have more than 4 MiB to say one is heard at a time, while the others wait: so what all of
 * them say takes WORKER_ANSWER_MAX and 4 MiB for each core.
 *
 * An answer that came whole is still the word of a process that somebody may have taken over:
 * `take` has to look at every value (base/pack.h never reads past the end). What `read` noted was
 * said before anything was looked at, and can be believed: so what the machine could not do (a file
 * that cannot be read) belongs there.
 *
 * A process that ends otherwise gives no answer, but a reason:
 *   WORKER_BROKEN   what it read is refused: its reader ended by a signal, which is named and no
 *                   more is said, asked for more memory or time than there is for one submission,
 *                   or called what the sandbox does not allow
 *   WORKER_MACHINE  this machine is: no process, no memory, killed from outside, or it did not come
 *                   as far as the sandbox. It accuses nobody
 * A worker that ends by itself with little memory in use may have found none just then: it says so,
 * or a library ends it, or breaks. Whoever took a worker over could say the same, and so stop all
 * that is asked for. So it is tried once more, and where that one ends so, too, the parent looks
 * whether it can have as much as a worker may.
 *
 * As many processes run at a time as there are cores. They are forked by the calling thread, which
 * must be the only one: what another thread holds at the moment (memory, locks) would stay held in
 * the child for ever. So threads (base/parallel.h, renderer/output/ordered.h) and workers take
 * turns; neither starts the other, and no work in a worker uses threads.
 */
#pragma once

#include "base/arena.h"
#include "base/process/sandbox.h"

#include <stdbool.h>
#include <stddef.h>

#define WORKER_MEMORY ((size_t)1 << 30) /* beside what the parent has, and what is read */
#define WORKER_CPU_SECONDS 10
#define WORKER_BYTES_PER_SECOND ((size_t)2 << 20) /* each of so many packed bytes adds a second */
#define WORKER_STILL_SECONDS 60                   /* no processor time and no word for so long */
#define WORKER_PATIENCE 30                        /* s, for each of the processor's that it has */
#define WORKER_HEAD_MAX ((size_t)64 << 10)        /* more is a fault of ours: WORKER_MACHINE */
#define WORKER_ANSWER_MAX ((size_t)256 << 20)
#define WORKER_NOWHERE ((size_t)-1)

/* A worker's own side. */
struct worker {
    int pipe;
    struct arena arena;   /* for what it reads and works out */
    struct buf head;      /* what `read` notes for the parent */
    struct buf answer;    /* what `work` answers */
    unsigned cpu_seconds; /* `read` may give it less, or more */
    size_t packed;        /* bytes that `read` read: limits grow with them */
};

/* What it looks at next; the parent learns of it when it does not come back. */
void worker_at(struct worker *w, size_t place);

enum worker_outcome { WORKER_ANSWERED, WORKER_BROKEN, WORKER_MACHINE };

struct worker_end {
    enum worker_outcome outcome;
    const char *why; /* of the two others, a clause: "it needs more than 1024 MiB of memory" */
    const struct arena *said; /* that knows what `why` was made of (base/sentence.h) */
    size_t place;             /* where it came last; WORKER_NOWHERE */
    struct bytes head;        /* what `read` noted; {NULL, 0} when it did not come so far */
    struct bytes answer;      /* of WORKER_ANSWERED */
};

struct worker_crew {
    void *context;
    /* Both in the worker. What they leave behind is lost, but for head and answer. `read` may work
     * with what is ours (the records), but looks at no untrusted byte. */
    void (*read)(void *context, size_t i, struct worker *w); /* NULL: the bytes are at hand */
    size_t packed;                                           /* how many those are */
    void (*work)(void *context, size_t i, struct worker *w);
    /* In the parent, in any order; what `end` points to is gone afterwards. True: once more. */
    bool (*take)(void *context, size_t i, const struct worker_end *end);
    int still_seconds; /* 0: WORKER_STILL_SECONDS */
    int patience;      /* 0: WORKER_PATIENCE */
    size_t answer_max; /* 0: WORKER_ANSWER_MAX */
    bool text_only;    /* it reads no archive and asks of no signature, which it could not here */
};

/* Why nothing of it can be taken: that it ended so, or answered what cannot be. */
const char *worker_why(const struct worker_end *end);

/* The same as an error about `path`: ERR_IO where this machine is at fault, else ERR_INPUT. -1. */
int worker_fault(const struct worker_end *end, const char *path, struct err *err);

/* Every item, one worker each. */
void worker_each(const struct worker_crew *crew, size_t n);
