/*
 * train_native: a case record, run by the native trainer, logged and shown.
 */
#pragma once

#include "base/project/project.h"
#include "cli/cli.h"
#include "cli/train/training_files.h"
#include "trainer/machine/machine.h"

/* What the log's summary says, for the closing lines on the terminal. */
struct native_outcome {
    bool complete; /* all steps were taken */
    int signal;    /* that stopped it early; 0: none */
    int steps;
    int checkpoint;                          /* step of the last one that was written; 0: none */
    double final_loss, unigram_entropy_nats; /* nats per token */
    double tokens_per_second, step_seconds;  /* without the case's warm-up steps */
    double mfu; /* of a card, by FlagPerf's convention; NaN: it has no peak that is known */
    const char *data_sha256, *weights_sha256;
};

/* Can this case be trained at all? ERR_INPUT with the file and what it should say. Asked before
 * there is a run directory, so that a mistake in a case leaves no run behind. */
int native_check(struct cli *cli, const struct case_record *c, const struct model *model,
                 struct err *err);

/* Where it is trained, and as which of its ranks. */
struct native_place {
    const struct machine_kind *machine;
    struct ranks ranks;
    int ordinal;        /* of the GPU; negative: the rank's number on its machine */
    const char *log;    /* NULL: this rank writes none */
    const char *node;   /* rank 0: where choices of algorithms are kept */
    const char *repeat; /* a run directory whose choices are used again; NULL */
    const struct native_files *files;
    const char *challenge; /* round that the record's seed is of; NULL: it is the case's own */
    bool measure;          /* the machine, before it trains (probe.h) */
    void (*lost)(void *context, const char *sentence); /* see rendezvous.h */
    void (*stopped)(void *context, int signal);        /* before the first step: stop_watch.h */
    void *context;                                     /* of both, which end the process */
};

/* Train the case. Progress goes to stderr if it is a terminal, and this rank has a log. */
int native_run(struct cli *cli, const struct case_record *c, const struct model *model,
               const struct native_place *place, struct native_outcome *outcome, struct err *err);
