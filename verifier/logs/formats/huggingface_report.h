/*
 * huggingface_report: what one report says, a Python dict or a JSON object on one line.
 *
 * Of keys that mean the same the first one of the table counts.
 */
#pragma once

#include "verifier/logs/log.h"

enum key {
    KEY_LOSS,
    KEY_STEP,
    KEY_EPOCH,
    KEY_GRAD_NORM,
    KEY_LEARNING_RATE,
    KEY_SECONDS,
    KEY_OTHER_LOSS, /* a loss where the dict says its step, too */
    KEY_ITER,       /* a step where the dict has no epoch: else it may count in the epoch */
    KEY_CARD_RATE,
    KEY_MEMORY,
    KEY_FINAL
};

/* What one dict says. */
struct report {
    double of[KEY_FINAL];
    bool has[KEY_FINAL];
    size_t row[KEY_FINAL];                      /* of known_keys, that said it */
    double runtime, steps_per_s, samples_per_s; /* NaN */
    bool ends;                                  /* a training */
    bool known;
    bool of_epoch; /* a loss of a whole epoch, and no step */
    bool prefixed; /* a logger's words stand in front of it */
};

/* Is this the quote of a key or a value? */
bool huggingface_is_quoted(struct span s);

/* Reads the dict that s begins with. What it says of a whole training becomes values of the log. */
void huggingface_read_report(struct log_reader *r, struct span s, struct report *out);

/* "step 120: {", "[global_step=120] {": the step that stands in front of a dict; NaN. Not beside an
 * epoch, in which it may count. */
double huggingface_step_in_front(struct span s);
