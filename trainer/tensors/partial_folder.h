/*
 * partial_folder: a folder that is there whole or not at all.
 *
 * Its files are written into `PATH.partial`, which is renamed to PATH when all of them are synced.
 * A process that is killed leaves PATH as it was, and perhaps a `.partial` beside it, which is no
 * such folder to anybody and is removed by the next one that begins. A folder that is taken away
 * is renamed first as well, so that none is ever seen with only some of its files.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>

#define PARTIAL_FOLDER_SUFFIX ".partial"

struct partial_folder {
    struct arena arena;
    const char *path, *partial;
    bool begun; /* and neither renamed nor given up */
    bool found; /* a `.partial` of one that was killed, which is removed */
};

/* Touches no file. */
void partial_folder_init(struct partial_folder *a, const char *path);

/* An empty `.partial`; ERR_USAGE when PATH is there already. */
int partial_folder_begin(struct partial_folder *a, struct err *err);

/* Where a file of the folder is to be written; lives as long as *a. */
const char *partial_folder_path(struct partial_folder *a, const char *name);

/* The folder is PATH from here on, also after a loss of power. */
int partial_folder_commit(struct partial_folder *a, struct err *err);

/* Frees; what was begun and not committed is removed when `clear`. */
void partial_folder_end(struct partial_folder *a, bool clear);

/* Takes PATH away. */
int partial_folder_remove(const char *path, struct err *err);
