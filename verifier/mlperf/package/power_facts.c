/* The power logs of a run: readings of one meter, and their energy. */
#include "verifier/mlperf/package/small_facts.h"

#include <math.h>
#include <stdlib.h>

struct power_names {
    uint32_t reading, start, stop, efficiency, estimate;
};

/* Equal times stay in the order of the file. */
static int by_time(const void *a, const void *b)
{
    const struct mllog_record *x = a, *y = b;
    if (x->time_ms != y->time_ms)
        return x->time_ms < y->time_ms ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static double number_of_record(const struct mllog_record *r, double otherwise)
{
    struct mllog_value v = mllog_value(r->value);
    return mllog_is_number(&v) && isfinite(v.number) ? v.number : otherwise;
}

/* From the start on, each reading counts for the time since the one before. */
static void add_reading(struct mlperf_power_facts *f, const struct mllog_record *r, double *before)
{
    if (!f->n_readings++)
        f->first_ms = r->time_ms;
    f->last_ms = r->time_ms;
    f->watt_ms += number_of_record(r, 0) * (r->time_ms - *before);
    *before = r->time_ms;
}

void mlperf_read_power(struct bytes bytes, const struct mllog_names *names, struct arena *arena,
                       struct mlperf_power_facts *out)
{
    const struct power_names of = {mllog_names_find(names, SPAN("power_reading")),
                                   mllog_names_find(names, SPAN("power_measurement_start")),
                                   mllog_names_find(names, SPAN("power_measurement_stop")),
                                   mllog_names_find(names, SPAN("conversion_eff")),
                                   mllog_names_find(names, SPAN("interconnect_power_est"))};
    struct mllog log;
    double before = NAN;
    mllog_read(bytes, names, arena, &log);
    if (log.n > 1)
        qsort(log.records, log.n, sizeof *log.records, by_time);
    *out = (struct mlperf_power_facts){.begin_ms = NAN,
                                       .end_ms = NAN,
                                       .first_ms = NAN,
                                       .last_ms = NAN,
                                       .efficiency = 1,
                                       .estimate = NAN};
    for (size_t i = 0; i < log.n; i++) {
        const struct mllog_record *r = &log.records[i];
        bool measured = !isnan(out->begin_ms) && isnan(out->end_ms);
        if (r->name == of.efficiency)
            out->efficiency = number_of_record(r, out->efficiency);
        else if (r->name == of.estimate && isnan(out->estimate))
            out->estimate = number_of_record(r, NAN);
        else if (r->name == of.start && isnan(out->begin_ms))
            before = out->begin_ms = r->time_ms;
        else if (r->name == of.stop && measured)
            out->end_ms = r->time_ms;
        else if (r->name == of.reading && measured)
            add_reading(out, r, &before);
    }
}
