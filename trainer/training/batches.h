/*
 * batches: what a training reads, micro-batch by micro-batch, ahead of it: tokens of one length
 * (trainer/data/data.h), or conversations with pictures (trainer/data/conversations.h).
 *
 * Samples are dealt out in order: step by step, within a step micro-batch by micro-batch, within
 * that data rank by data rank, then sequence by sequence. So the tokens of a step do not depend on
 * how they are split between ranks and micro-batches, as long as what is read at once is padded to
 * the same length.
 */
#pragma once

#include "trainer/data/conversations.h"
#include "trainer/data/data.h"
#include "trainer/data/reader.h"
#include "trainer/training/train.h"

#include <stdbool.h>

/* Of one step, all ranks together. */
struct batch_counts {
    size_t sequences, tokens; /* padded to the longest of each micro-batch */
    size_t real;              /* of these, not padding */
    size_t pairs;             /* over all sequences, the squares of their padded lengths */
    size_t targets;           /* whose losses are averaged */
    size_t pictures;
};

struct batches {
    const struct training *training; /* borrowed */
    struct data *data;               /* either */
    struct conversations *conversations;
    const char *sha256; /* of the data, as all that follows */
    size_t tokens, samples;
    double unigram_entropy_nats;
    struct reader *reader; /* NULL: this rank reads no data */
    int rank, ranks;       /* of data */
    int32_t *sample;       /* [sequence_length + 1], the reader's */
};

/* Rows are padded to multiples of `round`, where samples differ in length. */
int batches_open(struct batches *b, const struct training *t, int round, struct err *err);
void batches_close(struct batches *b); /* all zero is allowed */

/* The reader begins behind the steps that were taken. */
int batches_begin(struct batches *b, int rank, int ranks, int steps_taken, struct err *err);

/* Of a step of a training that reads tokens of one length. */
struct batch_counts batches_even_step(const struct training *t, int ranks);

struct batch {
    const int32_t *inputs, *targets; /* [micro_batch * length] */
    int length;
    size_t targets_here; /* of this micro-batch */
    int pictures;
    const int32_t *places; /* as conversations.h has them */
    const uint8_t *pixels;
    struct batch_counts step; /* of the step that it is of */
};

/* It stays until the next call. */
void batches_next(struct batches *b, double *waited, struct batch *out);
