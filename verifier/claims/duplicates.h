/*
 * duplicates: rows of different results that state the same times and rates, to the last digit.
 *
 * Two trainings do not take the same seconds at the same rates; who finds that copied one row from
 * the other. All rows of all peers (base/project/project.h) are sorted by their figures once, so
 * that a row finds its duplicates without looking at every other.
 *
 * Figures are texts, as published: at least DUPLICATES_FIGURES of them, with DUPLICATES_DIGITS
 * digits together (without the zeros of round numbers), make a row that can be told from others.
 * Times and rates count; where there are too few of them, loss and memory as well.
 */
#pragma once

#include "base/figures/metrics.h"
#include "base/project/project.h"
#include "verifier/claims/older_table.h"

#define DUPLICATES_FIGURES 3
#define DUPLICATES_DIGITS 10

struct duplicate {
    const char *figures; /* "e2e_time 28661, p_whole 4475, …" */
    const struct result *result;
    int line; /* 0: a record's */
    int table, row;
};

/* Indexes p->peers; sets p->duplicates. In the project's arena. */
void duplicates_index(struct project *p);

/* For a part of the results, whose rows are compared with those of all others later: rows that ask
 * for their duplicates are noted by findings that are taken out again
 * (verifier/across.h). */
void duplicates_postpone(struct project *p);
bool duplicates_are_postponed(const struct project *p);

/* The rows of one result that others may be duplicates of. */
size_t duplicates_of(const struct result *r, struct arena *arena, const struct duplicate **rows);

/* The figures of a row of a figure table with these columns (NULL: not known), or of an older
 * one; NULL when they are too few. */
const char *duplicates_figures(const struct metrics_column *const *columns, size_t n_columns,
                               const struct row *row, struct arena *arena);
const char *duplicates_older_figures(const struct older_table *t, const struct older_row *row,
                                     struct arena *arena);

/* A row of another vendor or case with these figures; NULL. */
const struct duplicate *duplicates_find(const struct project *p, const struct result *of,
                                        const char *figures);

/* The rows that begin at `from` and state the same figures; how many, 0 behind the last. */
size_t duplicates_group(const struct duplicates *all, size_t from, const struct duplicate **rows);
