/*
 * pictures: image files become rows of pixels, each decoded in a worker (base/process/
 * worker.h) by image.h and made a square by fit.h.
 *
 * A worker takes as many files as have about 4 MiB of squares, so that none has to wait to be
 * heard; memory is that of one image beside them, however many there are. What a file of one is
 * refused for is an error with its name: of several, that of the first.
 */
#pragma once

#include "base/signing/hash.h"
#include "trainer/images/fit.h"

/* Where rows go, each once, in any order; -1 after setting err ends all. */
struct picture_rows {
    int (*put)(void *context, size_t row, const void *rgb, struct err *err);
    void *context;
};

struct picture_files {
    const char *folder;
    const char *const *names;  /* [n], below the folder; row i is of names[i] */
    const char *const *places; /* [n], what names the file, before a message about it; NULL */
    size_t n;
    enum image_fit fit;
    int side;
};

/* Told after each worker how many rows there are. */
typedef void pictures_observer(void *context, size_t done);

/* rows[side * side * IMAGE_CHANNELS]; *sha256: of all files' raw digests in
 * the order of the rows. ERR_INPUT for what is no image, ERR_IO where this machine is at fault. The
 * process must have one thread. */
int pictures_write(const struct picture_files *p, const struct picture_rows *to,
                   char sha256[HASH_HEX_SIZE], pictures_observer *observer, void *context,
                   struct err *err);
