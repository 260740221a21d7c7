/*
 * PerfLog, the benchmark's own event log. One line per event:
 *
 *   [PerfLog] {"event": "STEP_END", "value": {"loss": 2.68, "global_steps": 3397, …},
 *              "metadata": {"file": …, "lineno": 127, "time_ms": 1669034171032, "rank": 0}}
 *
 * `value` is a flat object; NaN and Infinity occur in it, which JSON does not allow. Keys differ
 * from script to script and are sometimes misspelt ("throuhgput(ips)_raw"), so every number of a
 * FINISHED event is kept under the name that it has, and the steps look for the known spellings.
 */
#include "verifier/log_formats.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Spellings of what a STEP_END event says about its step. */
static const struct step_key {
    const char *key;
    size_t at;
} step_keys[] = {
    {"global_steps", offsetof(struct log_point, step)},
    {"global_step", offsetof(struct log_point, step)},
    {"step", offsetof(struct log_point, step)},
    {"loss", offsetof(struct log_point, loss)},
    {"train_loss", offsetof(struct log_point, loss)},
    {"step_time_s", offsetof(struct log_point, seconds)},
    {"tokens/s", offsetof(struct log_point, tokens_per_s)},
    {"seq/s", offsetof(struct log_point, samples_per_s)},
    {"samples/s", offsetof(struct log_point, samples_per_s)},
    {"num_trained_samples", offsetof(struct log_point, samples)},
};

/* The next `"key": value` of a flat object; a value that is no number is NaN with number false. */
struct member {
    struct span key;
    double value;
    bool number;
};

static struct span skip_string(struct span s, struct span *inside)
{
    size_t n = 1;
    while (n < s.n && s.p[n] != '"')
        n += s.p[n] == '\\' ? 2 : 1;
    n = n < s.n ? n : s.n;
    *inside = (struct span){s.p + 1, n ? n - 1 : 0};
    return span_from(s, n + 1);
}

/* Advances *s behind the value; false at the end of the object or where it is malformed. */
static bool next_member(struct span *s, struct member *m)
{
    while (s->n && (s->p[0] == ' ' || s->p[0] == ',' || s->p[0] == '{'))
        *s = span_from(*s, 1);
    if (!s->n || s->p[0] != '"')
        return false;
    struct span rest = span_trim(skip_string(*s, &m->key)), ignored;
    if (!rest.n || rest.p[0] != ':')
        return false;
    rest = span_trim(span_from(rest, 1));
    size_t n = span_number(rest, &m->value);
    m->number = n > 0;
    if (n)
        rest = span_from(rest, n);
    else if (rest.n && rest.p[0] == '"')
        rest = skip_string(rest, &ignored);
    else
        while (rest.n && rest.p[0] != ',' && rest.p[0] != '}')
            rest = span_from(rest, 1);
    *s = rest;
    return true;
}

/* The object after `"value":` without its braces; empty when there is none. */
static struct span value_of(struct span json)
{
    struct span rest;
    if (!span_after(json, "\"value\":", &rest))
        return (struct span){NULL, 0};
    rest = span_trim(rest);
    return rest.n && rest.p[0] == '{' ? span_cut(&rest, '}') : (struct span){NULL, 0};
}

static void read_step(struct log_reader *r, struct span json, double step)
{
    struct log_point p = log_point_at(r, step);
    struct span value = value_of(json), metadata;
    struct member m;
    if (span_after(json, "\"time_ms\":", &metadata))
        span_number(metadata, &p.clock_ms);
    while (next_member(&value, &m))
        for (size_t i = 0; m.number && i < sizeof step_keys / sizeof step_keys[0]; i++)
            if (span_is(m.key, step_keys[i].key))
                log_set(&p, step_keys[i].at, m.value);
    if (isfinite(p.step))
        log_add_point(r, &p);
}

static void read_finished(struct log_reader *r, struct span value)
{
    struct member m;
    r->log->finished = true;
    r->log->finished_line = r->line;
    while (next_member(&value, &m))
        if (m.number)
            log_add_value(r, m.key, m.value);
}

bool log_perflog(struct log_reader *r, struct span s)
{
    struct span json, event;
    if (!span_after(s, "[PerfLog] ", &json) || !span_after(json, "\"event\":", &event))
        return false;
    /* Whole or not at all: a cut line ends without its last brace. */
    if (s.p[s.n - 1] != '}')
        return false;
    event = span_trim(event);
    struct span name;
    skip_string(event, &name);
    double step = NAN;
    struct span other = json;
    if (span_after(json, "\"step\":", &other))
        span_number(other, &step);
    if (span_is(name, "STEP_END"))
        read_step(r, json, step);
    else if (span_is(name, "FINISHED"))
        read_finished(r, value_of(json));
    return true;
}
