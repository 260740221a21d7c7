/*
 * site_reuse: what a page or table of the site is made from, as a key (base/reuse.h; private to
 * renderer/site*.c).
 *
 * A page of one result depends on that result. A part of a list depends on the results of its rows
 * and on where it stands in the list. Everything else is taken to depend on all results.
 */
#ifndef RENDERER_SITE_REUSE_H
#define RENDERER_SITE_REUSE_H

#include "base/reuse.h"
#include "renderer/site_kinds.h"

/* All results. */
struct reuse_key site_key_all(const struct site_index *index);

/* These rows, of a list of `total`. */
struct reuse_key site_key_rows(const struct site_index *index, const struct site_row *const *rows,
                               size_t n, size_t total);

/* The i-th page of a kind; `all` is site_key_all(). */
struct reuse_key site_key_page(const struct site_kind *kind, const struct site_index *index,
                               size_t i, const struct reuse_key *all);

#endif
