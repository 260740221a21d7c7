/*
 * scored_model: a model that is only asked, on one device: weights from files, no gradients that
 * count, no optimizer, no dropout.
 *
 * It holds the weights in the device's format, the activations of one sequence of `length` rows and
 * a little room that gradients would pass through. A model that sees has its tower beside, and each
 * layer's queries, keys and values of the sequence that is read, so that a token that follows is
 * the work of one row (model_set_rows):
 *
 *     scored_model_read(&s, tokens, n, pixels, &logits, &err);     from the beginning
 *     scored_model_go_on(&s, token, &logits, &err);                one token more, as often as
 * wanted
 */
#pragma once

#include "base/signing/hash.h"
#include "trainer/tokens/tokenizer.h"
#include "trainer/training/train.h"

struct device;

struct scored_model_files {
    const char *weights;  /* a path of trainer/tensors/tensor_files.h */
    const char *adapters; /* a folder of peft's; NULL: none */
    /* of a model that sees: the same as weights, where those have them; NULL: they do */
    const char *projector, *tower;
};

struct scored_model {
    struct model *model; /* trainer/model/model.h's */
    struct tower *tower; /* NULL: it does not see */
    int vocabulary;
    int read;            /* rows of the sequence that is read */
    int32_t *rows;       /* [length] of a sequence: tokens, -1 where a picture's row is */
    int32_t *places;     /* [picture_rows], of a picture's rows among them */
    float *row, *logits; /* [vocabulary], of the device and of the host */
    char weights_sha256[HASH_HEX_SIZE],
        adapters_sha256[HASH_HEX_SIZE], /* model_files.h; "": none, or among the weights */
        projector_sha256[HASH_HEX_SIZE], tower_sha256[HASH_HEX_SIZE];
};

/* Of a training only the model and its adapters count. ERR_USAGE for adapters that it has not. */
int scored_model_open(struct scored_model *s, const struct training *t,
                      const struct scored_model_files *files, int length, struct device *device,
                      struct err *err);
void scored_model_close(struct scored_model *s); /* one that is all zero is allowed */

/* *logits[vocabulary] of what follows tokens[n], n at most `length`, until the next call. */
int scored_model_ask(struct scored_model *s, const int32_t *tokens, size_t n, const float **logits,
                     struct err *err);

/* Rows that tokens[n] become with a picture's in them. */
int scored_model_rows(const struct training *t, const int32_t *tokens, size_t n);

/* The same of a model that sees: CONVERSATION_IMAGE stands once among the tokens, where `pixels`
 * [side, side, 3] are not NULL, for the rows of that picture. */
int scored_model_read(struct scored_model *s, const int32_t *tokens, size_t n,
                      const uint8_t *pixels, const float **logits, struct err *err);

/* Of what follows `token`, behind all that was read before; at most `length` rows in all. */
int scored_model_go_on(struct scored_model *s, int32_t token, const float **logits,
                       struct err *err);

/* What a model goes on with, the most likely token each time (greedy), of equals the
 * first, until </s> or a number of tokens. */

struct generation {
    int32_t end; /* </s>, which is not part of the answer; negative: there is none */
    int tokens_max;
};

/* Writes *n_out tokens to out[tokens_max]. Of what the prompt's tokens[n] and pixels are:
 * scored_model_read(). The model must have room for tokens_max rows behind them. 1: it went
 * on with logits that are no numbers. */
int generation_run(const struct generation *g, struct scored_model *model, const int32_t *tokens,
                   size_t n, const uint8_t *pixels, int32_t *out, size_t *n_out, struct err *err);

/* The token of each option's letter, which is the last one that the letter alone becomes,
 * mostly U+2581 and the letter. */

/* letters[n] of A, B, …; ERR_INPUT where two are the same. */
int letters_find(const struct tokenizer *t, int n, int32_t *letters, struct err *err);
