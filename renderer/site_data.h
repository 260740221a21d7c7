/*
 * site_data: what the pages show, for programs (private to renderer/site*.c).
 *
 *   data/results.csv, .json                all rows
 *   data/{vendor,accelerator,model}/<id>.csv, .json   those of one page
 *   data/index.json                        every result: state, path, files
 *
 * Tables have the same columns everywhere (data/schema/table.schema.json). Text that a spreadsheet
 * would take for a formula gets an apostrophe in front in CSV; JSON keeps it.
 */
#ifndef RENDERER_SITE_DATA_H
#define RENDERER_SITE_DATA_H

#include "renderer/site_index.h"

int site_data_emit(const struct site_index *index, file_sink *emit, void *self, struct err *err);

#endif
