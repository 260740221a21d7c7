/*
 * checkpoint_state: training.json of a checkpoint.
 *
 *   {
 *     "format": "fpreport.checkpoint/1",
 *     "step": 10,                 taken
 *     "sequences": 40,            of the data (trainer/data/data.h's positions) that were read
 *     "optimizer_steps": 10,      fewer than step where fp16 overflowed
 *     "loss_scale": 65536, "loss_scale_calm": 3,      trainer/optimizer/optimizer.h
 *     "settings": {…}             what makes a training this one: model, optimizer, schedule,
 *                                 precision, seed, data
 *     "initial_weights": null     or the SHA-256 of those that the training began with
 *   }
 *
 * A checkpoint fits a training when all settings are the same; the rows of a const table (in the
 * .c) say which these are. Numbers are compared as they are written, which is exact. One of a
 * training that began with given weights fits another that would, and the other way round; which
 * weights these were is compared where the training says so.
 */
#pragma once

#include "base/signing/hash.h"
#include "trainer/optimizer/optimizer.h"
#include "trainer/training/train.h"

/* Settings that struct training does not say. */
struct checkpoint_context {
    uint64_t sequences_per_step; /* of all ranks */
    const char *data_sha256;     /* of the data as it was read */
};

struct checkpoint_state {
    uint64_t step, optimizer_steps;
    struct loss_scale loss_scale;
    char initial_sha256[HASH_HEX_SIZE]; /* of the first weights; "": drawn from the seed */
};

int checkpoint_state_write(const char *path, const struct checkpoint_state *s,
                           const struct training *t, const struct checkpoint_context *context,
                           struct err *err);

/* ERR_INPUT, with file, line, what was found and what was expected. loss_scale.moves is the
 * caller's. */
int checkpoint_state_read(const char *path, struct checkpoint_state *s, const struct training *t,
                          const struct checkpoint_context *context, struct err *err);
