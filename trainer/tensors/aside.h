/*
 * aside: a folder that is there whole or not at all.
 *
 * Its files are written into `PATH.partial`, which is renamed to PATH when all of them are synced.
 * A process that is killed leaves PATH as it was, and perhaps a `.partial` beside it, which is no
 * such folder to anybody and is removed by the next one that begins. A folder that is taken away
 * is renamed first as well, so that none is ever seen with only some of its files.
 */
#ifndef TRAINER_TENSORS_ASIDE_H
#define TRAINER_TENSORS_ASIDE_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>

#define ASIDE_SUFFIX ".partial"

struct aside {
    struct arena arena;
    const char *path, *partial;
    bool begun; /* and neither renamed nor given up */
};

/* Touches no file. */
void aside_init(struct aside *a, const char *path);

/* An empty `.partial`; ERR_USAGE when PATH is there already. */
int aside_begin(struct aside *a, struct err *err);

/* Where a file of the folder is to be written; lives as long as *a. */
const char *aside_path(struct aside *a, const char *name);

/* The folder is PATH from here on, also after a loss of power. */
int aside_commit(struct aside *a, struct err *err);

/* Frees; what was begun and not committed is removed when `clear`. */
void aside_end(struct aside *a, bool clear);

/* Takes PATH away. */
int aside_remove(const char *path, struct err *err);

#endif
