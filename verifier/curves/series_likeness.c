#include "verifier/curves/series_likeness.h"

#include <math.h>
#include <stdlib.h>

#define N_LAGS (2 * LIKENESS_LAGS + 1)
#define N_LAYERS (LIKENESS_BREAKS + 1)

struct ranked {
    double value;
    size_t at;
};

static int by_value(const void *x, const void *y)
{
    const struct ranked *a = x, *b = y;
    return (a->value > b->value) - (a->value < b->value);
}

/* Values become their ranks from 0 to 1, equal ones the mean of theirs. Returns how likely two
 * values drawn at random are equal. */
static double rank_values(double *values, size_t n, struct arena *scratch)
{
    struct ranked *order = arena_array(scratch, n, sizeof *order);
    double equal = 0;
    for (size_t i = 0; i < n; i++)
        order[i] = (struct ranked){values[i], i};
    qsort(order, n, sizeof *order, by_value);
    for (size_t i = 0, to; i < n; i = to) {
        for (to = i + 1; to < n && order[to].value == order[i].value; to++)
            ;
        equal += (double)(to - i) * (double)(to - i - 1);
        for (size_t k = i; k < to; k++)
            values[order[k].at] = (double)(i + to - 1) / 2 / (double)(n - 1);
    }
    return equal / ((double)n * (double)(n - 1));
}

static double correlation(const double *x, const double *y, size_t n)
{
    double xy = 0, xx = 0, yy = 0;
    for (size_t i = 0; i < n; i++) {
        xy += (x[i] - 0.5) * (y[i] - 0.5);
        xx += (x[i] - 0.5) * (x[i] - 0.5);
        yy += (y[i] - 0.5) * (y[i] - 0.5);
    }
    return xy / sqrt(xx * yy);
}

/* The values or their differences, in an array of one's own. */
static struct series values_to_compare(struct series from, bool differences, struct arena *scratch)
{
    size_t n = from.n - (differences && from.n);
    double *out = arena_array(scratch, n, sizeof *out);
    for (size_t i = 0; i < n; i++)
        out[i] = differences ? from.values[i + 1] - from.values[i] : from.values[i];
    return (struct series){out, n};
}

/* Which y stands beside each x. */
struct pairing {
    double *x, *y;
    size_t n;
};

static double rank_correlation(struct pairing *p, struct arena *scratch)
{
    if (p->n < LIKENESS_PAIRS)
        return NAN;
    double x = rank_values(p->x, p->n, scratch), y = rank_values(p->y, p->n, scratch);
    return fmax(x, y) > LIKENESS_EQUAL ? NAN : correlation(p->x, p->y, p->n);
}

/* The best way to a pair: cost of the pairs so far, and the step by which it came. */
struct path_cell {
    double cost;
    signed char turn;   /* how the lag changed: -1, 0, 1 */
    unsigned char step; /* how many x further than the pair before; 0: it is the first */
};

struct paths {
    struct path_cell *cells; /* [i][layer][lag] */
    const double *x, *y;     /* ranks */
    size_t nx, ny;
};

static struct path_cell *path_at(const struct paths *p, size_t i, size_t layer, size_t lag)
{
    return &p->cells[(i * N_LAYERS + layer) * N_LAGS + lag];
}

/* A pair that is not made costs as much as two ranks at random: a long path is better. */
#define SKIPPED_COST (1.0 / 6)

static void take_path(struct path_cell *to, const struct path_cell *from, double more, int turn,
                      size_t step)
{
    double cost = from->cost + more + SKIPPED_COST * (double)(step - 1);
    if (cost < to->cost)
        *to = (struct path_cell){cost, (signed char)turn, (unsigned char)step};
}

