#include "verifier/proofs/sketch.h"

#include <math.h>
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

struct likeness sketch_likeness(const struct sketch *a, const struct sketch *b,
                                enum sketch_series which, struct arena *scratch)
{
    const struct series x = {a->series[which].values, a->series[which].n};
    const struct series y = {b->series[which].values, b->series[which].n};
    return series_likeness(x, y, which != SKETCH_TIMES, scratch);
}
