/*
 * held: files that are in memory in place of a folder: what was taken out of a bundle
 * (base/project/bundle.h). Nothing of them ever names a file of the disk.
 */
#pragma once

#include "base/arena.h"

#include <stddef.h>

struct held_file {
    const char *path; /* below the folder that they are in place of */
    struct bytes bytes;
};

struct held_files {
    struct held_file *items;
    size_t n;
};

/* The contents of a file; NULL: there is none. */
const struct bytes *held_find(const struct held_files *files, const char *path);
