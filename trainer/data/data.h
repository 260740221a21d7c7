/*
 * data: one long stream of tokens, cut into samples whose order is fixed by a seed.
 *
 * Kinds:
 *   generated  the corpus of corpus.h; no path
 *   npy        one `.npy` file: one dimension, C order, uint8, int8, int16, uint16, int32,
 *              uint32 or int64, little endian, header version 1, 2 or 3
 *   megatron   a Megatron-LM indexed pair; the path names `x.bin`, `x.idx` or `x`. The stream is
 *              the concatenation of all sequences
 *
 * Files are mapped, not read; they must not change while they are open. Opening reads the stream
 * once: every token must lie in [0, vocabulary), the SHA-256 of the bytes that hold the tokens
 * (the whole .npy file; the whole .bin file) must be the pinned one where one is given, and the
 * unigram entropy is counted. A malformed, truncated or too short file is refused with ERR_INPUT.
 *
 * Sample i of n = (tokens - 1) / length is tokens [i * length, (i + 1) * length], both ends
 * included: neighbours share one token, the last target of one being the first input of the next.
 *
 * Position p of the training is place p % n of epoch p / n, in the order of order.h.
 */
#pragma once

#include "base/err.h"
#include "trainer/data/data_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct data_source {
    const char *kind;   /* "generated", "npy", "megatron" */
    const char *path;   /* NULL for generated */
    const char *sha256; /* 64 hexadecimal digits that the data must have; NULL or "": any */
    int vocabulary;     /* tokens lie below it */
    int length;         /* of a sample; it has length + 1 tokens */
    uint64_t seed;      /* of the order */
};

struct data {
    struct data_source source;    /* strings borrowed */
    const struct data_kind *kind; /* row of the table in data.c */
    struct token_file file;       /* the mapped file, or the generated text on the heap */
    size_t samples;
    char sha256[65];
    double unigram_entropy_nats;
    uint64_t *order; /* [samples], of `epoch` */
    uint64_t epoch;
};

int data_open(struct data **out, const struct data_source *source, struct err *err);
void data_close(struct data *d); /* NULL is allowed */

/* The length + 1 tokens of the sample at a position of the training. */
void data_sample(struct data *d, uint64_t position, int32_t *tokens);
