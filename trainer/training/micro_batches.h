/*
 * micro_batches: the passes of one step, in the order of this rank's stage (pipeline.h), with what
 * neighbouring stages pass on between them.
 *
 * What a stage sends leaves while it goes on; it waits for what it needs. Ranks that neither embed
 * nor have the head read no data.
 */
#pragma once

#include "trainer/model/pipeline.h"
#include "trainer/optimizer/zero.h"
#include "trainer/training/batches.h"

struct micro_batches {
    struct model *model; /* borrowed, all three */
    struct zero *zero;
    const struct groups *groups;
    struct pipeline pipeline;
    struct pipeline_pass *passes; /* [n] */
    int n;
    bool reads;           /* data */
    double *parts;        /* [micro_batches], of the device: see means_of_ranks; NULL */
    double *weights;      /* [micro_batches], of the host, what each part counts */
    int passed, returned; /* of the places of what is sent, those that were used last */
    struct err failure;
    bool failed;
};

/* Their model weighs all targets of a step alike; or, `means_of_ranks`, all micro-batches of all
 * ranks, whose own targets do so among themselves, as DeepSpeed does. */
int micro_batches_init(struct micro_batches *b, struct model *model, struct zero *zero,
                       const struct groups *groups, int micro_batches, bool means_of_ranks,
                       struct err *err);
void micro_batches_release(struct micro_batches *b); /* all zero is allowed */

struct micro_batches_step {
    struct batches *batches;
    double loss_scale;
    struct batch_counts counts; /* of the step; where this rank reads data, out */
    uint64_t number;            /* of the step, from 1 */
    /* Asked before each micro-batch begins: leave the step? Its gradients are nothing then. */
    bool (*leaves)(void *context);
    void *context;
    double input_seconds; /* out: += waiting for data */
};

/* Adds up loss and gradients. A failure shows in micro_batches_status. */
void micro_batches_run(struct micro_batches *b, struct micro_batches_step *step);

/* Behind it: the loss that the model summed up becomes this rank's part of the step's loss. */
int micro_batches_loss(struct micro_batches *b, const struct micro_batches_step *step,
                       struct err *err);
int micro_batches_status(const struct micro_batches *b, struct err *err);
