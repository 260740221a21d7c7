/*
 * diff_csv: a whole file of comma-separated values as a curve (verifier/curves/curve_csv.h says
 * what its lines may be). A byte order mark and CRLF are accepted. A malformed line is left out
 * with a warning. Order of lines does not matter here.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "verifier/curves/curve_csv.h"

#define DIFF_CSV_MAX ((size_t)1 << 30)

struct diff_points {
    struct curve_point *items;
    size_t n;
    bool counted;       /* steps are numbers of reports */
    bool by_epoch;      /* or of epochs */
    double skipped, of; /* steps that were skipped, of so many (verifier/logs/log_health.h) */
};

/* Do these bytes begin like such a file? */
bool diff_csv_is(struct bytes in);

/* The points in the order of the file; `file` names it in diagnostics. Of several columns with a
 * loss the one whose name holds `column` (NULL: none is named) is read; where that is not one, none
 * is, and an error names them. */
void diff_csv_read(const char *file, const char *column, struct bytes in, struct diff_points *out,
                   struct arena *arena, struct diags *diags);
