/*
 * site_data: what the pages show, for programs (private to renderer/site/).
 *
 *   data/results.csv, .json                all rows
 *   data/{vendor,accelerator,model,reference}/<id>.csv, .json   those of one page
 *   data/<table>.csv, .json                the other tables of the site (tables.h)
 *   result/<vendor>/<case>/…               those of one result's page
 *   data/index.json                        every result: state, path, files
 *
 * Tables of rows have the same columns everywhere (data/schema/table.schema.json). One of many
 * rows goes on in data/results/2.csv, .json and so on.
 */
#pragma once

#include "base/arena.h"
#include "base/files/file.h"
#include "renderer/output/reuse.h"
#include "renderer/site/index/index.h"

/* data_index.c: data/index.json. */
void site_data_index(const struct site_index *index, struct buf *out);

/* `keys`: site_keys_of(), for the tables that are of all results. */
struct site_keys;
int site_data_emit(const struct site_index *index, const struct site_keys *keys, file_sink *emit,
                   void *self, struct err *err);

/* A table of many rows in several files, for no file may have more than 64 MiB
 * (private to renderer/site/).
 *
 *     data/results.json, data/results/2.json, data/results/3.json
 *
 * The first part has the name that the table has with few rows. Each names the next. */

#define DATA_ROWS_MAX ((size_t)20000) /* of one file; a row has about 1,350 bytes of JSON */

struct data_part {
    const char *path, *next; /* next: a link from this file; NULL: it is the last */
    size_t from, n;          /* rows */
};

/* Part `number`, from 1, of the table "results" or "vendor/acme" with `total` rows, at most `most`
 * of them in one file. A table without rows has one part. */
struct data_part data_part_of(const char *table, const char *suffix, size_t number, size_t total,
                              size_t most, struct arena *arena);

size_t data_parts_of(size_t total, size_t most);
