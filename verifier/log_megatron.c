/*
 * Megatron-LM and FlagScale, one line per reported iteration. Since core_v0.6.0 with a time stamp:
 *
 *   [2024-05-06 10:11:12] iteration       21/     300 | consumed samples:        10752 |
 *   elapsed time per iteration (ms): 141732.4 | learning rate: 1.000000E-04 |
 *   global batch size:   512 | lm loss: 8.531234E+00 | loss scale: 1.0 | grad norm: 1.234 | …
 *
 * Other fields come and go (consumed tokens, throughput per GPU, num zeros, params norm, skipped
 * samples), so fields are found by their names, never by their place.
 */
#include "verifier/log_formats.h"

#include <math.h>
#include <stddef.h>

static const struct megatron_field {
    const char *name;
    size_t at;
    double scale;
} fields[] = {
    {"lm loss", offsetof(struct log_point, loss), 1},
    {"elapsed time per iteration (ms)", offsetof(struct log_point, seconds), 1e-3},
    {"elapsed time per iteration (s)", offsetof(struct log_point, seconds), 1},
    {"consumed samples", offsetof(struct log_point, samples), 1},
};

/* "iteration  21/  300" in front of the first '|'. */
static bool read_iteration(struct span head, double *step)
{
    struct span rest;
    if (!span_after(head, "iteration ", &rest))
        return false;
    size_t n = span_number(rest, step);
    rest = span_trim(span_from(rest, n));
    return n && rest.n && rest.p[0] == '/';
}

bool log_megatron(struct log_reader *r, struct span s)
{
    struct span rest = s, head = span_cut(&rest, '|');
    double step, batch = NAN, value;
    if (rest.n == 0 || !read_iteration(head, &step))
        return false;
    struct log_point p = log_point_at(r, step);
    while (rest.n) {
        struct span field = span_cut(&rest, '|'), name = span_trim(span_cut(&field, ':'));
        if (!span_number(field, &value))
            continue;
        for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
            if (span_is(name, fields[i].name))
                log_set(&p, fields[i].at, value * fields[i].scale);
        if (span_is(name, "global batch size"))
            batch = value;
    }
    p.samples_per_s = batch / p.seconds;
    log_add_point(r, &p);
    return true;
}
