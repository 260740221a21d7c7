/*
 * pipe_table: tables of GitHub Flavored Markdown, which CommonMark does not know.
 *
 * A header row, a delimiter row (`| --- | :-: |`) with the same number of cells, then one row a
 * line. Outer pipes may be missing. Differences from the GFM specification, both because pages
 * need it: the delimiter row must hold a pipe, and a line without any pipe ends the table (GFM
 * would make it a row of one cell, but on real pages it is a remark below the table).
 *
 * Cells are inline Markdown as published, trimmed; `\|` is stored as `|`, as GFM reads it.
 */
#pragma once

#include "base/arena.h"
#include "base/json/shape.h"

/* A pipe table as it was published, with the line and the column of each cell.
 *
 * Rows and cells are those of base/json/shape.h, which loads and saves them. What the columns mean
 * is looked up in metrics.h. */

/* Any pipe table. Rows may have fewer or more cells than there are columns. */
struct table {
    int line;
    const char *caption;  /* "A100单机8卡 消融实验"; NULL */
    const char **columns; /* header cells as published */
    size_t n_columns;
    struct row *rows;
    size_t n_rows;
};

/* Split one line; no cells when it holds no pipe that counts, or nothing beside one pipe. */
void pipe_cells(struct arena *arena, const char *line, struct cell **cells, size_t *n);

/* How many columns the table has that these two lines begin; 0: they begin none. */
size_t pipe_table_columns(struct arena *arena, const char *header, const char *delimiter);

/*
 * Read the table that begins at lines[0] and set *used to its number of lines. `raw` are the
 * same lines as they stand in the page; `line` is the number of the first. Cells get line and
 * column, 0 where the page's own bytes are not known.
 */
struct table *pipe_table_read(struct arena *arena, char **lines, const struct bytes *raw, size_t n,
                              int line, size_t *used);
