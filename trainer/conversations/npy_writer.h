/*
 * npy_writer: a .npy file (version 1.0, C order) whose number of rows is known at its end.
 *
 *     npy_begin(&w, path, "<i4", "", 4, &err);           a row: one number, 4 bytes
 *     npy_put(&w, row, numbers, n, &err);                n rows from `row` on, in any order
 *     npy_end(&w, rows, sha256, &err);                   header, fsync, digest of the file
 *     npy_drop(&w);                                      in any case
 *
 * Numbers are written as they lie in memory: on a little-endian machine, which all of ours are.
 */
#pragma once

#include "base/err.h"
#include "base/signing/hash.h"

#include <stdbool.h>

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
