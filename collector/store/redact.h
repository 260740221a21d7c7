/*
 * store_redact: a submission of the archive without files that are withheld. The archive without
 * them becomes an object, too: what is published is what the log names, and the whole is read this
 * one time, in a worker, as by anything that looks into one.
 */
#pragma once

#include "base/arena.h"
#include "base/sealed/submission.h"
#include "base/store/store.h"

/* What is to be withheld: files that fit one of the patterns of a shell, or (no pattern) all. The
 * patterns are the operator's own. `fitting`: the names of those that fit, in their order. */
struct store_redaction {
    const char *const *patterns;
    int n_patterns;
    const char **fitting;
    size_t n_fitting;
};

bool store_redaction_fits(const struct store_redaction *of, const char *path);

struct store_redacted {
    const char **names; /* of what was withheld */
    size_t n;
    bool stated;        /* there is a statement, which is published all the same */
    struct buf *packed; /* the caller's: the archive without these is appended */
};

/* Of this file of a submission. Names in `arena`. ERR_INPUT: it cannot be redacted so. */
int store_redact(const struct store *s, const struct store_item *item,
                 const struct store_redaction *of, struct arena *arena, struct store_redacted *out,
                 struct err *err);

/* Was anything decided about another run since (`last` NULL: ever)? It may have the same files, and
 * hand them out, or withhold them. */
bool store_is_overtaken(const struct store *s, const struct store_entry *last,
                        const char *submission);

/* What came with this entry, if that is a file of the submission that was not there before; NULL.
 */
const struct store_item *store_came_with(const struct store *s, const struct store_entry *added,
                                         const char *submission);

/* What a submission of the archive holds, and what of it a decision would publish
 * again. */

/* The lines of its manifest, in their order. Every file that a submission came as has the same. */
struct store_files {
    const struct submission_sum *items;
    size_t n;
};

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
