/*
 * site_difference: how far two figures are apart, in the unit in which they are printed, and what
 * is one value at all, for pages and data alike (private to renderer/site/).
 */
#pragma once

#include "renderer/site/index/index.h"

/* What was recomputed less what is stated, in the unit in which that is printed, which is the one
 * of its tolerance; false where they are not both one value (points is said nevertheless). */
struct site_difference {
    double value;
    int decimals;   /* as many as the longest of both and of the tolerance has */
    bool points;    /* of percentages: percentage points */
    double percent; /* the same in percent of what is stated; NaN: of 0 */
    /* Of a range: of the end that is farther off. */
    enum { DIFFERENCE_WHOLE, DIFFERENCE_LOWER, DIFFERENCE_UPPER } end;
};
bool site_difference(const struct metric *m, struct site_difference *out);

/* The second figure against the first in percent of it, of no column that is known; false where
 * they are not both one value, written alike: "46.3%" and "0.463" may not be compared, nor "62/64"
 * and "31". */
bool site_percent_between(const struct figure *first, const struct figure *second, double *percent);

/* What the verifier read in a figure, as lists sort and compare it: shares in percent, be they
 * printed as ratios or not, memory that is stated of all cards that of one. `form` is what else has
 * to be alike before two may be divided: "/64" of "62/64", a printed unit; "". False where nothing
 * or no one value was read. */
struct site_value {
    double value;
    const char *form;
};
bool site_value(const struct metric *m, struct arena *arena, struct site_value *out);

/* The same of a figure of two rows as site_value() reads it. false where it has no percent, and
 * then *why is the key of the words for that. */
bool site_rows_between(const struct site_row *a, const struct site_row *b, const char *name,
                       struct arena *arena, double *percent, const char **why);

/* "0.0128", "0" only for 0, "<0.0001" for what is less than the places can say. */
const char *site_percent_text(double percent, int places, struct arena *arena);

/* The same for programs: a number, with an exponent where the places cannot say it. */
const char *site_percent_data(double percent, int places, struct arena *arena);
