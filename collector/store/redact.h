/*
 * store_redact: a submission of the archive without files that are withheld. The archive without
 * them becomes an object, too: what is published is what the log names, and the whole is read this
 * one time, in a worker, as by anything that looks into one.
 */
#pragma once

#include "base/buf.h"
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
