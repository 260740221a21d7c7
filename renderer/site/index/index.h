/*
 * site_index: the records as the pages of the site need them, looked up once (private to
 * renderer/site/).
 *
 * An entry is one result with its verdict and what it names. A row is one row of a table of
 * figures; it is what lists and comparisons are made of. Rows are in an order that mixes no states:
 * verified, partial, unverified, failed, withdrawn, then by vendor, case and place.
 *
 * A group holds the rows that may be compared: one case, one class of precision, one stage, one
 * factor of MFU, one sequence length. There is no order beyond it. A precision that is not known is
 * comparable only with the same words, one that is not said only within its result.
 */
#pragma once

#include "renderer/site/index/input.h"
#include "renderer/site/index/places.h"

/* Rows of one page of a list; more are on further pages. A table of its own for each group of a
 * model is as heavy as some rows. 250 rows are a page of 500 kB. */
#define SITE_PAGE_ROWS 250
#define SITE_PAGE_LEAST 150 /* but for the last page */
#define SITE_GROUP_ROWS 5

/* The figures of lists; each has several columns that it may be in. */
enum site_figure { SITE_RATE, SITE_MFU, SITE_LOSS, SITE_MEMORY, SITE_FIGURES };

/* Of precisions that no table knows: in the class, but not comparable by it. */
#define SITE_CLASS_UNKNOWN "unknown"

struct site_entry {
    const struct result *result;
    const struct verdict *verdict;
    const struct site_places *places;      /* what it says of each row; NULL: `gone` */
    const struct case_record *case_record; /* NULL: no such case */
    const struct model *model;             /* NULL: no record has it */
    const char *model_id;        /* of its page: that of the record, else as the case is named */
    const char *model_called;    /* what it is called where there is no record */
    const struct vendor *vendor; /* NULL: no such vendor */
    const struct site_was *was;  /* in the previous site; NULL: not there, or none is known */
    const struct site_moment *history; /* of its states, the oldest first, the present one last */
    size_t n_history;
    size_t revisions;                   /* publications that changed a figure */
    const struct site_was *gone;        /* it has no record any more (gone.c); NULL: it has */
    bool unread;                        /* `gone`, because its record cannot be read */
    const char *path;                   /* "result/<vendor>/<case>/", below language or data */
    const struct site_row *const *rows; /* of this result, in the order of the page */
    size_t n_rows;
    size_t place; /* among all, by state, vendor and case; alike where these are */
};

struct site_row {
    const struct site_entry *entry;
    const struct table *of;
    int table, row;                 /* from 1; row 0: the result has no figures */
    const struct site_place *place; /* what the verdict says of it; NULL: nothing */
    const char *key;                /* base/figures/row_key.h; NULL: a result without figures */
    const char *configuration;      /* as a reader sees it; "" */
    const char *precision;          /* as a reader sees it; "": not said, or withheld */
    const char *precision_cell;     /* as published */
    const char *precision_class;    /* "16bit", "fp32" … */
    const char *group;          /* what it may be compared with, of its case: "16bit-pretrain-f2" */
    const char *stage;          /* "pretrain", "finetune", or as published; "" */
    double factor, sequence;    /* where they are not those of the case; NaN */
    const char *plan, *changed; /* as a reader sees them; "": the row names none */
    const struct accelerator *accelerator; /* NULL: not said, or no record has it */
    const char *card;                      /* what the page calls it; "": not said, or withheld */
    const char *card_cell;                 /* of the environment, as published; "" */
    const char *card_id;  /* of its page: that of the record, else one of `card`; NULL: no `card` */
    const char *software; /* framework and its version; "" */
    long nodes, cards;    /* cards of one node; 0: not said */
    const struct metric *figures[SITE_FIGURES]; /* NULL: no such column */
    const struct row_evidence *evidence;        /* NULL: none for this row */
};

/* Rows that have a vendor, a model … in common, whether it has a record or not. */
struct site_list {
    const char *id;
    const char *called; /* by those who name it; what a model or card without record is shown as */
    const void *record; /* NULL: there is none for this id */
    const struct site_row **rows;
    size_t n;
};

struct site_group {
    const struct site_entry *of;  /* the first: case and model */
    const struct site_row **rows; /* a part of the rows of its model's list */
    size_t n;
};

