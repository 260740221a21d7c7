/*
 * site_reuse: what a page or table of the site is made from, as a key (renderer/output/reuse.h;
 * private to renderer/site/).
 *
 * A page of one result depends on that result. A part of a list depends on what it shows of the
 * results of its rows (renderer/site/sheet/listed.h), on where it stands in the list, and on
 * whether the page of the maker of an accelerator is there: the one that it leads to and that its
 * rows do not imply. Everything else is taken to depend on what all lists show; where no figure is
 * shown, only on the outlines of all results, which most changes of a record leave as they are.
 */
#pragma once

#include "renderer/output/reuse.h"
#include "renderer/site/sheet/kind.h"

/* What is known of all results but figures, findings and what only their own pages show: who, what,
 * in which states since when, withdrawn, and what the rows are of. And all that lists show: that,
 * and the figures. */
struct site_keys {
    struct reuse_key outline, lists;
    const struct reuse_key *listed; /* one a result */
};

struct site_keys site_keys_of(const struct site_index *index, struct arena *arena);

/* The results of a pair. */
struct reuse_key site_key_pair(const struct site_index *index, const struct site_compared *pair);

/* These rows, of a list of `total`. */
struct reuse_key site_key_rows(const struct site_index *index, const struct site_keys *keys,
                               const struct site_row *const *rows, size_t n, size_t total);

/* The i-th page of a kind. */
struct reuse_key site_key_page(const struct site_kind *kind, const struct site_index *index,
                               size_t i, const struct site_keys *keys);
