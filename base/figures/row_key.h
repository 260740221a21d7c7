/*
 * row_key: what a row of figures is, whatever it states and wherever it stands.
 *
 * A row is known by its configuration: the first column, and its cells of configuration file,
 * precision, parallel plan, parallel strategy and changed settings (metrics.h), the heading line
 * ("LLaMA-13B") that it stands below, and the caption of its table. Its key is the first
 * ROW_KEY_LEN digits of the SHA-256 of these, in the form of text_fold(), so that spaces, capitals,
 * full-width forms and marks of Markdown make no other row, nor does a column that moved, or one
 * without contents ("", "/", "-"). All of these are the vendor's words: with fewer digits he could
 * look for two configurations that have one key.
 *
 * Figures are no part of it, nor are columns that nobody knows (they may hold figures), nor what
 * the page says of all its rows (environment, batch sizes): it tells none of them from the others.
 * Any other word in a cell makes another row, also where only an error in writing was put right:
 * nobody can tell that from a run with other settings, and a figure that is claimed for other
 * settings than before is not to pass for the one that was published.
 *
 * Rows of one configuration have one key: who needs to tell them apart has the place, too.
 */
#pragma once

#include "base/figures/pipe_table.h"

#define ROW_KEY_LEN 32

struct row_key {
    const char *key;
    const char *words; /* what people know it by: heading and cells as published, " · " between */
};

/* One for each row of a performance table, in their order. */
const struct row_key *row_keys(const struct table *t, struct arena *arena);

/* "1.2-3f2a91c0…": a row as data and addresses name it, the place first; "1.2" without a key. */
const char *row_name(int table, int row, const char *key, struct arena *arena);
