/*
 * conversations: samples of different lengths, some of which have a picture, from a folder that
 * `fpreport prepare` has made.
 *
 *   tokens.npy     int32 [tokens]: of all samples, one behind the other, as the tokenizer gave
 *                  them; a picture's place is CONVERSATION_IMAGE
 *   labels.npy     int32 [tokens]: the token itself where it is a target, else CONVERSATION_IGNORED
 *                  (at a picture's place always)
 *   offsets.npy    int64 [samples + 1]: sample i is tokens [offsets[i], offsets[i + 1])
 *   pictures.npy   int32 [samples]: row of pixels.npy, or -1. A sample with a picture has one
 *                  place for it, one without has none
 *   lengths.npy    int32 [samples]: what samples are grouped by (length_groups.h): positive with a
 *                  picture, negative without
 *   pixels.npy     uint8 [pictures, side, side, 3], C order: red, green, blue of each pixel, as
 *                  Pillow leaves them behind resize and crop or padding, before /255 and norms;
 *                  absent where there is no picture at all
 *   prepared.json  {…, "outputs": {"tokens.npy": SHA-256 of the file, …}}
 *
 * All little endian, .npy version 1. The digest that a case pins as its data's is that of
 * prepared.json, which has those of the files: all are computed again when a folder is opened, that
 * of pixels.npy where it has at most CONVERSATIONS_HASHED bytes. Nothing in a file is believed:
 * ERR_INPUT names what is malformed. Samples are not cut in the folder, but where they are read.
 *
 * What is read. A picture's place becomes picture_rows rows without a token of their own (-1) and
 * without a target; then a sample is cut to `length` rows, and padded to the right to the longest
 * of its micro-batch, rounded up to a multiple of `round`. A row's target is the label of the row
 * behind it. Padding has token 0 and no targets: under a causal mask no real row sees it.
 *
 * Position p of the training is place p % n of epoch p / n, in the order of data.h, or, grouped,
 * in that of length_groups.h.
 */
#pragma once

#include "base/err.h"
#include "base/signing/hash.h"
#include "trainer/data/data_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONVERSATION_IMAGE (-200)
#define CONVERSATION_IGNORED (-100)
#define CONVERSATIONS_HASHED ((size_t)4 << 30)

struct conversations_wish {
    const char *path;       /* the folder; NULL: the pictures of picture_corpus.h */
    const char *sha256;     /* of prepared.json, or of the picture corpus; NULL or "": any */
    int vocabulary;         /* tokens lie below it */
    int side, picture_rows; /* pixels of a picture; rows that it becomes */
    int length, round;      /* of a sample at most; padded lengths are multiples of it */
    bool questions;         /* of the picture corpus, not captions */
    bool grouped;           /* samples of like lengths are trained at once */
    int ranks, micro_batch; /* grouped: of the training */
    uint64_t seed;          /* of the order */
};

enum conversation_file {
    CONVERSATION_TOKENS,
    CONVERSATION_LABELS,
    CONVERSATION_OFFSETS,
    CONVERSATION_PICTURES,
    CONVERSATION_LENGTHS,
    CONVERSATION_PIXELS,
    CONVERSATION_FILES
};

struct conversations {
    struct conversations_wish wish; /* strings borrowed */
    struct token_file files[CONVERSATION_FILES];
    size_t samples, pictures;
    size_t rows;                 /* of all samples as they are read, without padding */
    int32_t *lengths, *targets;  /* [samples], as they are read */
    int32_t *groups;             /* [samples], what they are grouped by; NULL: they are not */
    double unigram_entropy_nats; /* of the targets */
    char sha256[HASH_HEX_SIZE];
    uint64_t *order; /* [samples], of `epoch` */
    uint64_t epoch;
};

int conversations_open(struct conversations **out, const struct conversations_wish *wish,
                       struct err *err);
void conversations_close(struct conversations *c); /* NULL is allowed */

/* Which sample is at a position of the training. */
size_t conversations_sample(struct conversations *c, uint64_t position);

/* What is counted of a micro-batch, or of several. */
struct conversation_counts {
    size_t real, padded; /* rows of samples; the longest of each micro-batch for all its samples */
    size_t pairs;        /* over all samples, the squares of their padded rows */
    size_t targets, pictures;
};

/* Adds what n neighbouring positions, which are trained at once, have. */
void conversations_count(struct conversations *c, uint64_t position, int n,
                         struct conversation_counts *counts);

/* Of n neighbouring positions, with room for n * wish.length rows and n pictures. */
struct conversation_batch {
    int length;       /* of each sample, padded */
    int pictures;     /* that there are */
    int32_t *inputs;  /* [n * length]; -1 where a picture's row is */
    int32_t *targets; /* [n * length]; TARGET_NONE where there is none */
    int32_t *places;  /* [pictures * picture_rows]: row of the batch, or -1: cut off */
    uint8_t *pixels;  /* [pictures, side, side, 3] */
};
void conversations_read(struct conversations *c, uint64_t position, int n,
                        struct conversation_batch *batch);
