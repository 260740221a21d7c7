/*
 * outdir_list: the files that we wrote, as renderer/output/outdir.c keeps them in OUTDIR_LIST_NAME.
 *
 *     fpreport-build 1
 *     <64 hex digits><two spaces><relative path>
 *     …
 *
 * Sorted by path, then digest. A path stands twice only while files are replaced one by one: it
 * is then known to hold one of the two.
 */
#ifndef RENDERER_OUTPUT_LIST_H
#define RENDERER_OUTPUT_LIST_H

#include "base/arena.h"
#include "base/buf.h"
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
};

/* NULL, or what is wrong with this relative path ("an absolute path", …). */
const char *outdir_path_fault(const char *rel);

/* Read <root>/OUTDIR_LIST_NAME. A missing list is empty. */
int outdir_list_load(struct outdir_list *list, const char *root, struct arena *arena,
                     struct err *err);

struct outdir_file *outdir_list_add(struct outdir_list *list, struct arena *arena,
                                    const char *path);
void outdir_list_sort(struct outdir_list *list);
void outdir_list_write(const struct outdir_list *list, struct buf *out);

/* These need a sorted list. */
#define OUTDIR_NOWHERE ((size_t)-1)
size_t outdir_list_place(const struct outdir_list *list, const char *path);
const struct outdir_file *outdir_list_find(const struct outdir_list *list, const char *path);
bool outdir_list_has(const struct outdir_list *list, const char *path, const char *digest);
bool outdir_list_has_below(const struct outdir_list *list, const char *folder);

#endif
