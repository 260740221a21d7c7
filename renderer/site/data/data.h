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
 * rows goes on in data/results/2.csv, .json and so on (data_parts.h).
 */
#pragma once

#include "base/buf.h"
#include "base/files/file.h"
#include "renderer/output/reuse.h"
#include "renderer/site/index/index.h"

/* data_index.c: data/index.json. */
void site_data_index(const struct site_index *index, struct buf *out);

/* `keys`: site_keys_of(), for the tables that are of all results. */
struct site_keys;
int site_data_emit(const struct site_index *index, const struct site_keys *keys, file_sink *emit,
                   void *self, struct err *err);
