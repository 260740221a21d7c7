/*
 * across: what verdicts about some of the results say when all others are known.
 *
 * One rule compares rows of different cases: FP1016 (verifier/claims/duplicates.h). A process that
 * has only a shard of the cases postpones it. across_take() takes the findings that stand for the
 * question out of a verdict and notes what is needed to answer it later: which figures the rows of
 * the result have, as digests; which rows ask, and where their findings go.
 *
 *     across_add(&all, &noted, arena);            // of every result of every shard
 *     across_sort(&all);
 *     n = across_judge(&all, &noted, arena, &found);   // what FP1016 finds in one of them
 *
 * The order and the words are those of the rule: a document that gets these findings at these
 * places is the one that a verification of all results writes.
 */
#pragma once

#include "base/project/project.h"
#include "base/records/verdict.h"

#define ACROSS_DIGEST_LEN 32 /* hexadecimal digits of the SHA-256 of a row's figures */

struct across_row {
    int table, row;
    const char *digest;
};

/* A row that asks for its duplicates. */
struct across_ask {
    size_t check, finding; /* it goes in front of these, of the verdict without it */
    int line, column, table, row;
    const char *stated, *figures;
};

/* Of one result. */
struct across_result {
    size_t place;   /* among the results of all shards */
    const char *id; /* "<vendor>/<case>" */
    const char *file;
    const char *model; /* id; NULL: not known */
    enum state state;  /* without the rule */
    struct across_row *rows;
    size_t n_rows;
    struct across_ask *asks;
    size_t n_asks;
};

extern const struct shape across_shape;

/* Answers what was postponed, in a verdict from which nothing was taken, where the project has all
 * results (duplicates_index). Sets the state anew. */
void across_resolve(const struct project *p, struct verdict *v, struct arena *arena);

/* Also takes the findings of a postponed rule out of the verdict. */
void across_take(const struct project *p, struct verdict *v, size_t place, struct arena *arena,
                 struct across_result *out);

/* Rows of all results. */
struct across_known;
struct across_all {
    struct across_known *rows;
    size_t n;
};

/* Texts of the result are borrowed: id and model have to stay. */
void across_add(struct across_all *all, const struct across_result *of, struct arena *arena);
void across_sort(struct across_all *all);

struct across_found {
    const struct across_ask *ask;
    struct check_result finding;
};

/* How many of the rows have a duplicate, in the order of the asks. */
size_t across_judge(const struct across_all *all, const struct across_result *of,
                    struct arena *arena, struct across_found **out);

/* The state with these findings. */
enum state across_state(const struct across_result *of, const struct across_found *found, size_t n);
