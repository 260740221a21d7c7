/*
 * diff_csv: a curve as people export it, from a file of comma-separated values.
 *
 *   step,loss,iteration_time_s
 *   21,8.531234,141.73
 *
 * The first line that is neither empty nor a comment (#) names the columns, in any order and
 * letter case; which names are known is a table in diff_csv.c, other columns are passed over. A
 * file of nothing but numbers is read as step, loss and, if there is a third, seconds. Cells may
 * be quoted; the separator is that of the header: comma, semicolon or tab; a byte order mark and
 * CRLF are accepted. An empty loss (or NA, null, None) was not logged: the step is left out. NaN
 * and infinities are losses. A line whose step or loss is something else is left out with a
 * warning. Order of lines does not matter here.
 */
#ifndef VERIFIER_DIFF_CSV_H
#define VERIFIER_DIFF_CSV_H

#include "base/diag.h"
#include "base/file.h"

#include <stdbool.h>

#define DIFF_CSV_MAX ((size_t)1 << 30)

/* One report of a step; what is not known is NaN. */
struct diff_point {
    double step, loss, seconds;
    double clock_ms; /* when it was reported, Unix time */
    int line;
    int rank; /* that reports, in a log of several; else the same for all */
};

struct diff_points {
    struct diff_point *items;
    size_t n;
};

/* Do these bytes begin like such a file? */
bool diff_csv_is(struct bytes in);

/* The points in the order of the file; `file` names it in diagnostics. */
void diff_csv_read(const char *file, struct bytes in, struct diff_points *out, struct arena *arena,
                   struct diags *diags);

#endif
