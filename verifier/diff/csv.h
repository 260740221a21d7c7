/*
 * diff_csv: a whole file of comma-separated values as a curve (verifier/curves/curve_csv.h says
 * what its lines may be). A byte order mark and CRLF are accepted. A malformed line is left out
 * with a warning. Order of lines does not matter here.
 */
#ifndef VERIFIER_DIFF_CSV_H
#define VERIFIER_DIFF_CSV_H

#include "base/bytes.h"
#include "base/diag.h"
#include "verifier/curves/curve_csv.h"

#include <stdbool.h>

#define DIFF_CSV_MAX ((size_t)1 << 30)

struct diff_points {
    struct curve_point *items;
    size_t n;
    double skipped, of; /* steps that were skipped, of so many (verifier/logs/log_health.h) */
};

/* Do these bytes begin like such a file? */
bool diff_csv_is(struct bytes in);

/* The points in the order of the file; `file` names it in diagnostics. */
void diff_csv_read(const char *file, struct bytes in, struct diff_points *out, struct arena *arena,
                   struct diags *diags);

#endif
