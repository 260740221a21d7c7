/*
 * A loss curve as CSV, as verifier/curves/curve_csv.h reads it, when the first line of the log is
 * one of a curve.
 */
#include "verifier/logs/log_format.h"

struct curve_state {
    enum { CSV_UNKNOWN, CSV_CURVE, CSV_OTHER } csv; /* by the first line */
    struct curve_layout layout;
    size_t malformed;
};

#define WARNINGS_MAX 5 /* lines that are named; further ones are counted */

static void malformed_curve(struct log_reader *r)
{
    struct curve_state *c = r->of_format;
    if (c->malformed++ < WARNINGS_MAX)
        diags_add(r->diags, SEVERITY_WARNING, r->log->file, r->line, 0,
                  "the step or loss of this line is not a number; the line was skipped");
}

static bool read_first(struct log_reader *r, struct span s)
{
    struct curve_state *c = r->of_format;
    if (curve_csv_skips(s))
        return false;
    c->csv = r->log->known == 0 && curve_csv_first(s, &c->layout) ? CSV_CURVE : CSV_OTHER;
    if (c->csv == CSV_CURVE && c->layout.n_losses > 1)
        diags_add(r->diags, SEVERITY_WARNING, r->log->file, r->line, 0,
                  "found %zu columns with a loss; column '%s' is used", c->layout.n_losses,
                  arena_strndup(r->arena, c->layout.names[0].p, c->layout.names[0].n));
    return c->csv == CSV_CURVE && c->layout.header;
}

static bool read_curve_line(struct log_reader *r, struct span s)
{
    struct curve_state *c = r->of_format;
    struct curve_point x;
    if (c->csv == CSV_UNKNOWN && read_first(r, s))
        return true;
    if (c->csv != CSV_CURVE || curve_csv_skips(s))
        return false;
    enum curve_line found = curve_csv_line(&c->layout, s, &x);
    if (found == CURVE_MALFORMED && c->layout.separator == ' ')
        return false; /* not so sure that it is one */
    if (found == CURVE_MALFORMED)
        malformed_curve(r);
    if (found != CURVE_POINT)
        return true;
    if (c->layout.by_epoch) {
        log_add_epoch(r, "curve", x.step, NAN, x.loss);
        return true;
    }
    struct log_point p = log_point_at(r, x.step);
    log_set(&p, offsetof(struct log_point, loss), x.loss);
    p.seconds = x.seconds;
    p.clock_ms = x.clock_ms;
    log_add_point(r, &p);
    return true;
}

static void end_curve(struct log_reader *r)
{
    const struct curve_state *c = r->of_format;
    if (c->malformed > WARNINGS_MAX)
        diags_add(r->diags, SEVERITY_WARNING, r->log->file, 0, 0,
                  "fpreport skipped %zu lines of the log for this reason", c->malformed);
}

const struct log_format log_format_curve = {
    .name = "curve",
    .reads = "a loss curve as CSV",
    .sample = "step,loss\n1,2.5",
    .steps = true,
    .anywhere = true,
    .state_bytes = sizeof(struct curve_state),
    .read = read_curve_line,
    .end = end_curve,
};
