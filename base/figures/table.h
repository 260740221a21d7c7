/*
 * table: a pipe table as it was published, with the line and the column of each cell.
 *
 * Rows and cells are those of base/json/shape.h, which loads and saves them. What the columns mean
 * is looked up in metrics.h.
 */
#pragma once

#include "base/json/shape.h"

/* Any pipe table. Rows may have fewer or more cells than there are columns. */
struct table {
    int line;
    const char *caption;  /* "A100单机8卡 消融实验"; NULL */
    const char **columns; /* header cells as published */
    size_t n_columns;
    struct row *rows;
    size_t n_rows;
};
