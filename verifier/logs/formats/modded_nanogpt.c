/*
 * modded-nanogpt and parameter-golf, whose time counts from the step behind the warm-up. Newer
 * versions print no loss of a step, and one of the validation every some steps.
 *
 *   step:8250/20000 train_loss:2.0951 train_time:358988ms step_avg:43.51ms
 *   step:125/1480 val_loss:4.4388 train_time:29503ms step_avg:256.55ms
 *   step:126/1480 train_time:29632ms step_avg:255.45ms
 */
#include "verifier/logs/log_format.h"

#define VALIDATION_LOSS "val_loss"

/* The last report of a step: what it says of the time. */
struct of_nanogpt {
    double step, ms;
    bool any;
};

static bool number_after_words(struct span s, const char *name, double *value)
{
    struct span rest;
    return span_after(s, name, &rest) && span_number(rest, value) > 0;
}

/* Of each step since the last report; NaN where the clock was set anew. */
static double seconds_since(struct of_nanogpt *at, double step, double ms)
{
    double seconds = (ms - at->ms) / (step - at->step) / 1000;
    bool counts = at->any && step > at->step && seconds > 0;
    *at = (struct of_nanogpt){step, ms, true};
    return counts ? seconds : NAN;
}

static bool read_nanogpt_line(struct log_reader *r, struct span s)
{
    double step, ms, loss;
    if (!span_starts(s, "step:") || !number_after_words(s, "step:", &step) ||
        !number_after_words(s, " train_time:", &ms) || span_find(s, "step_avg:") == s.n)
        return false;
    if (number_after_words(s, " val_loss:", &loss)) {
        log_add_value(r, SPAN(VALIDATION_LOSS), loss);
        return true;
    }
    struct log_point p = log_point_at(r, step);
    if (number_after_words(s, " train_loss:", &loss))
        log_set(&p, offsetof(struct log_point, loss), loss);
    p.seconds = seconds_since(r->of_format, step, ms);
    log_add_point(r, &p);
    return true;
}

const struct log_format log_format_modded_nanogpt = {
    .name = "modded-nanogpt",
    .reads = "modded-nanogpt, parameter-golf",
    .sample = "step:8250/20000 train_loss:2.0951 train_time:358988ms step_avg:43.51ms",
    .first = "s",
    .steps = true,
    .state_bytes = sizeof(struct of_nanogpt),
    .read = read_nanogpt_line,
};
