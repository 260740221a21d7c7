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
#include "verifier/stamp.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const struct megatron_field {
    struct log_name name;
    size_t at;
    double scale;
} fields[] = {
    {LOG_NAME("lm loss"), offsetof(struct log_point, loss), 1},
    {LOG_NAME("elapsed time per iteration (ms)"), offsetof(struct log_point, seconds), 1e-3},
    {LOG_NAME("elapsed time per iteration (s)"), offsetof(struct log_point, seconds), 1},
    {LOG_NAME("consumed samples"), offsetof(struct log_point, samples), 1},
};

static const struct log_name batch_field = LOG_NAME("global batch size");

/* "[2024-05-06 10:11:12] iteration …"; the zone is not known, and does not matter for distances. */
static double clock_of(struct span head)
{
    return head.n && head.p[0] == '[' ? 1000 * stamp_read(span_from(head, 1), ' ') : NAN;
}

/* "iteration  21/  300" in front of the first '|'. */
static bool read_iteration(struct span head, double *step)
{
    struct span rest = head;
    if (head.n && head.p[0] == '[') {
        span_cut(&rest, ']');
        rest = span_trim(rest);
    }
    if (!span_starts(rest, "iteration ") && !span_after(head, "iteration ", &rest))
        return false;
    if (span_starts(rest, "iteration "))
        rest = span_from(rest, sizeof "iteration " - 1);
    size_t n = span_number(rest, step);
    rest = span_trim(span_from(rest, n));
    return n && rest.n && rest.p[0] == '/';
}

static bool is_field(struct span name, struct log_name field)
{
    return name.n == field.n && name.p[0] == field.text[0] &&
           memcmp(name.p, field.text, field.n) == 0;
}

static void take_field(struct log_point *p, struct span name, struct span text, double *batch)
{
    double value;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (is_field(name, fields[i].name) && span_number(text, &value))
            log_set(p, fields[i].at, value * fields[i].scale);
    if (is_field(name, batch_field))
        span_number(text, batch);
}

bool log_megatron(struct log_reader *r, struct span s)
{
    struct span rest = s, head = span_cut(&rest, '|');
    double step, batch = NAN;
    if (rest.n == 0 || !read_iteration(head, &step))
        return false;
    struct log_point p = log_point_at(r, step);
    p.clock_ms = clock_of(head);
    while (rest.n) {
        struct span field = span_cut(&rest, '|'), name = span_trim(span_cut(&field, ':'));
        take_field(&p, name, field, &batch);
    }
    if (!p.has_loss && isnan(p.seconds))
        return false; /* others write "iteration 120/149 |", too */
    p.samples_per_s = batch / p.seconds;
    log_add_point(r, &p);
    return true;
}
