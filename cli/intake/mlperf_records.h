/*
 * mlperf_records: where `fpreport import` keeps what it makes of results of MLPerf Training.
 *
 *   FOLDER/rounds/v5.1.json, FOLDER/results/v5.1/ORG/SYSTEM.json     base/records/mlperf_record.h
 *
 * FOLDER is -o, else records/mlperf. A published table and a package give two halves of a record:
 * minutes that are published stay beside what the logs of the package give.
 */
#pragma once

#include "base/arena.h"
#include "base/records/mlperf_record.h"
#include "cli/cli.h"

const char *mlperf_records_folder(const struct cli *cli);

/* "v5.1" of "5.1.0" */
const char *mlperf_round_named(struct arena *arena, const char *version);

/* Records of a round that are there already; those that cannot be read are diagnostics. */
struct mlperf_records {
    struct mlperf_record *items;
    size_t n;
};
void mlperf_records_load(struct cli *cli, const char *round, struct mlperf_records *out);

/* That of the same package and system; NULL: there is none. */
const struct mlperf_record *mlperf_records_find(const struct mlperf_records *all,
                                                const char *package, const char *system);

/* NULL: the record has none of this benchmark. */
struct mlperf_score_record *mlperf_record_score(const struct mlperf_record *r,
                                                const char *benchmark);

/* Published minutes of `there` (NULL: nothing is) go into the record that was made of a package:
 * they stay what is stated. Where the logs give others, a warning says so. */
void mlperf_record_keep_published(struct cli *cli, struct mlperf_record *made,
                                  const struct mlperf_record *there);

/* The round, where it is not there, and each of them, at least one. `path` is where git is asked
 * for the repository of the round; NULL: nowhere. An exit code after messages. */
int mlperf_records_write(struct cli *cli, const struct mlperf_record *records, size_t n,
                         const char *path);

/* Where `fpreport import` writes, what is there already stays. */

/* An exit code after a message: what is there and differs is replaced with --force only, for it may
 * hold what was not imported (evidence, English words). */
int import_write(struct cli *cli, const char *path, struct bytes text);
