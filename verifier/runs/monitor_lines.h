/*
 * monitor_lines: how each vendor's tool prints a card.
 *
 * A pattern is matched from the start of a line that was trimmed:
 *
 *   {t} {w} {u} {m} {b} {s}   a number: °C, W, MiB used, MiB there, busy %, memory used in %;
 *                             "NA", "N/A" and "-" are read as not known
 *   {c} {k}                   MHz of a card's multiprocessors, of its memory
 *   {i}                       the number of the card
 *   {-}                       any word
 *   *                         anything up to the next byte of the pattern, or to the end
 *   a blank                   any run of blanks, also none
 *   other bytes               themselves
 */
#ifndef VERIFIER_RUNS_MONITOR_LINES_H
#define VERIFIER_RUNS_MONITOR_LINES_H

#include "base/lines/span.h"

enum reading_field {
    READING_CELSIUS,
    READING_WATTS,
    READING_USED_MIB,
    READING_TOTAL_MIB,
    READING_BUSY,  /* percent */
    READING_SHARE, /* percent */
    READING_SM_MHZ,
    READING_MEMORY_MHZ,
    READING_CARD,
    READINGS,
};

struct reading {
    double value[READINGS]; /* NaN: not in the line, or not known */
};

#define PATTERNS_MAX 4

struct monitor_vendor {
    const char *name, *file;
    /* `cards`: a line of each card begins with it; `more`: another line about the same card. The
     * first pattern that matches counts. */
    const char *cards[PATTERNS_MAX], *more[PATTERNS_MAX];
    bool paired; /* two ranks on a card, whose power stands on the odd ones */
    bool dump;   /* a table with headings and rules: other lines are no fault */
};

/* The row for a file of this name; NULL when no vendor writes one. */
const struct monitor_vendor *monitor_vendor_of(const char *base);

/* The first pattern that matches fills the reading. */
bool monitor_match(const char *const *patterns, struct span line, struct reading *out);

#endif
