/*
 * site_data_old: rows of a table of the site as the last build wrote it, to be copied (private to
 * renderer/site/data/data.c).
 *
 *     struct site_data_old old;
 *     site_data_old_open(&old, index, path, &site_data_csv, arena);
 *     …                                       // for each row in the order of the new table
 *     const char *text = site_data_old_row(&old, begins, &len);     // NULL: it has to be made
 *
 * Rows of results that did not change stand in both tables in the same order, so that looking for
 * the next one never goes back. A row is known by its first cells (vendor, case, place), which no
 * other row of the table has; what is between two rows is never taken for one.
 */
#ifndef RENDERER_SITE_DATA_DATA_OLD_H
#define RENDERER_SITE_DATA_DATA_OLD_H

#include "base/buf.h"
#include "renderer/site/index/index.h"

struct site_data_old {
    const char *at, *end; /* rows that are left; NULL: there is no such table */
    /* One row from `at` on: its end, and where the next one begins. NULL: there is none. */
    const char *(*row_end)(const char *at, const char *end, const char **next);
    size_t misses;
};

/* "\r\n" outside of quotes ends a row; behind the line of names. */
void site_data_old_csv(struct site_data_old *old, const struct site_index *index, const char *path,
                       struct arena *arena);

/* An object that has a line of its own. */
void site_data_old_json(struct site_data_old *old, const struct site_index *index, const char *path,
                        struct arena *arena);

/* The next row that begins with these bytes. */
const char *site_data_old_row(struct site_data_old *old, const struct buf *begins, size_t *len);

#endif
