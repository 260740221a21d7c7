/*
 * site_reuse: what a page or table of the site is made from, as a key (base/reuse.h; private to
 * renderer/site*.c).
 *
 * A page of one result depends on that result. A part of a list depends on the results of its rows
 * and on where it stands in the list. Everything else is taken to depend on all results; where no
 * figure is shown, only on their outlines, which most changes of a record leave as they are.
 */
#ifndef RENDERER_SITE_REUSE_H
#define RENDERER_SITE_REUSE_H

#include "base/reuse.h"
#include "renderer/site_kinds.h"

/* All results, and all that is known of them but figures, findings and what only their own pages
 * show: who, what, in which states since when, withdrawn, and what the rows are of. */
struct site_keys {
    struct reuse_key all, outline;
};

struct site_keys site_keys_of(const struct site_index *index);

/* The results of a pair. */
struct reuse_key site_key_pair(const struct site_index *index, const struct site_compared *pair);

/* These rows, of a list of `total`. */
struct reuse_key site_key_rows(const struct site_index *index, const struct site_row *const *rows,
                               size_t n, size_t total);

/* The i-th page of a kind. */
struct reuse_key site_key_page(const struct site_kind *kind, const struct site_index *index,
                               size_t i, const struct site_keys *keys);

#endif
