#include "verifier/proofs/sketch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add(struct sketch *s, enum sketch_series which, double value, struct arena *arena)
{
    if (s->series[which].n < SKETCH_MAX && isfinite(value))
        *(double *)ARENA_PUSH(arena, s->series[which].values, s->series[which].n) = value;
}

static void take_samples(struct sketch *s, enum sketch_series which, const struct samples *from,
                         struct arena *arena)
{
    if (!s->series[which].n)
        for (size_t i = 0; i < from->n; i++)
            add(s, which, from->value[i], arena);
}

void sketch_make(const struct run_log *log, const struct run_monitor *const *monitors, size_t n,
                 struct arena *arena, struct sketch *out)
{
    for (size_t i = 0; log && i < log->log.n_points; i++) {
        const struct log_point *x = &log->log.points[i];
        if (x->rank != log->log.points[0].rank)
            continue;
        add(out, SKETCH_TIMES, x->seconds, arena);
        add(out, SKETCH_LOSSES, x->loss > 0 ? log10(x->loss) : NAN, arena);
    }
    for (size_t i = 0; i < n; i++) {
        const struct monitor *m = &monitors[i]->monitor;
        if (m->kind && m->kind[0] == 'c' && m->kind[1] == 'p' && !m->n_cards)
            take_samples(out, SKETCH_CPU, &m->series.points, arena);
        if (m->n_cards)
            take_samples(out, SKETCH_WATTS, &m->cards[0].watts.points, arena);
    }
}

void sketch_of_tree(const struct run_tree *t, struct arena *arena, struct sketch *out)
{
    const struct run_log **logs = arena_array(arena, t->n_logs, sizeof *logs);
    const struct run_monitor **monitors = arena_array(arena, t->n_monitors, sizeof *monitors);
    for (size_t i = 0; i < t->n_logs; i++)
        logs[i] = &t->logs[i];
    for (size_t i = 0; i < t->n_monitors; i++)
        monitors[i] = &t->monitors[i];
    sketch_make(run_log_main(logs, t->n_logs), monitors, t->n_monitors, arena, out);
}

void sketch_pack(const struct sketch *s, struct buf *out)
{
    for (size_t i = 0; i < SKETCH_SERIES; i++) {
        pack_number(out, s->series[i].n);
        pack_bytes(out, s->series[i].values, s->series[i].n * sizeof(double));
    }
}

void sketch_unpack(struct sketch *s, struct arena *arena, struct unpack *u)
{
    for (size_t i = 0; i < SKETCH_SERIES; i++) {
        size_t n = unpack_list(u, sizeof(double), SKETCH_MAX, sizeof(double));
        const void *values = unpack_bytes(u, n * sizeof(double));
        s->series[i].values = arena_array(arena, n, sizeof(double));
        s->series[i].n = values ? n : 0;
        if (values)
            memcpy(s->series[i].values, values, n * sizeof(double));
    }
}

/* ---- likeness ---------------------------------------------------------------------------- */

struct ranked {
    double value;
    size_t at;
};

static int by_value(const void *x, const void *y)
{
    const struct ranked *a = x, *b = y;
    return (a->value > b->value) - (a->value < b->value);
}

/* Values become their ranks, equal ones the mean of theirs; returns how many differ. */
static size_t rank_of_value(double *values, size_t n, struct arena *scratch)
{
    struct ranked *order = arena_array(scratch, n, sizeof *order);
    size_t different = 0;
    for (size_t i = 0; i < n; i++)
        order[i] = (struct ranked){values[i], i};
    qsort(order, n, sizeof *order, by_value);
    for (size_t i = 0, to; i < n; i = to, different++) {
        for (to = i + 1; to < n && order[to].value == order[i].value; to++)
            ;
        for (size_t k = i; k < to; k++)
            values[order[k].at] = (double)(i + to - 1) / 2;
    }
    return different;
}

static double correlation(const double *x, const double *y, size_t n)
{
    double middle = (double)(n - 1) / 2, xy = 0, xx = 0, yy = 0;
    for (size_t i = 0; i < n; i++) {
        xy += (x[i] - middle) * (y[i] - middle);
        xx += (x[i] - middle) * (x[i] - middle);
        yy += (y[i] - middle) * (y[i] - middle);
    }
    return xy / sqrt(xx * yy);
}

/* The first n values, or their differences. */
static double *sketch_copy_of(const double *values, size_t n, bool differences,
                              struct arena *scratch)
{
    double *out = arena_array(scratch, n, sizeof *out);
    for (size_t i = 0; i < n; i++)
        out[i] = differences ? values[i + 1] - values[i] : values[i];
    return out;
}

double sketch_likeness(const struct sketch *a, const struct sketch *b, enum sketch_series which,
                       struct arena *scratch)
{
    bool differences = which != SKETCH_TIMES;
    size_t n = a->series[which].n < b->series[which].n ? a->series[which].n : b->series[which].n;
    if (n < SKETCH_PAIRS + 1)
        return NAN;
    n -= differences;
    double *x = sketch_copy_of(a->series[which].values, n, differences, scratch);
    double *y = sketch_copy_of(b->series[which].values, n, differences, scratch);
    size_t x_differ = rank_of_value(x, n, scratch), y_differ = rank_of_value(y, n, scratch);
    return x_differ < SKETCH_PAIRS || y_differ < SKETCH_PAIRS ? NAN : correlation(x, y, n);
}
