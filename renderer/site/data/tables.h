/*
 * site_tables: every table of the pages that is none of rows, for programs (private to
 * renderer/site*.c).
 *
 *   data/{rules,references,accelerators,models,compare,changes,events,withdrawn,removed,
 *         figures}.csv, .json
 *   data/compare/<pair>.csv, .json         two results side by side: of all rows that may be
 *                                          compared, figure by figure
 *   data/criteria/<pair>.csv, .json        in what the two are alike, and rows that may be compared
 *   result/<vendor>/<case>/
 *       tables.json                        all tables of the page but curves
 *       figures.csv, environment.csv, agreement.csv, plan.csv, evidence.csv, measured.csv, mfu.csv,
 *       published.csv
 *       curves.csv, curves.json            every logged step, nothing left out
 *
 * A table of a result that has no row has no CSV. Forms: data/schema/list.schema.json and
 * tables.schema.json.
 */
#ifndef RENDERER_SITE_DATA_TABLES_H
#define RENDERER_SITE_DATA_TABLES_H

#include "base/files/file.h"
#include "renderer/output/reuse.h"
#include "renderer/site/data/data_table.h"
#include "renderer/site/index/index.h"

struct site_keys;
int site_tables_emit(const struct site_index *index, const struct site_keys *keys, file_sink *emit,
                     void *self, struct err *err);
int site_tables_results_emit(const struct site_index *index, file_sink *emit, void *self,
                             struct err *err);

/* tables_pair.c: the two of a pair. */
int site_tables_pair_emit(const struct site_index *index, const struct site_compared *pair,
                          file_sink *emit, void *self, struct err *err);

/* Are both files of a table those of the last build? Made together, they are kept together. */
bool site_table_keeps(const struct site_index *index, const char *path, const struct reuse_key *key,
                      struct arena *arena);

/* "acme/toy#1.2", as tables name a row. */
const char *site_row_place(const struct site_row *row, struct arena *arena);

/* data/<path>.csv and .json, the latter as fpreport.list/1. */
int site_table_emit(const struct data_table *t, const char *path, file_sink *emit, void *self,
                    struct err *err);

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
bool site_difference(const struct metric *m, struct arena *arena, struct site_difference *out);

/* The second text against the first in percent of it, of no column that is known; false where they
 * are not both one value, written alike: "46.3%" and "0.463" may not be compared, nor "62/64" and
 * "31". */
bool site_percent_between(const char *first, const char *second, struct arena *arena,
                          double *percent);

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

/* TP, PP and DP of a row's cell, else of its case; false: neither says, or nothing is parallel. */
struct site_plan {
    long tp, pp, dp, machines, cards;
};
bool site_plan_of(const struct site_row *row, struct site_plan *out);

#endif
