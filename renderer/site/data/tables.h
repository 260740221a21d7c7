/*
 * site_tables: every table of the pages that is none of rows, for programs (private to
 * renderer/site/).
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
#pragma once

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
