/*
 * import_page: what the files of the page importer share; nobody else includes it.
 *
 *   pieces.c   blocks of the page -> pieces (headings, texts, tables, the rest)
 *   import.c   walks the pieces in order, knows the landmarks of a page
 *   items.c    groups and their bullets
 *   batch.c    the batch-size list
 *   tables.c   the general table, the performance section
 *   text.c     runs of source lines kept verbatim
 */
#pragma once

#include "base/diag.h"
#include "base/markdown/markdown.h"
#include "base/records/result.h"

enum piece_kind {
    PIECE_HEADING,
    PIECE_TEXT,  /* lines of a paragraph */
    PIECE_TABLE, /* a pipe table */
    PIECE_OTHER, /* code, HTML, breaks, definitions */
};

/* Part of a block: a paragraph may hold text, a table, and text again. Pieces are in order and
 * share no line. */
struct piece {
    enum piece_kind kind;
    int start, end; /* lines, from 1, both included */
    const struct markdown_block *block;
    const struct markdown_item *item; /* innermost list item, NULL: none */
    bool starts_item;
    const char *text;    /* without list and quote marks; lines joined by '\n' */
    struct table *table; /* PIECE_TABLE */
};

/* How far down the page we are. */
enum part {
    PART_PREAMBLE,
    PART_TITLE,
    PART_ENVIRONMENT,
    PART_RUN,
    PART_BATCH,
    PART_GENERAL,
    PART_PERFORMANCE,
};

#define IMPORT_COLUMNS_MAX 256
#define IMPORT_DEPTH_MAX 8 /* bullets below bullets; deeper ones are kept at this depth */

/* Neighbouring pieces that are kept as they are. */
struct run {
    size_t first, n; /* index of pieces */
};

/* A text that comes in pieces, parted by blank lines; joined once, at its end. */
struct strand {
    int line;
    const char **texts;
    size_t n;
};

struct importer {
    const char *file;
    struct arena *arena;
    struct diags *diags;
    struct result *result;
    struct markdown_page page;
    struct piece *pieces;
    size_t n_pieces;
    enum part part;
    bool foreign; /* its tables are those of another benchmark or framework */

    struct group *group;                    /* open group, NULL: none */
    const struct markdown_item *group_item; /* the list item that holds its heading */
    int group_list;                         /* the list its bullets are in; 0: not known yet */
    struct {
        const struct markdown_item *source;
        struct item *item;
    } path[IMPORT_DEPTH_MAX]; /* open bullets, outermost first */
    size_t depth;

    const struct markdown_item *batch_item;     /* "* 输入批尺寸"; NULL when it is a heading */
    const struct markdown_item *batch_open;     /* list item of the last batch size */
    bool batch_strict;                          /* nothing but batch sizes since the marker */
    struct strand batch_text;                   /* the sentence of the last one */
    struct strand extra_text[PART_PERFORMANCE]; /* by the part that it stands behind */

    struct run run; /* pieces that wait to become an extra or a text block */
};

void importer_warn(struct importer *imp, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* pieces.c */
void import_pieces(struct importer *imp);

/* text.c: source lines first to last of the pieces, indentation of the first line taken
 * off all, blocks left open closed. */
const char *import_verbatim(struct importer *imp, const struct piece *first,
                            const struct piece *last);
const char *import_raw_lines(struct importer *imp, int first, int last);
void import_strand_add(struct importer *imp, struct strand *strand, const char *text);
const char *import_strand_end(struct importer *imp, struct strand *strand);
void import_run_add(struct importer *imp, const struct piece *piece);
void import_run_flush(struct importer *imp); /* before anything that is understood */
void import_extras_end(struct importer *imp);
bool import_has_words(const char *text);                            /* any letter or digit */
const char *import_excerpt(struct importer *imp, const char *text); /* for messages */

/* items.c */
bool import_in_run(const struct importer *imp); /* do groups belong to the run section now? */
void import_group_open(struct importer *imp, const struct piece *heading, const char *label);
void import_group_close(struct importer *imp);
bool import_group_takes(struct importer *imp, const struct piece *piece);
void import_group_add(struct importer *imp, const struct piece *piece);

/* batch.c */
bool import_batch_add(struct importer *imp, const struct piece *piece);
void import_batch_end(struct importer *imp);

/* tables.c */
void import_general(struct importer *imp, struct table *table);
void import_performance(struct importer *imp, const struct piece *piece);
void import_performance_end(struct importer *imp);
