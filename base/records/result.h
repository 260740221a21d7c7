/*
 * result: the claims of one vendor for one case, as a struct.
 *
 * It follows the published page from top to bottom, so that a page can be read into it and
 * written from it without loss: preamble, title, environment blocks, run section (batch sizes,
 * strategies that stand there), general metrics table, performance blocks, and what the grammar
 * does not know (`extras`, verbatim, each with its place). Labels and cells are kept as published;
 * what they mean is looked up in const tables (base/figures/labels.h, base/figures/metrics.h),
 * never stored. What is derived (checks, states) is not here: see verdict.h.
 */
#pragma once

#include "base/figures/pipe_table.h"
#include "base/json/shape.h"

/* "- OS版本：Ubuntu 22.04": label and value; a bullet without a separator has no label. */
struct item {
    int line;
    const char *label; /* as published; NULL: none */
    const char *value; /* as published, "" when nothing follows the separator; may hold '\n' */
    bool plain;        /* a paragraph, not a bullet */
    struct item *items;
    size_t n_items;
};

/* "- ##### H800硬件环境" with its bullets; what kind it is: labels.h. */
struct group {
    int line;
    const char *label;
    struct item *items;
    size_t n_items;
};

/* "#### 环境配置" with its groups. Most pages have one, some have one per machine. */
struct environment {
    int line;
    const char *title;
    struct group *groups;
    size_t n_groups;
};

/* The value of a batch-size item, possibly only for one stage or experiment. */
struct batch_value {
    int line;
    const char *when; /* NULL: by default; else "pretrain", "finetune", "alignment" */
    const char *value;
};

/* One item of the 输入批尺寸 list. `text` is the published sentence; records written by hand or
 * drafted from a run leave it out and the renderer makes the sentence from the other fields. */
struct batch_item {
    int line;
    const char *name;   /* "local_batchsize"; NULL when the sentence names none */
    const char *symbol; /* "LBS", "MPE", "GAS", "GBS", "TP", "PP"; NULL when not known */
    const char *file;   /* the configuration file that sets it; NULL */
    struct batch_value *values;
    size_t n_values;
    struct words text;
};

/* One block of the 性能指标 section, in order: prose (Markdown) or a table, never both. */
struct block {
    int line;
    struct words text;
    struct table *table;
};

/* Markdown that the grammar does not know, kept as it was. Place: after which part it stands. */
struct extra {
    int line;
    const char *place; /* one of result_places[] */
    const char *text;
};
extern const char *const result_places[]; /* "title" "environment" "run" "batch" "general" */

/* Where the evidence for rows lies. */
struct evidence {
    int line;
    const char *archive;  /* path of the sealed submission, relative to records/ */
    const char *sha256;   /* of its bytes */
    long long table, row; /* from 1, counting tables of figures and their rows; 0: all rows */
    const char
        *run; /* id of the submission, once it was looked up (verifier/proofs/runs.h); NULL */
    bool own; /* the same: and it is signed with a valid key of the result's vendor */
};

struct withdrawal {
    int line;
    const char *date, *by;
    struct words reason;
};

struct origin {
    int line;
    const char *repository, *commit, *path; /* where the page was published */
};

struct result {
    int line;
    const char *vendor, *case_id;
    const char
        *title; /* "Nvidia GPU配置与运行信息参考" without the '#'s; NULL: the page has none */
    const char *preamble; /* Markdown before the title, verbatim */
    int preamble_line;    /* of a page: where it begins; 0: not known. Not a field. */
    struct environment *environments;
    size_t n_environments;
    const char *run_title; /* "运行情况"; NULL when the page has no such heading */
    struct batch_item *batch;
    size_t n_batch;
    struct group *run_groups; /* strategies that stand after the batch sizes */
    size_t n_run_groups;
    struct table *general;
    struct block *performance;
    size_t n_performance;
    struct extra *extras;
    size_t n_extras;
    struct evidence *evidence;
    size_t n_evidence;
    struct withdrawal *withdrawn;
    struct origin *origin;
    const char *file; /* set by the loader, not a field: the path it was read from */
};

extern const struct shape result_shape;

/* Every cell of the tables of figures is read once, when the record is: row->figures, in this
 * arena. Loading a record does so; whoever makes a result or a table in another way calls it. */
void result_read_figures(const struct result *r, struct arena *arena);
void table_read_figures(const struct table *t, struct arena *arena);

/* May a cell that says this stand in this column of a performance table? False where the column
 * holds numbers and this is none: a record must then mark the cell {"as_published": …}. */
bool result_is_figure(const char *column, const struct figure *cell);

/* The tables that hold figures (base/figures/metrics.h: first column is the configuration), in
 * order. */
size_t result_figure_tables(const struct result *r, struct arena *arena, const struct table ***out);

/* Second cell of the first general-table row whose name is `name` (text_same); NULL: none. */
const char *result_general(const struct result *r, const char *name);
