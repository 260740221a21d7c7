/*
 * site_dates: when rows and results are of (private to renderer/site/): dates of runs, records
 * and publications. No clock is asked.
 */
#pragma once

#include "renderer/site/index/index.h"

/* "2026-11-20" or "2026-11-20T22:42:21Z", as RFC 3339 wants it, with the time; NULL for anything
 * else, which a run may say of itself, and for the dates of clocks that were never set. */
const char *site_date(const char *text, struct arena *arena);

/* The day of a row, "2026-11-20": when the run that it has evidence of ended; else when its result
 * was first listed. NULL: nobody says. */
const char *site_row_day(const struct site_index *index, const struct site_row *row,
                         struct arena *arena, bool *ran);

/* When this run of the entry ended, and the last run of its evidence, in `arena` or borrowed; NULL:
 * it does not say so. A run whose evidence failed dates nothing, and none is of a day behind that
 * of the publication. */
const char *site_run_date(const struct site_index *index, const struct site_entry *e,
                          const struct row_evidence *run, struct arena *arena);
const char *site_last_run_date(const struct site_index *index, const struct site_entry *e,
                               struct arena *arena);

/* The newest date of runs of verified results, records and verdicts, else that of the publication:
 * of a feed without entries. NULL when there is none. */
const char *site_newest_date(const struct site_index *index, struct arena *arena);
