/*
 * dir: what is in a folder, and below it. A folder that cannot be listed is an error and never an
 * empty one: what is left out of a site because of that would be gone from it.
 */
#ifndef BASE_DIR_H
#define BASE_DIR_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct dir_entry {
    const char *name;
    bool is_dir; /* a real folder; a link to one is not */
    bool is_regular;
};

/* Entries of one folder, without "." and "..", sorted by strcmp. At most DIR_ENTRIES_MAX. */
#define DIR_ENTRIES_MAX 100000
int dir_list(const char *path, struct arena *arena, struct dir_entry **out, size_t *n,
             struct err *err);

/* All regular files below `root`, as paths relative to it, sorted by strcmp of the whole path.
 * Links and special files are left out; depth is at most 64. A missing root is an empty list. */
int dir_walk(const char *root, struct arena *arena, const char ***out, size_t *n, struct err *err);

#endif
