/*
 * log_format: what a format of logs is: one const row that its file exports.
 *
 * The files are in verifier/logs/formats/, the table of their rows is
 * verifier/logs/formats/table.c. A segment of a line is offered to the rows in the order of the
 * table until one knows it. `first` and `marks` spare most rows the question: both are necessary,
 * never sufficient.
 *
 * A format that has to remember something from line to line names the bytes of its state; while
 * its functions run, r->of_format points to it. Nobody else reads it. It is zeroed, then `begin`
 * sets what is not zero; it ends with the reader's arena.
 */
#pragma once

#include "verifier/logs/log.h"

/* Bytes of which it is known before a segment is read whether they are in it. */
enum {
    LOG_MARK_NUL = 1,
    LOG_MARK_ESCAPE = 2,
    LOG_MARK_BRACKET = 4, /* '[' */
    LOG_MARK_BAR = 8,     /* '|' */
};

struct log_format {
    const char *name;   /* as it is called in log.format and by `fpreport formats` */
    const char *reads;  /* whose logs these are, in a few words */
    const char *sample; /* lines that this format knows */
    const char *first;  /* the bytes with which a segment can begin; NULL: any */
    unsigned marks;     /* LOG_MARK_… that are in every segment */
    bool steps;         /* gives the steps of a curve, or only values */
    bool anywhere;      /* finds its words behind any prefix: not asked again without it */
    size_t state_bytes; /* of r->of_format; 0: none */

    void (*begin)(struct log_reader *r); /* of the file; NULL: the zeroed state is right */
    /* Whether the segment, which is not empty, is one of its own; it may be part of a line. */
    bool (*read)(struct log_reader *r, struct span segment);
    void (*end)(struct log_reader *r); /* of the file: diagnostics of all of it; NULL */
};

/* In the order in which a segment is offered to them; ends with NULL. */
extern const struct log_format *const log_formats[];

#define LOG_FORMATS_MAX 64

/* Asks one format, log_formats[i], about a segment. */
bool log_offer_to(struct log_reader *r, size_t i, struct span segment);
