/*
 * csv: rows of comma-separated fields, as RFC 4180 has them and pandas writes and reads them.
 *
 * A field in double quotes may hold commas, line ends and quotes, which are doubled. A line ends
 * with \n or \r\n; empty lines are left out. A quote inside a field without quotes stands for
 * itself. Refused with ERR_INPUT, with the line: text that is not UTF-8 or has a NUL, a quote that
 * is not closed, bytes behind a closed quote, and more than CSV_FIELDS_MAX fields or CSV_ROWS_MAX
 * rows.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"

#define CSV_BYTES_MAX ((size_t)16 << 20)
#define CSV_FIELDS_MAX 16
#define CSV_ROWS_MAX 100000

struct csv_row {
    const char *fields[CSV_FIELDS_MAX];
    size_t n;
    int line; /* its first */
};

/* All rows, in `arena`; `file` is the name in messages. */
int csv_parse(const char *file, struct bytes in, struct arena *arena, struct csv_row **rows,
              size_t *n, struct err *err);
