/*
 * site_data: what the pages show, for programs (private to renderer/site*.c).
 *
 *   data/results.csv, .json                all rows
 *   data/{vendor,accelerator,model,reference}/<id>.csv, .json   those of one page
 *   data/<table>.csv, .json                the other tables of the site (site_tables.h)
 *   result/<vendor>/<case>/…               those of one result's page
 *   data/index.json                        every result: state, path, files
 *
 * Tables of rows have the same columns everywhere (data/schema/table.schema.json).
 */
#ifndef RENDERER_SITE_DATA_H
#define RENDERER_SITE_DATA_H

#include "renderer/site_index.h"

int site_data_emit(const struct site_index *index, file_sink *emit, void *self, struct err *err);

#endif
