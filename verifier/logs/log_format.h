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

/* What a format tells the reader: steps, values, and a heading for values.
 *
 * Formats whose step lines are nearly all alike use log_say.h, which adds the step and lets the
 * reader learn the line. All of this works on the log of the reader and keeps its bounds. */

/* A name and its length, as a row of a table: LOG_NAME("MFU"). */
struct log_name {
    const char *text;
    size_t n;
};
#define LOG_NAME(literal)              \
    {                                  \
        (literal), sizeof(literal) - 1 \
    }

static inline bool log_name_is(struct span s, struct log_name name)
{
    return s.n == name.n && s.p[0] == name.text[0] && memcmp(s.p, name.text, s.n) == 0;
}

/* A point with nothing known but the step. */
struct log_point log_point_at(const struct log_reader *r, double step);

/* Sets the member at this offset (offsetof) of the point. */
void log_set(struct log_point *p, size_t at, double value);

/* A point without a finite step is dropped. */
void log_add_point(struct log_reader *r, const struct log_point *p);

/* A loss of a whole epoch, of `epochs` (NaN: not said), of a format that prints no steps; of one
 * epoch the last counts. They are the curve of a log that has no point (log.by_epoch). */
void log_add_epoch(struct log_reader *r, const char *format, double epoch, double epochs,
                   double loss);
void log_end_epochs(struct log_reader *r);

/* Says at the end that steps of reports were counted (log.counted). */
void log_note_counted(struct log_reader *r);

/* That the losses from this line on are a sum of several, and that metrics stand there without the
 * line of their step, which looks so. */
void log_note_sum(struct log_reader *r, int line, const char *sum);
void log_note_headless(struct log_reader *r, int line, const char *head);

/* The points, which were in a buffer of the reader's while they grew, into the arena. */
void log_finish_points(struct log_reader *r);

/* What a framework prints of its own rates and memory, under one name for all: tokens/s of a card,
 * of all cards together, and the most GiB of a card. */
#define LOG_CARD_RATE "tokens/s of a card"
#define LOG_RATE "tokens/s of all cards"
#define LOG_MEMORY "GiB of a card"

/* Keeps the largest. */
void log_note_memory(struct log_reader *r, double gib);

/* Replaces the value that is there under this name. */
void log_add_value(struct log_reader *r, struct span key, double value);
