/*
 * scored_model: a model that is only asked, on one device: weights from files, no gradients that
 * count, no optimizer, no dropout.
 *
 * It holds the weights in the device's format, the activations of one sequence of `length` tokens
 * and a little room that gradients would pass through.
 */
#ifndef TRAINER_SCORE_SCORED_MODEL_H
#define TRAINER_SCORE_SCORED_MODEL_H

#include "base/signing/hash.h"
#include "trainer/training/train.h"

struct device;

struct scored_model_files {
    const char *weights;  /* a path of trainer/tensors/tensor_files.h */
    const char *adapters; /* a folder of peft's; NULL: none */
};

struct scored_model {
    struct model *model; /* trainer/model/model.h's */
    int vocabulary;
    float *row, *logits; /* [vocabulary], of the device and of the host */
    char weights_sha256[HASH_HEX_SIZE],
        adapters_sha256[HASH_HEX_SIZE]; /* model_files.h; "": none */
};

/* Of a training only the model and its adapters count. ERR_USAGE for adapters that it has not. */
int scored_model_open(struct scored_model *s, const struct training *t,
                      const struct scored_model_files *files, int length, struct device *device,
                      struct err *err);
void scored_model_close(struct scored_model *s); /* one that is all zero is allowed */

/* *logits[vocabulary] of what follows tokens[n], n at most `length`, until the next call. */
int scored_model_ask(struct scored_model *s, const int32_t *tokens, size_t n, const float **logits,
                     struct err *err);

#endif
