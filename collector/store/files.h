/*
 * store_files: what a submission of the archive holds, and what of it a decision would publish
 * again.
 */
#pragma once

#include "base/sealed/submission.h"
#include "base/store/store.h"

/* The lines of its manifest, in their order. Every file that a submission came as has the same. */
struct store_files {
    const struct submission_sum *items;
    size_t n;
};

/* The file of a submission as it came: the bytes that the log names. In the arena `own`. */
int store_files_object(const struct store *s, const struct store_item *item, struct arena *own,
                       struct bytes *packed, struct err *err);

/* In a worker, as by anything that looks into one. */
int store_files_read(const struct store *s, const struct store_item *item, struct store_files *out,
                     struct arena *arena, struct err *err);

/* "a, b, c and 4 more". */
const char *store_files_names(const char *const *names, size_t n, struct arena *arena);

/* again[i] becomes true where some decision withholds that file of `item` now and the next one,
 * which withholds these names (sorted), does not. Decisions about other runs count, too, whose
 * files with the same bytes are withheld until there is a later one about this run. -1: what these
 * withhold is not known. */
int store_files_again(const struct store *s, const struct store_item *item,
                      const struct store_files *files, const char *const *withheld,
                      size_t n_withheld, bool *again, struct arena *arena, struct err *err);
