/*
 * run_numbers: which of the numbers 0 to n-1 (nodes, ranks) a round has files of.
 *
 * What a folder is called says how many there may be, up to RUN_NUMBER_MAX, and a submission may
 * have a folder for each of its files: so nothing here has a place for each number, and all is done
 * in the time that the files take.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* A file that has a number. */
struct run_number {
    long number;
    size_t file; /* which one, in their order */
    const char *host;
};

struct run_numbers {
    struct run_number *items;
    size_t n;
};

/* By number, those of one in the order of their files. */
void run_numbers_sort(struct run_numbers *all);

/* The first file with this number, of sorted ones; NULL: none has it. */
const struct run_number *run_numbers_first(const struct run_numbers *all, long number);

/* "0-3, 7" of the numbers below n that no file has, of sorted ones; NULL when all are there. */
const char *run_numbers_missing(const struct run_numbers *all, size_t n, struct arena *arena);