/* What one page has of a list: the number-th of `of` pages, from 1. */
struct site_part {
    const struct site_list *list;
    const struct site_row *const *rows;
    size_t n, number, of;
};

struct site_parts {
    struct site_part *items;
    size_t n;
};

/* Two results that have a page side by side. */
struct site_compared {
    const struct site_entry *a, *b;
    const char *name; /* of its page: "acme-toy..globex-toy" */
};

struct site_index {
    const struct site *site;
    struct site_entry *entries; /* one a result, as its file stands among others */
    size_t n_entries;
    const char *newest; /* date of what happened last (site_newest_date); NULL: nothing says */
    const struct site_entry **by_id; /* the same, by their ids */
    const struct site_row **rows;    /* all */
    size_t n_rows;
    /* Those that rows are of, by id; rows of a model in the order of its groups. */
    struct site_list *vendors, *accelerators, *models;
    size_t n_vendors, n_accelerators, n_models;
    struct site_list all;      /* id "" */
    struct site_group *groups; /* by model, case and class */
    size_t n_groups;
    const struct site_group **comparable; /* those with two rows or more */
    size_t n_comparable;
    struct site_list *references; /* cases (records) with a reference curve; rows may be none */
    size_t n_references;
    struct site_parts result_parts, vendor_parts, accelerator_parts, model_parts, reference_parts;
    struct site_compared *pairs; /* of the settings, those whose results are there */
    size_t n_pairs;
    const struct site_entry **withdrawn;
    size_t n_withdrawn;
    struct site_entry *gone; /* that were published and have no record: in no list of rows */
    size_t n_gone;
    struct site_list *feeds; /* the vendors, and those who have nothing but results that are gone */
    size_t n_feeds;
};

void site_index_build(struct site_index *index, const struct site *site, struct arena *arena);

/* gone.c: results that were published and are no longer in the records, as
 * entries: their result has vendor, case and withdrawal alone, their verdict the last state. */
void site_gone_build(struct site_index *index, struct arena *arena);

/* Who has a feed; after the lists. */
void site_feeds_build(struct site_index *index, struct arena *arena);

/* The history of a result, and what it is now. */
void site_history_build(struct site_entry *e, const struct site_was *known, struct site_moment now,
                        struct arena *arena);

/* parts.c: what is on which page. */
void site_parts_build(struct site_index *index, struct arena *arena);

/* "nvidia/", "nvidia/2/": the path of a part below its kind's folder. */
const char *site_part_path(const struct site_part *part, struct arena *arena);

/* The page that a group begins on. */
const struct site_part *site_group_part(const struct site_index *index,
                                        const struct site_group *group);

/* Who has rows in a group: one entry of each vendor, by the vendors' ids. */
const struct site_entry **site_group_vendors(const struct site_group *group, struct arena *arena,
                                             size_t *n);

/* May the figures of these rows stand beside each other? */
bool site_rows_compare(const struct site_row *a, const struct site_row *b);

/* Factor of MFU, and length of a sequence (0: nobody says), be they the row's own or the case's. */
double site_row_factor(const struct site_row *row);
double site_row_sequence(const struct site_row *row);

/* The figure of a row in this column (base/figures/metrics.h); NULL. */
const struct metric *site_row_metric(const struct site_row *row, const char *key);

/* Does an error contradict it, so that nothing is measured by it? What only a warning doubts may be
 * right: it is compared, with its mark beside it. NULL: no. */
bool site_metric_wrong(const struct metric *m);

/* Is its state another than in the previous site, or was it not there? */
bool site_entry_changed(const struct site_entry *e);

/* Was it in the previous site, and has no record now? */
bool site_entry_went(const struct site_entry *gone);

/* The moments since the previous site among which figures changed; how many. */
size_t site_entry_revised(const struct site_entry *e, const struct site_moment **out);

/* Among lists that are sorted by id, as all of an index are; NULL. */
const struct site_list *site_list_find(const struct site_list *lists, size_t n, const char *id);

/* The list, and so the page, of who makes an accelerator, by the list of that; NULL: it has none,
 * for no result is that vendor's, or no record says whose it is. */
const struct site_list *site_maker_page(const struct site_index *index,
                                        const struct site_list *card);
