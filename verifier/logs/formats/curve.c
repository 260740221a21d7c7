/*
 * A loss curve as CSV, as verifier/curves/curve_csv.h reads it, when the first line of the log is
 * one of a curve.
 */
#include "verifier/logs/formats/formats.h"

#include <math.h>

#define WARNINGS_MAX 5 /* lines that are named; further ones are counted */

static void malformed(struct log_reader *r)
{
    if (r->csv_malformed++ < WARNINGS_MAX)
        diags_add(r->diags, SEVERITY_WARNING, r->log->file, r->line, 0,
                  "found a line whose step or loss is no number; it is not read");
}

static bool read_first(struct log_reader *r, struct span s)
{
    if (curve_csv_skips(s))
        return false;
    r->csv = r->log->known == 0 && curve_csv_first(s, &r->csv_layout) ? LOG_CSV : LOG_NO_CSV;
    return r->csv == LOG_CSV && r->csv_layout.header;
}

bool log_curve_line(struct log_reader *r, struct span s)
{
    struct curve_point x;
    if (r->csv == LOG_CSV_UNKNOWN && read_first(r, s))
        return true;
    if (r->csv != LOG_CSV || curve_csv_skips(s))
        return false;
    enum curve_line found = curve_csv_line(&r->csv_layout, s, &x);
    if (found == CURVE_MALFORMED)
        malformed(r);
    if (found != CURVE_POINT)
        return true;
    struct log_point p = log_point_at(r, x.step);
    log_set(&p, offsetof(struct log_point, loss), x.loss);
    p.seconds = x.seconds;
    p.clock_ms = x.clock_ms;
    log_add_point(r, &p);
    return true;
}

void log_curve_end(struct log_reader *r)
{
    if (r->csv_malformed > WARNINGS_MAX)
        diags_add(r->diags, SEVERITY_WARNING, r->log->file, 0, 0,
                  "%zu lines were left out like this", r->csv_malformed);
}
