/*
 * log_say: what a line says, told number by number, with the place where each stands.
 *
 * A format that reads a step line gives each number that it wants to log_say_number(), each other
 * one to log_say_other(), and ends with log_say(), or with log_say_nothing() when the line is its
 * own but gives no step. From these places log_form.h learns to read the next such line. It must
 * hold that the format would find the same meanings in the same places for any other numbers
 * there; numbers that it does not name count as part of the text. A format that cannot promise
 * this uses log_add_point() instead.
 */
#pragma once

#include "verifier/logs/log.h"

struct log_said {
    struct log_point point;
    double rank;   /* local rank, where the line itself names it; else NaN */
    double batch;  /* samples in the step, all cards; else NaN */
    double tflops; /* TFLOP/s of a card; else NaN */
    double nans;   /* steps whose loss was NaN, which are skipped; else NaN */
};

#define LOG_SAID(member) offsetof(struct log_said, member)
#define LOG_RANKS_MAX 4096
#define LOG_NUMBERS_MAX 64 /* of a line that can be learnt */

/* A number's text and what it is: an offset into log_said, and the factor to the unit there. */
struct log_number {
    struct span text;
    size_t at;
    double scale;
    bool is_stamp; /* a date and time, of STAMP_LENGTH bytes */
};

#define LOG_OTHER SIZE_MAX /* `at` of a number that nobody wants */

/* The line that is being read. */
struct log_draft {
    struct log_number numbers[LOG_NUMBERS_MAX];
    size_t n;
    bool unfit;    /* not to be learnt from */
    bool done;     /* log_say or log_say_nothing was called */
    bool is_point; /* by log_say */
    struct log_said said;
};

/* Nothing known but the line and the rank of its prefix. */
struct log_said log_said_none(const struct log_reader *r);

/* Takes the number at the start of the text, after blanks; false when there is none, or when it is
 * no rank where one is meant. */
bool log_say_number(struct log_reader *r, struct log_said *said, struct span text, size_t at,
                    double scale);
void log_say_other(struct log_reader *r, struct span text);

/* "2024-05-06 10:11:12", when the text begins so, is the point's clock. */
void log_say_stamp(struct log_reader *r, struct log_said *said, struct span text);
double log_stamp_ms(struct span text);

/* Adds the step. Samples per second follow from batch and seconds where they are not said. */
void log_say(struct log_reader *r, const struct log_said *said);
void log_say_nothing(struct log_reader *r);

/* Does a value that stands where a number is expected say in words that there is none, as
 * "tensor(nan)", "N/A" and "None" do? Its first word has letters or dashes and no digit. */
bool log_says_no_number(struct span text);

/* Keeps the largest. */
void log_note_most(struct log_most *to, double value, int line);

/* Can this be the rank of a process on its node? */
bool log_is_rank(double rank);

/* The point that is meant, complete. */
struct log_point log_said_point(const struct log_said *said);
