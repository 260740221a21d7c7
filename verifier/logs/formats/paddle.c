/*
 * PaddlePaddle. The benchmark's cases turn the library's own logger off: what they say is PerfLog,
 * whose FINISHED event has training_sequences_per_second and effective_tokens_per_second (of all
 * cards) among its keys. Where the logger is on, PaddleNLP's trainer reports
 *
 *   [2023-06-14 12:05:23,170] [    INFO] - loss: 1.598, learning_rate: 3e-05, global_step: 10,
 *   interval_runtime: 15.2, interval_samples_per_second: 5.2, interval_steps_per_second: 0.6, …
 *
 * on one line; a report covers the steps since the one before, so seconds are per step.
 */
#include "verifier/logs/log_format.h"

static const struct paddle_field {
    const char *name;
    size_t at;
} fields[] = {
    {"loss", offsetof(struct log_point, loss)},
    {"global_step", offsetof(struct log_point, step)},
    {"interval_samples_per_second", offsetof(struct log_point, samples_per_s)},
};

/* " - loss: " behind the level, or the bare report. */
static bool is_report(struct span s, struct span *rest)
{
    if (s.p[0] == '[')
        return span_after(s, "] - loss: ", rest) && span_find(*rest, "global_step: ") < rest->n;
    return span_starts(s, "loss: ") && span_find(s, "global_step: ") < s.n;
}

static bool read_paddle_line(struct log_reader *r, struct span s)
{
    struct span rest;
    struct log_point p = log_point_at(r, NAN);
    if (!is_report(s, &rest))
        return false;
    rest = span_from(s, span_find(s, "loss: "));
    while (rest.n) {
        struct span field = span_cut(&rest, ','), name = span_trim(span_cut(&field, ':'));
        double value;
        for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
            if (span_is(name, fields[i].name) && span_number(field, &value))
                log_set(&p, fields[i].at, value);
        if (span_is(name, "interval_steps_per_second") && span_number(field, &value) && value > 0)
            p.seconds = 1 / value;
    }
    if (isfinite(p.step))
        log_add_point(r, &p);
    return true;
}

const struct log_format log_format_paddle = {
    .name = "paddle",
    .reads = "PaddleNLP's trainer",
    .sample = "[2023-06-14 12:05:23,170] [    INFO] - loss: 1.598, learning_rate: 3e-05, "
              "global_step: 10, interval_steps_per_second: 0.6",
    .first = "[l",
    .steps = true,
    .read = read_paddle_line,
};
