/*
 * verdict_doc: a document of schema fpreport.verify/1, read back.
 *
 * It may come from anyone: JSON is read strictly (base/json/json.h), what is used of it must have
 * its type and be one of the known words, and is refused with file, line and column otherwise. Keys
 * that are not known are passed over, since the schema grows by adding keys.
 */
#pragma once

#include "base/json/json.h"
#include "base/records/verdict.h"

#define VERDICT_DOC_MAX ((size_t)64 << 20) /* bytes; and at most JSON_VALUES_MAX values */
/* Of a file. Where it is not small, each run is read by itself, so that only a run has the limits
 * above. */
#define VERDICT_DOC_LARGE_MAX ((size_t)1 << 30)
#define VERDICT_DOC_SMALL ((size_t)1 << 20)
#define VERDICT_DOC_SCHEMA "fpreport.verify/1"

/* What was read of one run; texts are NULL where the document has null or nothing. `pair` is that
 * of diff.c, 0 in what was read. */
struct doc_metric {
    const char *name, *stated, *recomputed;
    int table, row, pair;
    enum outcome outcome; /* "ok": true, false, null */
    const char *source;   /* struct metric; NULL */
};

struct doc_finding {
    const char *rule, *message, *stated;
    int table, row, pair;
    enum severity severity;
};

struct doc_evidence {
    int table, row, pair;
    const char *sha256;
};

/* What a row is (base/figures/row_key.h); documents of before 2026-11-23 have no keys. */
struct doc_row {
    int table, row;
    const char *key, *configuration;
};

struct doc_run {
    const char *id;
    enum state state;
    struct doc_metric *metrics;
    size_t n_metrics;
    struct doc_finding *findings;
    size_t n_findings;
    struct doc_evidence *evidence;
    size_t n_evidence;
    struct doc_row *rows;
    size_t n_rows;
};

struct verdict_doc {
    const char *file, *tool, *rules;
    const char *only; /* NULL: all rules of the set */
    bool incomplete;  /* something could not be read: its verdict is not there */
    struct doc_run *runs;
    size_t n_runs;
};

/* Does the file look like one: JSON that names the schema? */
bool verdict_doc_is(const char *path);

/* -1 after a diagnostic. */
int verdict_doc_read(const char *file, struct bytes bytes, struct arena *arena,
                     struct verdict_doc *out, struct diags *diags);
/* One of its runs. */
int verdict_doc_read_run(const char *file, struct bytes bytes, struct arena *arena,
                         struct doc_run *out, struct diags *diags);

int verdict_doc_load(const char *path, struct arena *arena, struct verdict_doc *out,
                     struct diags *diags);
