/*
 * mllog: the records of an MLPerf log.
 *
 * A line that contains ":::MLLOG " holds a record: what follows the last such mark on the line,
 * without white space at both ends, has to be one JSON object with the members time_ms, key, value
 * and metadata. Lines end at LF, CR LF or a lone CR (progress bars). Everything else in the file,
 * NULs and bytes of no encoding included, is passed over.
 *
 * Every record is walked, but kept only where its key is one of the given names (names.h). Nothing
 * is copied: records borrow the bytes, which end in a NUL. Rules ask for members of metadata again
 * and again, so their places are noted while they are walked.
 *
 * Limits: a file of MLLOG_BYTES_MAX, MLLOG_RECORDS_MAX records; a record on a line that is longer
 * than MLLOG_LINE_MAX is unreadable.
 */
#pragma once

#include "base/files/file.h"
#include "verifier/mlperf/log/names.h"
#include "verifier/mlperf/log/value.h"

#define MLLOG_TOKEN ":::MLLOG "
#define MLLOG_BYTES_MAX ((size_t)256 << 20)
#define MLLOG_LINE_MAX ((size_t)1 << 20)
#define MLLOG_RECORDS_MAX 1000000

/* A member of metadata, by bytes behind its brace. */
struct mllog_noted {
    uint32_t name_at, name_n; /* with its quotes */
    uint32_t value_at, value_n;
};

struct mllog_record {
    double time_ms; /* of the Unix epoch */
    uint32_t name;  /* of its key */
    uint32_t at;    /* where its mark stands in the file: mllog_line() */
    struct span key, value, metadata;
    const struct mllog_noted *noted; /* all members of metadata; NULL: they were not noted */
    size_t n_noted;
};

struct mllog {
    struct bytes bytes;
    struct mllog_names names;     /* those that were given, and those with a prefix */
    struct mllog_record *records; /* of these names, in file order */
    size_t n;
    size_t n_all;        /* readable records of all keys */
    size_t n_broken;     /* unreadable ones */
    uint32_t broken_at;  /* the first of these */
    size_t n_doubled;    /* lines with several marks */
    uint32_t doubled_at; /* the first of these */
    double back_ms;      /* the largest step back of time_ms from one record to the next; 0 */
    uint32_t back_at;    /* the record behind it */
};

/* Does the file hold such a mark, in its first MiB? */
bool mllog_is(struct bytes bytes);

void mllog_read(struct bytes bytes, const struct mllog_names *names, struct arena *arena,
                struct mllog *out);

/* The last member of metadata of that name, as written; n 0: missing. */
struct span mllog_metadata_span(const struct mllog_record *record, const char *name);

/* The line, from 1, that the byte at `at` stands on. Takes time in proportion to `at`. */
int mllog_line(struct bytes bytes, uint32_t at);

/* The first or the last record of this key; NULL: there is none. */
const struct mllog_record *mllog_first(const struct mllog *log, const char *key);
const struct mllog_record *mllog_last(const struct mllog *log, const char *key);
