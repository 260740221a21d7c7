/*
 * prepare_conversations: LLaVA's JSON and a folder of images become what a training reads
 * (trainer/data/conversations.h says each file and its shape).
 *
 *     prepare_conversations_begin(&p, &wish, &err);
 *     prepare_conversations_file(&p, path, diags, &err);   for each file, in order
 *     prepare_conversations_end(&p, observer, context, &err);
 *     prepare_conversations_release(&p);                   in any case
 *
 * The folder, which must not be there yet, is there whole or not at all. Numbers are written as
 * they are made: memory is that of one JSON file, and of a name for each image. An image that
 * several samples name is one row, that of the sample which names it first. prepared.json also
 * counts samples whose answers could not be told apart (labelled.h: mismatch).
 */
#pragma once

#include "base/err.h"
#include "base/lookup.h"
#include "base/signing/hash.h"
#include "trainer/conversations/labelled.h"
#include "trainer/conversations/pictures.h"
#include "trainer/tensors/partial_folder.h"

#include <stdbool.h>

/* A .npy file (version 1.0, C order) whose number of rows is known at its end.
 *
 *     npy_begin(&w, path, "<i4", "", 4, &err);           a row: one number, 4 bytes
 *     npy_put(&w, row, numbers, n, &err);                n rows from `row` on, in any order
 *     npy_end(&w, rows, sha256, &err);                   header, fsync, digest of the file
 *     npy_drop(&w);                                      in any case
 *
 * Numbers are written as they lie in memory: on a little-endian machine, which all of ours are. */

struct npy_writer {
    const char *path, *descr, *row_shape; /* borrowed; "" or " 28, 28, 3" */
    size_t row_bytes;
    int fd;
    bool open;
};

int npy_begin(struct npy_writer *w, const char *path, const char *descr, const char *row_shape,
              size_t row_bytes, struct err *err);
int npy_put(struct npy_writer *w, size_t row, const void *rows, size_t n, struct err *err);
int npy_end(struct npy_writer *w, size_t rows, char sha256[HASH_HEX_SIZE], struct err *err);
void npy_drop(struct npy_writer *w); /* one that is all zero is allowed */

#define PREPARED_RECORD "prepared.json"
#define PREPARED_SAMPLES_MAX ((size_t)1 << 24)

struct prepare_conversations_wish {
    const struct conversation_format *format;
    const char *tokenizer, *images, *folder; /* paths; borrowed. images NULL: there are none */
    int side;                                /* of a square, pixels */
};

enum prepared_output {
    PREPARED_TOKENS,
    PREPARED_LABELS,
    PREPARED_OFFSETS,
    PREPARED_PICTURES,
    PREPARED_LENGTHS,
    PREPARED_PIXELS,
    PREPARED_OUTPUTS
};

struct sample_file {
    const char *path, *sha256;
    size_t bytes, samples;
};

struct prepare_conversations {
    struct prepare_conversations_wish wish;
    struct arena arena;
    struct tokenizer tokenizer;
    struct partial_folder partial;
    struct npy_writer outputs[PREPARED_OUTPUTS];
    char sha256[PREPARED_OUTPUTS][HASH_HEX_SIZE]; /* of the files; "": there is none */
    char record_sha256[HASH_HEX_SIZE], images_sha256[HASH_HEX_SIZE];
    struct sample_file *files;
    size_t n_files, samples, tokens, targets, mismatches;
    struct labelled sample; /* the one at hand */
    const char **pictures;  /* [n_pictures]: names, each once */
    size_t n_pictures;
    struct lookup rows; /* of pictures, by their names */
};

int prepare_conversations_begin(struct prepare_conversations *p,
                                const struct prepare_conversations_wish *wish, struct err *err);
int prepare_conversations_file(struct prepare_conversations *p, const char *path,
                               struct diags *diags, struct err *err);
int prepare_conversations_end(struct prepare_conversations *p, pictures_observer *observer,
                              void *context, struct err *err);
void prepare_conversations_release(struct prepare_conversations *p);
