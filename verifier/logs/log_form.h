/*
 * log_form: lines that are an earlier line with other numbers.
 *
 * Nearly every line of a long log is. When a format has read a line of which it can say where all
 * its numbers stand and what they mean (log_say.h), the line becomes a form: the bytes between
 * the numbers, and for every number that is wanted its meaning. Of a later line with the same
 * bytes in the same order only the numbers are read; no format is asked.
 *
 * Why the result is the same: a format decides by the bytes between the numbers alone, which are
 * compared in full, the line's end included. A number that nobody wants is a run of
 * "0-9:.-+eE", so it cannot hide a quote, a comma, a bar or a line's end; a colon it can hold,
 * which no format looks for there. Whatever does not match in every byte, or is no number that
 * decimal_read takes whole, is read by the formats again. The tests feed every log in single bytes,
 * too, which no form ever matches.
 *
 * A number that was the same in all lines so far is compared with the rest, until it changes.
 * Forms live with the reader, LOG_FORMS of them at most; a log that keeps making new ones stops
 * being learnt from.
 */
#pragma once

#include "base/lines/span.h"
#include "verifier/logs/log_say.h"

#define LOG_FORMS 8
#define LOG_FORM_MAX 2000 /* bytes of a line that can be learnt */

struct log_forms;

struct log_forms *log_forms_new(void);
void log_forms_free(struct log_forms *s);

/* The line (without its end) that `draft` describes, as the named format read it. */
void log_forms_learn(struct log_forms *s, struct span line, const struct log_draft *draft,
                     const char *format);

/* Lines that were recognised so far. */
size_t log_forms_met(const struct log_forms *s);

/* A line that was recognised. */
struct log_match {
    struct log_said said;
    bool is_point;
    const char *format;
    const char *next; /* behind the line's end */
};

/* Whether the line that begins at `at` has a form. Reads nothing at or behind `end`. */
bool log_forms_match(struct log_forms *s, const char *at, const char *end, struct log_match *m);
