/*
 * log_add: what a format tells the reader: steps, values, and a heading for values.
 *
 * Formats whose step lines are nearly all alike use log_say.h, which adds the step and lets the
 * reader learn the line. All of this works on the log of the reader and keeps its bounds.
 */
#pragma once

#include "verifier/logs/log.h"

/* A name and its length, as a row of a table: LOG_NAME("MFU"). */
struct log_name {
    const char *text;
    size_t n;
};
#define LOG_NAME(literal)              \
    {                                  \
        (literal), sizeof(literal) - 1 \
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
