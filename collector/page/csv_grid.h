/*
 * csv_grid: a file of separated values as rows of cells (RFC 4180).
 *
 * The separator is the one of comma, semicolon and tab that the first line has most of, outside
 * quotation marks. Lines end at LF or CR LF; a quoted cell may hold line ends. Cells come without
 * blanks at both ends. Rows without any text are left out. A mark of UTF-8 at the beginning is
 * passed over.
 *
 * Whose columns they are is asked elsewhere (mlperf_table.h). Untrusted bytes: read in a worker,
 * and handed on by csv_grid_pack().
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/pack.h"

#define CSV_GRID_BYTES_MAX ((size_t)8 << 20)
#define CSV_GRID_ROWS_MAX 20000
#define CSV_GRID_CELLS_MAX 500 /* of a row */

struct csv_row {
    int line;           /* where it begins */
    const char **cells; /* UTF-8 */
    size_t n;
};

struct csv_grid {
    struct csv_row *rows;
    size_t n;
};

/* -1: it is no such text (ERR_INPUT, with the line). */
int csv_grid_read(struct bytes in, const char *file, struct arena *arena, struct csv_grid *out,
                  struct err *err);

/* From a worker to its parent; what comes is as the reader gives it (base/pack.h). */
void csv_grid_pack(const struct csv_grid *grid, struct buf *out);
void csv_grid_unpack(struct unpack *u, struct arena *arena, struct csv_grid *out);

/* The cell, "" where the row has none. */
const char *csv_cell(const struct csv_row *row, size_t i);
