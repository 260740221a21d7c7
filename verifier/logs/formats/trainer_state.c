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
#include "verifier/logs/log_format.h"

/* The object that is being read. */
struct read_object {
    struct log_point point;
    bool has_loss;
};

static void begin_trainer_state(struct log_reader *r)
{
    struct read_object *at = r->of_format;
    at->point = log_point_at(r, NAN);
}

static bool read_state_key(struct span s, const char *key, double *value)
{
    struct span rest = span_from(s, 1), name = span_cut(&rest, '"');
    rest = span_trim(rest);
    return span_is(name, key) && span_starts(rest, ":") && span_number(span_from(rest, 1), value);
}

/* Of the last object, which has no loss of a step. */
static const char *const finals[] = {"train_loss", "train_runtime", "train_samples_per_second",
                                     "train_steps_per_second"};

static bool end_object(struct log_reader *r)
{
    struct read_object *at = r->of_format;
    bool whole = at->has_loss && isfinite(at->point.step);
    if (whole)
        log_add_point(r, &at->point);
    at->has_loss = false;
    at->point = log_point_at(r, NAN);
    return whole;
}

static bool read_trainer_state_line(struct log_reader *r, struct span s)
{
    struct read_object *at = r->of_format;
    double value;
    if (s.p[0] == '{' || s.p[0] == '}')
        return s.n <= 2 && end_object(r);
    if (read_state_key(s, "step", &value))
        at->point.step = value;
    if (read_state_key(s, "grad_norm", &value))
        log_set(&at->point, offsetof(struct log_point, grad_norm), value);
    if (read_state_key(s, "learning_rate", &value))
        at->point.learning_rate = value;
    for (size_t i = 0; i < sizeof finals / sizeof *finals; i++)
        if (read_state_key(s, finals[i], &value))
            log_add_value(r, span_of(finals[i]), value);
    if (!read_state_key(s, "loss", &value))
        return false;
    log_set(&at->point, offsetof(struct log_point, loss), value);
    at->point.line = r->line;
    at->has_loss = true;
    return false;
}

const struct log_format log_format_trainer_state = {
    .name = "trainer-state",
    .reads = "trainer_state.json of a Hugging Face checkpoint",
    .sample = "{\n\"loss\": 3.9545,\n\"step\": 25\n},",
    .first = "{}\"",
    .steps = true,
    .anywhere = true,
    .state_bytes = sizeof(struct read_object),
    .begin = begin_trainer_state,
    .read = read_trainer_state_line,
};
