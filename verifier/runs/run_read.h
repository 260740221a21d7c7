/*
 * run_read: many logs read at once, on as many cores as there are.
 *
 * Each log is read by one thread into memory of its own and copied from there, which leaves behind
 * what growing arrays have cost. What comes out does not depend on the threads.
 */
#pragma once

#include "verifier/runs/run_tree.h"

#define RUN_THREADS_MAX 16

/* Where a log is. */
struct run_source {
    const char *path; /* on disk; NULL: the bytes */
    struct bytes bytes;
    const struct pattern_row *rows; /* a project's own (verifier/logs/log.h); NULL */
};

/* Bytes at hand are read by this thread alone: they come out of archives, in a process that cannot
 * start another (base/process/sandbox.h). Log i, whose `log.file` is set and whose rest is filled,
 * from source i. What cannot be opened is an error in `diags`. */
void run_read(struct run_log *logs, const struct run_source *sources, size_t n, struct arena *arena,
              struct diags *diags);
