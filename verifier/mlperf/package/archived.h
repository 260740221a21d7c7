/*
 * archived: sealed logs, read in place of a folder.
 *
 * `fpreport import --seal` packs the logs of a directory, the power logs beside them and the
 * description of the system under the names that they have in the package
 * (base/sealed/submission.h). The archive is opened in workers only: once to list its names, and
 * again where its files are read (read.h).
 */
#pragma once

#include "base/sealed/submission.h"

struct mlperf_archive {
    const char *folder; /* below which `path` is opened (base/files/beneath.h); NULL: as named */
    const char *path;
    const char *shown; /* what messages call it */
    /* What is listed. */
    struct tar_member *members; /* names alone */
    size_t n;
    char sha256[HASH_HEX_SIZE];
    bool intact;
    const char *fault; /* the first, where it is not */
};

/* -1 where it cannot be read at all (ERR_INPUT), or this machine failed (ERR_IO). */
int mlperf_archive_list(struct mlperf_archive *archive, struct arena *arena, struct err *err);

/* Do its names say that it holds results of MLPerf, results/SYSTEM/BENCHMARK/result_*.txt? */
bool mlperf_archive_is(const struct mlperf_archive *archive);

/* The packed bytes, at which nothing is looked. */
int mlperf_archive_bytes(const struct mlperf_archive *archive, struct arena *arena,
                         struct bytes *out, struct err *err);
