/*
 * What transformers' trainer prints of a training at its end, in a block of its own:
 *
 *   ***** train metrics *****
 *     epoch                    =        3.0
 *     train_loss               =     0.5612
 *     train_runtime            = 0:01:10.72
 *     train_samples_per_second =     42.412
 *
 * The values are kept under their names, as those of the dict that huggingface.c reads. A runtime
 * of more than a day is "1 day, 0:01:10.72".
 */
#include "verifier/logs/log_format.h"

static const char *const names[] = {"train_loss", "train_samples_per_second",
                                    "train_steps_per_second", "train_runtime"};

/* "0:01:10.72", "1 day, 0:01:10.72" or "70.72", all of it; NaN. */
static double read_duration(struct span s)
{
    double total = 0, value;
    struct span days = s, rest;
    if (span_after(s, " day", &rest) && span_number(days, &value)) {
        total = value * 24;
        if (!span_after(rest, ", ", &s))
            return NAN;
    }
    for (size_t parts = 0; parts < 3; parts++) {
        size_t n = span_number(s, &value);
        if (!n || value < 0)
            return NAN;
        total += value;
        s = span_from(s, n);
        if (!s.n)
            return total;
        if (!span_starts(s, ":"))
            return NAN;
        s = span_from(s, 1);
        total *= 60;
    }
    return NAN;
}

static bool read_train_metrics_line(struct log_reader *r, struct span s)
{
    bool *inside = r->of_format;
    if (span_starts(s, "***** ")) {
        *inside = span_is(s, "***** train metrics *****");
        return *inside;
    }
    struct span value = s, name = span_trim(span_cut(&value, '='));
    value = span_trim(value);
    if (!*inside || !value.n)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        double number = read_duration(value);
        if (!span_is(name, names[i]) || isnan(number))
            continue;
        log_add_value(r, name, number);
        return true;
    }
    return false;
}

const struct log_format log_format_train_metrics = {
    .name = "train-metrics",
    .reads = "the final block of metrics of transformers",
    .sample = "***** train metrics *****\n  train_samples_per_second =     42.412",
    .first = "*t",
    .anywhere = true,
    .state_bytes = sizeof(bool),
    .read = read_train_metrics_line,
};
