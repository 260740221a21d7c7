/*
 * data: one long stream of tokens, cut into samples whose order is fixed by a seed.
 *
 * Kinds:
 *   generated  a corpus that needs no download; no path
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
 * Position p of the training is place p % n of epoch p / n, in the order of order_shuffle().
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

/* In which order samples are visited: epoch e visits all of them once, in the permutation
 * that Fisher and Yates's shuffle makes from sequence e of RNG_ORDER (trainer/device/rng.h): for
 * k = n - 1 … 1, swap place k with place below(k + 1). */

/* order[n] of one epoch */
void order_shuffle(uint64_t *order, size_t n, uint64_t seed, uint64_t epoch);

/* A text to train on that needs no download.
 *
 * 262,144 ASCII bytes (a token is a byte, so the vocabulary is 128), made by a small grammar from
 * a fixed seed, with structure at three ranges for a model to find:
 *
 *   letters   48 words of 2 to 6 letters: a word, once begun, is soon decided
 *   words     each word has four followers with weights 8:4:2:1, and the word before it decides
 *             which follower has which weight: an order-2 Markov chain
 *   sentence  one per line, 4 to 9 words, sometimes a comma, a full stop; the last word is the
 *             first again, which only something like attention can know
 *
 * Integer arithmetic only: the same bytes on every machine. Their SHA-256 is pinned here, and
 * corpus_generate refuses to hand out anything else. */

#define CORPUS_BYTES 262144
#define CORPUS_VOCABULARY 128
#define CORPUS_SHA256 "490b775339af795f1db58a65bda3f3bb308b1532fa1a3e5e0a2fc314aab5fb44"

/* Fills text with the corpus; -1 (ERR_IO) if this machine made other bytes. */
int corpus_generate(unsigned char text[CORPUS_BYTES], struct err *err);
