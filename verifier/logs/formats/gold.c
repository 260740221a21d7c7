/*
 * The curves that FlagScale and Megatron-LM keep to test against, JSON with a list of losses:
 *
 *   {"lm loss": {"start_step": 0, "end_step": 100, "step_interval": 5, "values": [10.84, 10.87]}}
 *   {"lm loss": {"start_step": 1, "step_interval": 5, "values": {"1": 10.84, "5": 10.87}}}
 *   {"lm loss:": {"values": [11.17, 11.16]}}
 *
 * on one line, or on a line each. Values of a list that names no first step are counted (log.h).
 */
#include "verifier/logs/log_format.h"

struct gold {
    enum { GOLD_BEFORE, GOLD_METRIC, GOLD_LIST, GOLD_OBJECT, GOLD_BEHIND } at;
    double start, each; /* NaN: not said */
    double values;      /* of the list so far */
};

static void begin_gold(struct log_reader *r)
{
    struct gold *g = r->of_format;
    g->start = g->each = NAN;
}

static void add_gold(struct log_reader *r, double step, double loss)
{
    struct log_point p = log_point_at(r, step);
    log_set(&p, offsetof(struct log_point, loss), loss);
    log_add_point(r, &p);
}

static void add_listed(struct log_reader *r, double loss)
{
    struct gold *g = r->of_format;
    bool said = isfinite(g->start) && isfinite(g->each);
    add_gold(r, said ? g->start + g->each * g->values : g->values + 1, loss);
    g->values++;
    r->log->counted += !said;
}

/* A name and a colon; the rest is behind them. */
static bool cut_name(struct span *s, struct span *name)
{
    struct span rest = span_from(*s, 1);
    *name = span_cut(&rest, '"');
    rest = span_trim(rest);
    if (!span_starts(rest, ":"))
        return false;
    *s = span_trim(span_from(rest, 1));
    return true;
}

/* "start_step": 0, "values": [ … */
static bool read_metric_name(struct gold *g, struct span *s)
{
    struct span name;
    double value;
    if (!cut_name(s, &name))
        return false;
    size_t n = span_number(*s, &value);
    if (n && span_is(name, "start_step"))
        g->start = value;
    if (n && span_is(name, "step_interval"))
        g->each = value;
    *s = span_from(*s, n);
    if (span_is(name, "values") && s->n && (s->p[0] == '[' || s->p[0] == '{')) {
        g->at = s->p[0] == '[' ? GOLD_LIST : GOLD_OBJECT;
        *s = span_from(*s, 1);
        return true;
    }
    return n > 0;
}

/* What stands at the beginning of s; false when it is nothing of ours. */
static bool read_gold_item(struct log_reader *r, struct span *s)
{
    struct gold *g = r->of_format;
    struct span name;
    double value, step;
    size_t n;
    if (g->at == GOLD_METRIC)
        return s->p[0] == '"' && read_metric_name(g, s);
    if (g->at == GOLD_OBJECT) {
        if (s->p[0] != '"' || !cut_name(s, &name) || span_number(name, &step) != name.n ||
            !(n = span_number(*s, &value)))
            return false;
        add_gold(r, step, value);
    } else {
        if (!(n = span_number(*s, &value)))
            return false;
        add_listed(r, value);
    }
    *s = span_from(*s, n);
    return true;
}

static struct span without_commas(struct span s)
{
    while (s.n && (s.p[0] == ',' || s.p[0] == ' ' || s.p[0] == '\t'))
        s = span_from(s, 1);
    return s;
}

static bool find_metric(struct log_reader *r, struct span *s)
{
    static const char *const names[] = {"\"lm loss\": {", "\"lm loss:\": {", "\"lm_loss\": {"};
    struct gold *g = r->of_format;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (span_after(*s, names[i], s)) {
            g->at = GOLD_METRIC;
            return true;
        }
    return false;
}

/* In a file of its own: its first line begins with the brace. */
static bool read_gold_line(struct log_reader *r, struct span s)
{
    struct gold *g = r->of_format;
    if (g->at == GOLD_BEHIND || (g->at == GOLD_BEFORE && !find_metric(r, &s)))
        return false;
    for (s = without_commas(s); s.n; s = without_commas(s)) {
        bool ends = s.p[0] == '}' || s.p[0] == ']';
        if (ends || !read_gold_item(r, &s)) {
            g->at = ends || g->at != GOLD_METRIC ? GOLD_BEHIND : GOLD_METRIC;
            return true;
        }
    }
    return true;
}

static void end_gold(struct log_reader *r)
{
    const struct gold *g = r->of_format;
    if (g->values > 0 && r->log->counted)
        log_note_counted(r);
}

const struct log_format log_format_gold = {
    .name = "gold",
    .reads = "the expected curves in the tests of FlagScale and Megatron-LM",
    .sample =
        "{\"lm loss\": {\"start_step\": 0, \"step_interval\": 5, \"values\": [10.84, 10.87]}}",
    .first = "{}\"]0123456789-",
    .steps = true,
    .anywhere = true,
    .state_bytes = sizeof(struct gold),
    .begin = begin_gold,
    .read = read_gold_line,
    .end = end_gold,
};
