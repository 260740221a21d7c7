/*
 * site_reuse: what a page or table of the site is made from, as a key (renderer/output/reuse.h;
 * private to renderer/site/).
 *
 * A page of one result depends on that result. A part of a list depends on what it shows of the
 * results of its rows (renderer/site/sheet/reuse.h), on where it stands in the list, and on
 * whether the page of the maker of an accelerator is there: the one that it leads to and that its
 * rows do not imply. Everything else is taken to depend on what all lists show; where no figure is
 * shown, only on the outlines of all results, which most changes of a record leave as they are.
 */
#pragma once

#include "base/records/verdict.h"
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

/* What lists show of a result, as a key (renderer/output/reuse.h).
 *
 * Lists, of whatever kind, show who a result is of, its state and its figures: the tables that they
 * stand in and what became of each, and the errors that made it fail. The rest (most of the
 * environment, batch sizes, notes, other findings) is on pages of the result alone. Who lists more
 * than that adds it to the key. Of runs lists draw curves and tell days: what has evidence or was
 * reproduced is listed as a whole. */

/* A key for each of `n` results, `keys` being those of all that their verdicts are made from. */
void listed_keys(const struct result *results, const struct verdict *verdicts,
                 const struct reuse_key *keys, size_t n, struct reuse_key *out,
                 struct arena *arena);
