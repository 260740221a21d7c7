/*
 * pattern_rows: frameworks whose report is one line of fixed words with numbers between them.
 *
 * A row is the line, written as base/lines/pattern.h says, with its fields, and what else may stand
 * anywhere in it. Of a line the first row counts that describes it. A row takes a step ({step}, or
 * one of those in an epoch) and {loss}, or {mean} where the program prints a loss that is smoothed
 * over several steps. A project's own rows have the same fields (own_rows.h).
 */
#pragma once

#include "base/arena.h"
#include "base/lines/pattern.h"

enum log_field {
    FIELD_STEP,
    FIELD_LOSS,
    FIELD_MEAN,
    FIELD_EPOCH,
    FIELD_EPOCH0,
    FIELD_IN_EPOCH,
    FIELD_IN_EPOCH0,
    FIELD_PER_EPOCH,
    FIELD_SECONDS,
    FIELD_MS,
    FIELD_STEPS_PER_S,
    FIELD_SAMPLES_PER_S,
    FIELD_TOKENS_PER_S,
    FIELD_CARD_RATE,
    FIELD_MFU,
    FIELD_MFU_SHARE,
    FIELD_TFLOPS,
    FIELD_GIB,
    FIELD_GB,
    FIELD_MIB,
    FIELD_GRAD_NORM,
    FIELD_RANK,
    FIELDS
};

extern const struct pattern_names pattern_row_fields;

#define PATTERN_ROW_MORE 6

struct pattern_row {
    const char *name; /* of the framework */
    const char *line;
    const char *more[PATTERN_ROW_MORE]; /* NULL ends them */
};

/* A line that the row describes, with {step} 12 or step 3 of epoch 1, and a loss of 2.5. */
void pattern_row_example(const struct pattern_row *row, struct buf *out);

/* Ends with a row without a line. */
extern const struct pattern_row pattern_rows[];