static void find_path_to(struct paths *p, size_t i, size_t layer, size_t lag)
{
    struct path_cell *to = path_at(p, i, layer, lag);
    ptrdiff_t k = (ptrdiff_t)(i + lag) - LIKENESS_LAGS;
    *to = (struct path_cell){INFINITY, 0, 0};
    if (k < 0 || (size_t)k >= p->ny)
        return;
    double d = (p->x[i] - p->y[k]) * (p->x[i] - p->y[k]);
    if (layer == 0 && (i == 0 || k == 0))
        to->cost = d + SKIPPED_COST * (double)i;
    if (i)
        take_path(to, path_at(p, i - 1, layer, lag), d, 0, 1);
    for (size_t step = 1; layer && step <= LIKENESS_GAP + 1 && step <= i; step++)
        for (int turn = -1; turn <= 1; turn += 2)
            if (lag - (size_t)turn < N_LAGS)
                take_path(to, path_at(p, i - step, layer - 1, lag - (size_t)turn), d, turn, step);
}

/* The pairs of the cheapest path that uses up one of the two. */
static struct pairing best_pairing(const struct paths *p, const struct series *x,
                                   const struct series *y, struct arena *scratch)
{
    struct pairing out = {arena_array(scratch, x->n, sizeof(double)),
                          arena_array(scratch, x->n, sizeof(double)), 0};
    size_t at = 0, layer = 0, lag = 0;
    double least = INFINITY;
    for (size_t i = 0; i < p->nx; i++)
        for (size_t l = 0; l < N_LAYERS; l++)
            for (size_t g = 0; g < N_LAGS; g++) {
                bool ends = i + 1 == p->nx || i + g == p->ny - 1 + LIKENESS_LAGS;
                double cost = path_at(p, i, l, g)->cost + SKIPPED_COST * (double)(p->nx - 1 - i);
                if (ends && cost < least) {
                    least = cost;
                    at = i;
                    layer = l;
                    lag = g;
                }
            }
    for (size_t step = !isinf(least); step; at -= step) {
        const struct path_cell *c = path_at(p, at, layer, lag);
        out.x[out.n] = x->values[at];
        out.y[out.n++] = y->values[at + lag - LIKENESS_LAGS];
        layer -= c->turn != 0;
        lag -= (size_t)c->turn;
        step = c->step;
    }
    return out;
}

static struct pairing pair_along_path(const struct series *x, const struct series *y,
                                      struct arena *scratch)
{
    double *rx = arena_copy(scratch, x->values, x->n, sizeof *rx),
           *ry = arena_copy(scratch, y->values, y->n, sizeof *ry);
    rank_values(rx, x->n, scratch);
    rank_values(ry, y->n, scratch);
    struct paths p = {arena_array(scratch, x->n * N_LAYERS * N_LAGS, sizeof *p.cells), rx, ry, x->n,
                      y->n};
    for (size_t i = 0; i < x->n; i++)
        for (size_t layer = 0; layer < N_LAYERS; layer++)
            for (size_t lag = 0; lag < N_LAGS; lag++)
                find_path_to(&p, i, layer, lag);
    return best_pairing(&p, x, y, scratch);
}

struct likeness series_likeness(struct series x, struct series y, bool differences,
                                struct arena *scratch)
{
    if (x.n < LIKENESS_PAIRS + 1 || y.n < LIKENESS_PAIRS + 1)
        return (struct likeness){NAN, NAN, 0};
    x = values_to_compare(x, differences, scratch);
    y = values_to_compare(y, differences, scratch);
    struct pairing p = pair_along_path(&x, &y, scratch);
    struct pairing d = {arena_array(scratch, p.n, sizeof(double)),
                        arena_array(scratch, p.n, sizeof(double)), 0};
    for (size_t i = 1; i < p.n; i++, d.n++) {
        d.x[d.n] = p.x[i] - p.x[i - 1];
        d.y[d.n] = p.y[i] - p.y[i - 1];
    }
    double values = rank_correlation(&p, scratch);
    return (struct likeness){values, rank_correlation(&d, scratch), p.n};
}
