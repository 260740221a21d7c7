/*
 * data_parts: a table of many rows in several files, for no file may have more than 64 MiB
 * (private to renderer/site/).
 *
 *     data/results.json, data/results/2.json, data/results/3.json
 *
 * The first part has the name that the table has with few rows. Each names the next.
 */
#pragma once

#include "base/arena.h"

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
