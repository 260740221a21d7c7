/*
 * diff_runs: what the words behind `fpreport diff` name.
 *
 * A word is a path, or VENDOR/CASE of the records, which stands for the submissions that the result
 * names as its evidence: one run each, with the rows that it is evidence for.
 */
#pragma once

#include "cli/cli.h"

#define DIFF_RUNS_MAX 64 /* in one call */

struct diff_run {
    const char *name; /* "a100.log", "globex/tiny_llama", "globex/tiny_llama table 1 row 2" */
    const char *path;
    const char *plan; /* parallel plan of the row; NULL */
};

struct diff_runs {
    struct diff_run *items;
    size_t n;
};

/* Appends the runs that the word names; an exit code, after a message, when there is none. */
int diff_runs_add(struct cli *cli, const char *word, struct diff_runs *runs);

/* The reference that the case of VENDOR/CASE names. */
int diff_runs_reference(struct cli *cli, const char *word, struct diff_run *out);
