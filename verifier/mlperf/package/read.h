/*
 * read: files of a package, read by workers.
 *
 * Files are packed into portions of some 16 MiB. Each portion has a process of its own
 * (base/process/worker.h): it reads the files, enters the sandbox, looks at the bytes and answers
 * with facts. So memory stays in bounds, both processors work, and nothing that a log does to its
 * reader reaches this process. Where a worker ended, the portion is read again by one that says
 * which file it comes to; the file on which that one ended is refused by name, and the others are
 * read again without it.
 *
 * Files of an archive are portions by themselves: the worker opens the archive and finds them in
 * it.
 *
 * Files are opened below the folder that the operator named, never through a link
 * (base/files/beneath.h).
 */
#pragma once

#include "verifier/mlperf/package/archived.h"
#include "verifier/mlperf/package/log_facts.h"
#include "verifier/mlperf/package/small_facts.h"

struct mlperf_file {
    const char *root, *path;            /* of the folder that was named; of the file below it */
    const char *shown;                  /* what findings call it */
    const struct mlperf_ruleset *rules; /* of logs */
    size_t bytes;
    struct bytes given;                   /* what it holds; data NULL: it is read from there */
    const struct mlperf_archive *archive; /* that holds it; NULL: it lies below `root` */
    struct mlperf_facts facts;            /* `kind` is set before it is read */
};

/* Asked of each log in its worker, after the official verdict. */
typedef void mlperf_log_checker(struct mlperf_log_audit *a);

/* Returns -1 where this machine failed, and nobody is to blame: the facts do not count then. */
int mlperf_read_files(struct mlperf_file *files, size_t n, mlperf_log_checker *check,
                      struct arena *arena, struct err *err);

/* The same of files that are all given, in this process, which has to be a worker. `check` NULL: no
 * rule is asked. */
void mlperf_read_given(struct mlperf_file *files, size_t n, mlperf_log_checker *check,
                       struct arena *arena);
