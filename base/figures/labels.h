/*
 * labels: the words of a published page, in const tables.
 *
 * A row gives a stable key to one heading, bullet, table row or phrase, with the spellings that
 * pages use and the labels that our own pages print in Chinese and English. The importer
 * recognises by it, the renderer writes by it, the verifier finds bullets and rows by it.
 * Columns of figure tables are in metrics.h. Spellings are compared folded (text_fold: case,
 * full-width forms, white space and Markdown marks do not count).
 */
#pragma once

#include "base/json/shape.h"

enum label_set {
    LABEL_SECTION, /* parts of the page: title, environment, run, batch, general … */
    LABEL_GROUP,   /* headed lists: hardware, software, platform, parallelism … */
    LABEL_ITEM,    /* bullets of the environment and of strategies */
    LABEL_GENERAL, /* rows of the general metrics table, with the remark that goes with each */
    LABEL_COLUMN,  /* header cells of the general metrics table */
    LABEL_SYMBOL,  /* batch sizes: key is the symbol, spellings are the names */
    LABEL_PHRASE,  /* fixed phrases in the cells of the general metrics table */
};

#define LABEL_SPELLINGS_MAX 8

struct label {
    const char *key;
    struct words text;                              /* what our own pages print */
    const char *spellings[LABEL_SPELLINGS_MAX + 1]; /* others that pages use; NULL ends */
    const char *separator;                          /* LABEL_ITEM: as published, ": " or "：" */
    struct words remark;                            /* LABEL_GENERAL, LABEL_SYMBOL: what it means */
};

/* The line that begins the section which the renderer adds to a page; importing leaves out
 * everything from there on. */
#define LABEL_VERIFICATION_MARK "<!-- fpreport:verification -->"

/* A line that parts two lists which would otherwise become one; it says nothing itself. */
#define LABEL_LIST_BREAK "<!-- -->"

const struct label *labels_of(enum label_set set, size_t *n);

/* NULL when there is none. */
const struct label *label_by_key(enum label_set set, const char *key);

/* Is the whole text the row's label, or a spelling of it? */
bool label_is(const struct label *label, const char *text);

/* The row of which it is. */
const struct label *label_find(enum label_set set, const char *text);

/*
 * The row whose label or spelling ends the text, so that "H800硬件环境" and "3.运行情况" are found;
 * the longest wins ("软硬件环境" is not "硬件环境"). *prefix (may be NULL) becomes what stands
 * before it, trimmed: "H800", "3.", "".
 */
const struct label *label_find_suffix(enum label_set set, const char *text, struct arena *arena,
                                      char **prefix);

/* Does the row's label or a spelling of it stand anywhere in the text? */
bool label_within(const struct label *label, const char *text, struct arena *arena);

/* The text in English: the row's label, with what stands before it kept in sections and groups
 * ("H800 hardware environment"); the text itself where no row fits. */
const char *label_english(enum label_set set, const char *text, struct arena *arena);
