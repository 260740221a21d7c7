/*
 * machine: what one rank trains on: a device, and the comm that joins it to the other ranks.
 *
 * Each kind of machine is a row; a program lists those that it has, the preferred one first.
 * machine_cpu.c is the processor, its ranks joined over TCP; machine_cuda.c is one GPU a rank,
 * joined by NCCL. Several ranks meet (trainer/ranks/rendezvous.h) before anything of theirs can
 * fail, so that each hears of one that is lost.
 */
#pragma once

#include "base/arena.h"
#include "trainer/device/precision.h"
#include "trainer/ranks/comm.h"
#include "trainer/ranks/ranks.h"

#include <pthread.h>

struct machine;
struct probe_scale;

struct machine_wish {
    const struct precision *precision;
    int ordinal;         /* of the GPU; negative: this rank's of its machine */
    const char *choices; /* of algorithms, by an earlier run; NULL: none */
    /* Another rank is gone: called on another thread, see rendezvous.h. */
    void (*lost)(void *context, const char *sentence);
    void *context;
};

struct machine_kind {
    const char *name;                                   /* "cpu", "cuda" */
    bool (*present)(void);                              /* there is one here */
    bool (*computes)(const struct precision *);         /* in this precision */
    int (*libraries)(struct buf *out, struct err *err); /* "cuBLASLt 13.1.0, NCCL 2.28.3" */
    /* Fills device, comm and meeting of m, whose ranks are set; what is filled when it fails is
     * undone by machine_close. */
    int (*open)(struct machine *m, const struct machine_wish *wish, struct err *err);
    void (*choices)(struct device *d, struct buf *out); /* NULL: nothing is chosen */
    /* What is no failure and should be said, a line each, since the last call; NULL: nothing ever.
     */
    void (*remarks)(struct device *d, struct buf *out);
    /* What computes attention of this shape; NULL: there is one way only. */
    void (*attention)(struct device *d, const struct attention_shape *, struct buf *out);
    /* Another device of the same place, in this precision, which it computes in. */
    int (*another)(const struct machine *m, const struct precision *, struct device **out,
                   struct err *err);
    const struct probe_scale *scale; /* of what is measured on it (probe.h) */
    bool measured;                   /* before every training, unless that is not wanted */
};

struct machine {
    const struct machine_kind *kind;
    struct ranks ranks;
    struct device *device;
    struct comm *comm;
    int ordinal;                /* of the GPU */
    pthread_mutex_t ending;     /* of the meeting's end, which several threads may see to */
    struct rendezvous *meeting; /* NULL: alone, or ended */
    bool asked;                 /* for the meeting, whatever came of it */
    void (*lost)(void *context, const char *sentence); /* the wish's */
    void *context;
};

extern const struct machine_kind machine_cpu;

/* What `kind` computes with, by its own words, in `arena`. */
int machine_libraries(const struct machine_kind *kind, struct arena *arena, const char **out,
                      struct err *err);

/* On failure all is closed again, and the other ranks know. Strings of `ranks` are borrowed. */
int machine_open(struct machine *m, const struct machine_kind *kind, const struct ranks *ranks,
                 const struct machine_wish *wish, struct err *err);

/* For a kind's open, first of all: the ranks meet, and bytes[n] are rank 0's for all. `device` is
 * what no two of them may share, "" when they may. */
int machine_meet(struct machine *m, const struct machine_wish *wish, const char *device,
                 void *bytes, size_t n, struct err *err);

/* A rank that fails before there is a machine tells the others, which would wait for it. */
void machine_decline(const struct ranks *ranks, const char *cause);

/* This rank fails, while others may wait for it, and its device for them: they are told, and what
 * is under way on the comm ends. Only machine_close may follow. */
void machine_fail(struct machine *m, const char *cause);

/* For a kind whose comm finds out by itself, on a thread of its own, that it has failed. The moment
 * in which the meeting may know of a rank that is gone, and is why, comes first; then the others
 * are told, and the wish's `lost` is called. */
void machine_broken(struct machine *m, const char *cause);

/* `cause` NULL: this rank ended well, and waits for the others to do so. */
void machine_close(struct machine *m, const char *cause);
