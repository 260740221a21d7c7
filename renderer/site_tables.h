/*
 * site_tables: every table of the pages that is none of rows, for programs (private to
 * renderer/site*.c).
 *
 *   data/{rules,references,accelerators,models,compare,changes,events,withdrawn}.csv, .json
 *   data/compare/<pair>.csv, .json         two results side by side
 *   result/<vendor>/<case>/
 *       tables.json                        all tables of the page but curves
 *       figures.csv, environment.csv, plan.csv, evidence.csv, measured.csv
 *       curves.csv, curves.json            every logged step, nothing left out
 *
 * A table of a result that has no row has no CSV. Forms: data/schema/list.schema.json and
 * tables.schema.json.
 */
#ifndef RENDERER_SITE_TABLES_H
#define RENDERER_SITE_TABLES_H

#include "renderer/data_table.h"
#include "renderer/site_index.h"

int site_tables_emit(const struct site_index *index, file_sink *emit, void *self, struct err *err);
int site_tables_results_emit(const struct site_index *index, file_sink *emit, void *self,
                             struct err *err);

/* data/<path>.csv and .json, the latter as fpreport.list/1. */
int site_table_emit(const struct data_table *t, const char *path, file_sink *emit, void *self,
                    struct err *err);

/* The second figure against the first in percent of it; false where they are not both numbers. */
bool site_percent(const char *first, const char *second, struct arena *arena, double *percent);

/* TP, PP and DP of a row's cell, else of its case; false: neither says, or nothing is parallel. */
struct site_plan {
    long tp, pp, dp, machines, cards;
};
bool site_plan_of(const struct site_row *row, struct site_plan *out);

#endif
