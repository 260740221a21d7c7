/*
 * sysfile: small text files of the kernel and the system, below a root that tests can choose.
 *
 * Files under /proc and /sys have no size before they are read, which base/files/file.h refuses.
 */
#pragma once

#include "base/arena.h"

#define SYSFILE_MAX ((size_t)8 << 20)

/* "<root>/<path>"; root is "/" normally. */
const char *sysfile_path(const char *root, const char *path, struct arena *arena);

/* Contents without white space at the end, or NULL (errno is set) when it cannot be read, is
 * not a regular file, is larger than SYSFILE_MAX or holds a NUL byte. */
const char *sysfile_read(const char *root, const char *path, struct arena *arena);

/* The value of "key<white space>:<white space>value" or "key=value" at the start of a line, up
 * to the line's end, without quotes around it; NULL when there is none. `separator` is ':' or
 * '='. */
const char *sysfile_field(const char *text, const char *key, char separator, struct arena *arena);
