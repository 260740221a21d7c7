/*
 * diff_table: several runs, as the rows or parallel plans of one result, beside one reference.
 */
#pragma once

#include "verifier/diff/diff.h"

/* A row for each run, then the notices of each; for a terminal of 80 columns. */
void diff_table_text(const struct diff *diffs, size_t n, struct buf *out);

/* One document, schema fpreport.diffs/1: the reference, and in `diffs` what diff_json says of each
 * run. */
void diff_table_json(const struct diff *diffs, size_t n, struct buf *out);

/* The members of one comparison; the reference is left out when the caller has written it. */
void diff_json_members(const struct diff *d, bool with_reference, struct json_writer *w);
void diff_json_side(const char *key, const struct diff_side *s, struct json_writer *w);
