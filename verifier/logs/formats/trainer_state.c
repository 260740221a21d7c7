/*
 * The trainer_state.json of a Hugging Face checkpoint: one key a line, an object per report.
 *
 *     {
 *       "epoch": 0.01,
 *       "grad_norm": 20.25,
 *       "loss": 3.9545,
 *       "step": 25
 *     },
 */
#include "verifier/logs/formats/formats.h"

#include <math.h>

static bool read_key(struct span s, const char *key, double *value)
{
    struct span rest = span_from(s, 1), name = span_cut(&rest, '"');
    rest = span_trim(rest);
    return span_is(name, key) && span_starts(rest, ":") && span_number(span_from(rest, 1), value);
}

static bool end_object(struct log_reader *r)
{
    bool whole = r->has_state_loss && isfinite(r->state.step);
    if (whole)
        log_add_point(r, &r->state);
    r->has_state_loss = false;
    r->state = log_point_at(r, NAN);
    return whole;
}

bool log_trainer_state(struct log_reader *r, struct span s)
{
    double value;
    if (s.p[0] == '{' || s.p[0] == '}')
        return s.n <= 2 && end_object(r);
    if (read_key(s, "step", &value))
        r->state.step = value;
    if (!read_key(s, "loss", &value))
        return false;
    log_set(&r->state, offsetof(struct log_point, loss), value);
    r->state.line = r->line;
    r->has_state_loss = true;
    return false;
}
