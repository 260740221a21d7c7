/*
 * dir: what is in a folder, and below it. A folder that cannot be listed is an error and never an
 * empty one: what is left out of a site because of that would be gone from it.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct dir_entry {
    const char *name;
    bool is_dir; /* a real folder; a link to one is not */
    bool is_regular;
};

/* Entries of one folder, without "." and "..", sorted by strcmp. At most DIR_ENTRIES_MAX, or as
 * many as `most`; one more is ERR_INPUT. */
#define DIR_ENTRIES_MAX ((size_t)100000)
int dir_list(const char *path, struct arena *arena, struct dir_entry **out, size_t *n,
             struct err *err);
int dir_list_within(size_t most, const char *path, struct arena *arena, struct dir_entry **out,
                    size_t *n, struct err *err);

/* What lies there in place of a file, in a message; NULL: a file. Links are not followed: what is
 * published must lie in the folder itself. */
const char *dir_entry_instead(const struct dir_entry *entry);

/* How much a walk looks through, all folders together: entries of any kind, bytes of their paths
 * below the root, and folders within folders. More is ERR_INPUT, as soon as it is met. */
struct dir_limits {
    size_t entries, text;
    int depth;
};
#define DIR_WALK_ENTRIES_MAX ((size_t)4000000) /* a site of 150,000 results has three quarters */
#define DIR_WALK_TEXT_MAX ((size_t)512 << 20)
#define DIR_WALK_DEPTH_MAX 64

/* All regular files below `root`, as paths relative to it, sorted by strcmp of the whole path.
 * Links and special files are left out. A missing root is an empty list. Within the limits above,
 * or others. */
int dir_walk(const char *root, struct arena *arena, const char ***out, size_t *n, struct err *err);
int dir_walk_within(const struct dir_limits *limits, const char *root, struct arena *arena,
                    const char ***out, size_t *n, struct err *err);
