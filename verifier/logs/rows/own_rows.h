/*
 * own_rows: rows of a project, for a log that nobody here knows yet.
 *
 *   records/formats/acme.json
 *     {"schema": "fpreport.format/1", "id": "acme",
 *      "line": "*it {step} of {#} *l={loss} *",
 *      "more": ["*tok/s {card_tokens_per_s}*"],
 *      "sample": "12:00 it 12 of 100 lr 0.1 l=2.5 ok"}
 *
 * The fields are those of pattern_rows.h. A row counts only when it takes a step and a loss, and
 * when it reads its own sample. The rows of fpreport come first. They are for loose files (verify,
 * diff), not for sealed submissions, whose verdict may not depend on a reader's records.
 */
#pragma once

#include "base/diag.h"
#include "base/json/shape.h"
#include "verifier/logs/rows/pattern_rows.h"

#define OWN_ROWS_MAX 64

/* Of such a record: docs/FIELDS.md has its fields. */
extern const struct shape own_format_shape;

/* Of the folder formats/ in `records`, which need not be there. Ends with a row without a line. A
 * file that is malformed is a fault of it, and left out. */
const struct pattern_row *own_rows_load(const char *records, struct arena *arena,
                                        struct diags *diags);

/* Does the row take a step and a loss from this line? The step and the loss are what it takes. */
bool own_row_reads(const struct pattern_row *row, struct span line, double *step, double *loss);
