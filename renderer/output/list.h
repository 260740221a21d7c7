/*
 * outdir_list: the files that we wrote, as renderer/output/outdir.c keeps them in OUTDIR_LIST_NAME.
 *
 *     fpreport-build 1
 *     <64 hex digits><two spaces><relative path>
 *     …
 *
 * Sorted by path, then digest. A path stands twice only while files are replaced one by one: it
 * is then known to hold one of the two.
 *
 * A list that is longer than one file may be lies in parts beside that file, which then reads
 *
 *     fpreport-build parts 1
 *     <64 hex digits><two spaces>.fpreport-build-<the first 16 of them>
 *     …
 *
 * A part is named by its digest, so the parts of an old list stay until the new list is in place.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/signing/hash.h"

#include <stdbool.h>
#include <stddef.h>

struct outdir_file {
    const char *path;
    char digest[HASH_HEX_SIZE];
    bool staged; /* its bytes lie in the staging tree; else the old file has them */
};

struct outdir_list {
    struct outdir_file *files;
    size_t n;
    size_t found; /* where a path was found last */
};

/* NULL, or what is wrong with this relative path ("an absolute path", …). */
const char *outdir_path_fault(const char *rel);

/* Read <root>/OUTDIR_LIST_NAME. A missing list is empty. */
int outdir_list_load(struct outdir_list *list, const char *root, struct arena *arena,
                     struct err *err);

struct outdir_file *outdir_list_add(struct outdir_list *list, struct arena *arena,
                                    const char *path);
void outdir_list_sort(struct outdir_list *list);

/* The text of OUTDIR_LIST_NAME. Where rows have more than `part_max` bytes, they go to `put` in
 * parts, each with its name; NULL: they go nowhere. -1 when `put` fails. */
#define OUTDIR_LIST_PART (((size_t)64 << 20) - 1)
typedef int outdir_list_put(void *self, const char *name, struct bytes part, struct err *err);
int outdir_list_write(const struct outdir_list *list, size_t part_max, struct buf *out,
                      outdir_list_put *put, void *self, struct err *err);

/* Is this path the list, or a part of a list? */
bool outdir_list_is(const char *rel);

/* These need a sorted list, which one thread asks. */
#define OUTDIR_NOWHERE ((size_t)-1)
size_t outdir_list_place(struct outdir_list *list, const char *path);
const struct outdir_file *outdir_list_find(struct outdir_list *list, const char *path);
bool outdir_list_has(struct outdir_list *list, const char *path, const char *digest);
/* The first file below a folder, by its place. */
size_t outdir_list_below(struct outdir_list *list, const char *folder);
bool outdir_list_has_below(struct outdir_list *list, const char *folder);
