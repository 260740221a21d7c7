/*
 * ratio: a share that was published as 0.035, in a column whose figures are percentages.
 *
 * The verifier takes MFU without a percent sign that is at most 1 for a ratio (FP1008); beyond 1 it
 * is a percentage. So does every table: what was published stays, with what it is read as beside
 * it.
 */
#pragma once

#include "base/figures/figure.h"
#include "base/figures/metrics.h"

/* Is it one? `c` may be NULL. */
bool ratio_is(const struct metrics_column *c, const struct figure *f);

/* "= 3.5 %" of "0.035", "= 25.4–50.6 %" of "0.254-0.506", "> 37 %" of ">0.37"; "" of what is none.
 * `key` is that of the column. */
const char *ratio_reading(const char *key, const struct figure *says, struct arena *arena);

/* The text and the reading of what it says, "0.035 = 3.5 %"; else the text. */
const char *ratio_read(const char *key, const char *text, const struct figure *says,
                       struct arena *arena);

/* The unit of what is stated for this column: RATIO of a ratio, else `unit`. */
#define RATIO "ratio"
const char *ratio_unit(const char *key, const struct figure *says, const char *unit,
                       struct arena *arena);
