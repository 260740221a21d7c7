/*
 * data_file: token files mapped into memory, and their headers told apart from hostile ones.
 *
 * A reader gets the mapped bytes of a file and finds where its tokens lie. Nothing in a header is
 * believed: every size is checked against the bytes that are there, without overflow.
 */
#pragma once

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* How one token is stored, little endian. */
struct token_format {
    const char *name;      /* "uint16" */
    const char *npy_descr; /* "<u2" */
    int megatron_code;     /* dtype code of an .idx file; 0: not there */
    size_t bytes;
    int64_t (*read)(const unsigned char *);
};

const struct token_format *token_format_of_npy(const char *descr, size_t n); /* NULL: unknown */
const struct token_format *token_format_of_megatron(int code);               /* NULL: unknown */

/* A token file once its header is understood. */
struct token_file {
    void *map;
    size_t map_bytes;
    const unsigned char *bytes; /* the first token */
    size_t tokens;
    const struct token_format *format;
};

/* Map a regular, non-empty file for reading; the other fields are left for a header reader. */
int token_file_map(struct token_file *out, const char *path, struct err *err);
void token_file_unmap(struct token_file *f);

/* Open and check; the map of *out is the caller's. On failure nothing stays mapped. */
int npy_open(struct token_file *out, const char *path, struct err *err);
/* The same of so many dimensions, in C order; shape[dimensions] is filled. */
#define NPY_DIMENSIONS_MAX 4
int npy_open_shaped(struct token_file *out, int dimensions, size_t *shape, const char *path,
                    struct err *err);
int megatron_open(struct token_file *out, const char *path, struct err *err);
