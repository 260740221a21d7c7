/*
 * metrics: the columns that figure tables have, in one table.
 *
 * A row says how published headers spell a column, what its cells hold, the unit, what better
 * means, the labels a reader sees in Chinese and English, and whether evidence has to recompute
 * it before a result may be called verified. Importer, verifier and renderer all look here.
 * Sources: the header variants of the published pages, and what the benchmark defines them to
 * be (docs/FIELDS.md). What a cell says is read by figure.h; a header that is not known is not
 * an error: its cells are text.
 */
#pragma once

#include "base/figures/pipe_table.h"

enum column_kind {
    COLUMN_CONFIGURATION,   /* "A100单机8卡（1x8）" */
    COLUMN_CONFIG_NAME,     /* "config_TP1PP1SH2SP8A10080Gx1x8": name of a configuration file */
    COLUMN_PRECISION,       /* "fp32", "amp", "bf16+fp8" */
    COLUMN_PARALLEL,        /* "TP4PP8DP1" */
    COLUMN_STRATEGY,        /* "sharding=\"stage2\", sharding_degree=8" */
    COLUMN_HYPERPARAMETERS, /* "GAS=64(globalbs=2M tokens)" */
    COLUMN_FIGURE,          /* one number: a rate, a time, a loss */
    COLUMN_SCORE,           /* a number, or actual/target */
    COLUMN_MEMORY,          /* used/total of one card */
    COLUMN_MEMORY_TOTAL,    /* "66.27 * 8 GB": per card, times cards */
    COLUMN_MFU,             /* percentage of the peak */
    COLUMN_FLAG,            /* yes or no */
};

enum direction { DIRECTION_NONE, DIRECTION_HIGHER, DIRECTION_LOWER };

/* What one value can be at all. */
enum range {
    RANGE_ANY,
    RANGE_POSITIVE, /* above 0; a loss only of a language model, others' may be negative */
    RANGE_TIME,     /* above 0, and at most what anybody trains */
    RANGE_FROM_ONE, /* e to the power of a loss */
    RANGE_SHARE,    /* 0 to 100, a percentage or a ratio */
};

#define METRICS_SPELLINGS_MAX 8

struct metrics_column {
    const char *key; /* stable name in records, JSON and messages */
    enum column_kind kind;
    enum direction better;
    enum range range;
    bool evidence; /* must be recomputed from logs for "verified" */
    const char *unit;
    struct words label;
    const char *spellings[METRICS_SPELLINGS_MAX + 1]; /* compared with text_same */
};

const struct metrics_column *metrics_columns(size_t *n);

/* By a header as published; NULL when it is not known. */
const struct metrics_column *metrics_column(const char *header);

/* Columns, and the figures that evidence gives beside them although no page has a column for them:
 * typical memory, power, the exact MFU, whether the target was reached. */
const struct metrics_column *metrics_by_key(const char *key);
bool metrics_is_extra(const char *key);

/* May the cells of this kind hold figures (rather than words)? */
bool metrics_is_numeric(enum column_kind kind);

/* Is this a performance table: first column the configuration, and at least one of figures? */
bool metrics_is_table(const struct table *table);
