/*
 * Hugging Face Trainer: a Python dict per report, and one at the end.
 *
 *   {'loss': 2.1025, 'learning_rate': 0.001, 'epoch': 0.01}
 *   {'train_runtime': 1234.5, 'train_samples_per_second': 451.9, 'train_loss': 2.10, 'epoch': 1.0}
 *
 * The dict does not say its step: reports are counted, which is the step when logging_steps is 1,
 * as it is in the benchmark's cases.
 */
#include "verifier/log_formats.h"

#include <math.h>

static bool read_key(struct span s, const char *key, double *value)
{
    struct span rest;
    return span_after(s, key, &rest) && span_number(rest, value);
}

bool log_huggingface(struct log_reader *r, struct span s)
{
    static const char *const finals[] = {"train_runtime", "train_samples_per_second",
                                         "train_steps_per_second", "train_loss"};
    double value;
    if (!span_starts(s, "{'") || s.p[s.n - 1] != '}')
        return false;
    if (span_starts(s, "{'loss':") && read_key(s, "'loss':", &value)) {
        struct log_point p = log_point_at(r, ++r->hf_step);
        log_set(&p, offsetof(struct log_point, loss), value);
        log_add_point(r, &p);
        return true;
    }
    bool known = false;
    struct span rest = span_from(s, 1);
    while (span_after(rest, "'", &rest)) {
        struct span name = span_cut(&rest, '\'');
        for (size_t i = 0; i < sizeof finals / sizeof finals[0]; i++)
            if (span_is(name, finals[i]) && span_starts(rest, ":") &&
                span_number(span_from(rest, 1), &value)) {
                log_add_value(r, name, value);
                known = true;
            }
    }
    return known;
}
