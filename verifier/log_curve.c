/*
 * A loss curve as CSV. The first line of the file names the columns; step and loss are needed,
 * iteration_time_s (seconds) may be there, in any order; other columns are ignored. An empty
 * field is "not logged".
 *
 *   step,loss,iteration_time_s
 *   21,8.531234,141.73
 */
#include "verifier/log_formats.h"

#include <math.h>

/* Sets the columns from the header line; columns count from 1, 0 is "not there". */
static bool read_header(struct log_reader *r, struct span s)
{
    size_t column = 0, step = 0, loss = 0, seconds = 0;
    while (s.n) {
        struct span name = span_trim(span_cut(&s, ','));
        column++;
        step = span_is(name, "step") ? column : step;
        loss = span_is(name, "loss") ? column : loss;
        seconds = span_is(name, "iteration_time_s") ? column : seconds;
    }
    if (!step || !loss)
        return false;
    r->csv_columns = column;
    r->csv_step = step;
    r->csv_loss = loss;
    r->csv_seconds = seconds;
    return true;
}

/* The number that is the whole field; false when the field is something else. */
static bool read_field(struct span field, double *value)
{
    field = span_trim(field);
    *value = NAN;
    return field.n == 0 || span_number(field, value) == field.n;
}

bool log_curve_line(struct log_reader *r, struct span s)
{
    if (!r->csv_columns)
        return r->line == 1 && read_header(r, s);
    struct log_point p = log_point_at(r, NAN);
    size_t column = 0;
    bool sound = true;
    for (struct span rest = s; rest.n;) {
        double value;
        struct span field = span_cut(&rest, ',');
        sound = read_field(field, &value) && sound;
        column++;
        p.step = column == r->csv_step ? value : p.step;
        if (column == r->csv_loss && span_trim(field).n)
            log_set(&p, offsetof(struct log_point, loss), value);
        p.seconds = column == r->csv_seconds ? value : p.seconds;
    }
    if (!sound || !isfinite(p.step)) {
        diags_add(r->diags, SEVERITY_WARNING, r->log->file, r->line, 0,
                  "found a line that is not `step,loss`, expected numbers; it is not read");
        return true;
    }
    log_add_point(r, &p);
    return true;
}
