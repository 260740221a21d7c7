/*
 * columns: text for a terminal of 80 columns.
 *
 * Width is what a terminal shows, not bytes: East Asian characters take two columns. Invalid
 * bytes count as one.
 */
#pragma once

#include "base/arena.h"

#define COLUMNS_MAX 80

size_t columns_width(const char *text);

/* Append `text` padded with blanks to `width` columns, and one more blank. */
void columns_pad(struct buf *out, const char *text, size_t width);

/* The same for a text that may be wider: it is cut, and ends in "…". */
void columns_fit(struct buf *out, const char *text, size_t width);

/* Append `text` and a newline, broken at blanks where a line would pass COLUMNS_MAX. The cursor
 * stands in column `at` (from 0); further lines begin with `indent` blanks. A word that is longer
 * than a line stands on its own. */
void columns_wrap(struct buf *out, size_t at, size_t indent, const char *text);

/* The same on a line of its own: `first` blanks, the text, further lines with `rest` blanks. */
void columns_paragraph(struct buf *out, size_t first, size_t rest, const char *text);
