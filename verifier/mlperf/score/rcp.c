#include "verifier/mlperf/score/rcp.h"

#include "base/reals.h"

#include <math.h>
#include <stdlib.h>

const char *rcp_verdict_name(enum rcp_verdict v)
{
    static const char *const names[] = {"PASS", "FAIL", "CANNOT"};
    return names[v];
}

const char *rcp_how_name(enum rcp_how how)
{
    static const char *const names[] = {
        [RCP_NOT_ASKED] = "",
        [RCP_FOUND] = "found",
        [RCP_INTERPOLATED] = "interpolated",
        [RCP_SMALLER] = "smaller",
        [RCP_MISSING] = "missing",
        [RCP_NONE] = "none",
        [RCP_NOT_CONVERGED] = "not converged",
        [RCP_NO_BATCH_SIZE] = "no batch size",
        [RCP_TOO_FEW_RUNS] = "too few runs",
    };
    return names[how];
}

/* A point with its figures. */
struct reference {
    double batch_size, mean, deviation, n;
};

static double mean_of(const double *values, size_t from, size_t to)
{
    double sum = 0;
    for (size_t i = from; i < to; i++)
        sum += values[i];
    return sum / (double)(to - from);
}

static double deviation_of(const double *values, size_t from, size_t to)
{
    double mean = mean_of(values, from, to), sum = 0;
    for (size_t i = from; i < to; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    return sqrt(sum / (double)(to - from));
}

static struct reference reference_of_point(const struct rcp_point *p, size_t drop, unsigned way)
{
    size_t n = p->n_runs, from = n > 2 * drop ? drop : 0;
    bool kept_only = way & RCP_WAY_DEVIATION;
    return (struct reference){
        .batch_size = p->batch_size,
        .mean = mean_of(p->runs, from, n - from),
        .deviation = deviation_of(p->runs, kept_only ? from : 0, kept_only ? n - from : n),
        .n = (double)(n - 2 * from)};
}

static void find_least(const struct reference *r, const struct rcp_runs *runs,
                       struct student_kept *student, struct rcp_test *out)
{
    out->reference_mean = r->mean;
    out->deviation = r->deviation;
    out->n_reference = r->n;
    out->n_submission = (double)runs->runs - 2;
    out->least = r->mean;
    if (r->deviation == 0)
        return;
    out->degrees = out->n_reference + out->n_submission - 2;
    out->t = student_t95_kept(student, out->degrees);
    out->least = fmax(0, r->mean - out->t * r->deviation *
                                       sqrt(1 / out->n_reference + 1 / out->n_submission));
}

void rcp_point_figures(const struct rcp_point *point, const struct rcp_runs *runs, unsigned way,
                       struct rcp_test *out)
{
    struct reference r = reference_of_point(point, runs->drop, way);
    *out = (struct rcp_test){.degrees = NAN, .t = NAN, .factor = 1};
    find_least(&r, runs, NULL, out);
}

static double between(double at, double x0, double x1, double y0, double y1)
{
    double slope = x1 > x0 ? (y1 - y0) / (x1 - x0) : 0;
    return slope * (at - x0) + y0;
}

/* Drops those below the batch size of the least mean, then those above the line through their
 * neighbours. Returns how many are left. */
static size_t prune(struct reference *all, size_t n, unsigned way)
{
    size_t least = 0, i = 1;
    for (size_t k = 1; k < n; k++)
        if (all[k].mean < all[least].mean)
            least = k;
    n -= least;
    for (size_t k = 0; k < n; k++)
        all[k] = all[k + least];
    while (i + 1 < n) {
        double line = between(all[i].batch_size, all[i - 1].batch_size, all[i + 1].batch_size,
                              all[i - 1].mean, all[i + 1].mean);
        if (!(all[i].mean > line)) {
            i++;
            continue;
        }
        n--;
        for (size_t k = i; k < n; k++)
            all[k] = all[k + 1];
        if ((way & RCP_WAY_ENVELOPE) && i > 1)
            i--;
    }
    return n;
}

static struct reference interpolate(const struct reference *a, const struct reference *b,
                                    double batch_size, const struct rcp_runs *runs)
{
    return (struct reference){
        .batch_size = batch_size,
        .mean = between(batch_size, a->batch_size, b->batch_size, a->mean, b->mean),
        .deviation = between(batch_size, a->batch_size, b->batch_size, a->deviation, b->deviation),
        .n = 2 * (double)runs->runs};
}

/* The point that the batch size is held to. */
static enum rcp_how match_reference(const struct reference *all, size_t n,
                                    const struct rcp_runs *runs, struct reference *out)
{
    size_t above = 0;
    while (above < n && all[above].batch_size < runs->batch_size)
        above++;
    if (above == n)
        return RCP_MISSING;
    *out = all[above];
    if (all[above].batch_size == runs->batch_size)
        return RCP_FOUND;
    if (above == 0)
        return RCP_SMALLER;
    *out = interpolate(&all[above - 1], &all[above], runs->batch_size, runs);
    return RCP_INTERPOLATED;
}

/* S, and why there is no test; RCP_NOT_ASKED: there is one. */
static enum rcp_how look_at_runs(const struct rcp_runs *runs, struct arena *arena, double *mean)
{
    double *needed = arena_array(arena, runs->n, sizeof *needed);
    size_t infinite = 0;
    for (size_t i = 0; i < runs->n; i++) {
        infinite += isinf(runs->needed[i]) != 0;
        needed[i] = isinf(runs->needed[i]) ? RCP_INFINITE : runs->needed[i];
    }
    if (isnan(runs->batch_size))
        return RCP_NO_BATCH_SIZE;
    if (infinite > runs->drop)
        return RCP_NOT_CONVERGED;
    if (runs->n <= 2 * runs->drop)
        return RCP_TOO_FEW_RUNS;
    qsort(needed, runs->n, sizeof *needed, reals_by_size);
    *mean = mean_of(needed, runs->drop, runs->n - runs->drop);
    return RCP_NOT_ASKED;
}

void rcp_check(const struct rcp_runs *runs, const struct rcp_benchmark *points, unsigned way,
               struct rcp_test *out)
{
    struct arena scratch = ARENA_INIT;
    struct reference point = {0, 0, 0, 0};
    *out = (struct rcp_test){.verdict = RCP_FAIL,
                             .batch_size = runs->batch_size,
                             .mean = NAN,
                             .reference_mean = NAN,
                             .deviation = NAN,
                             .degrees = NAN,
                             .t = NAN,
                             .least = NAN,
                             .slack = way & RCP_WAY_NO_SLACK ? 0 : runs->slack,
                             .factor = 1};
    out->how = look_at_runs(runs, &scratch, &out->mean);
    if (out->how == RCP_NOT_ASKED && (!points || !points->n_points))
        out->how = RCP_NONE;
    if (out->how == RCP_NOT_ASKED) {
        struct reference *all = arena_array(&scratch, points->n_points, sizeof *all);
        for (size_t i = 0; i < points->n_points; i++)
            all[i] = reference_of_point(&points->points[i], runs->drop, way);
        out->how = match_reference(all, prune(all, points->n_points, way), runs, &point);
        if (out->how != RCP_MISSING) {
            find_least(&point, runs, points->student, out);
            bool passes = out->mean >= out->least - out->slack;
            out->verdict = passes ? RCP_PASS : RCP_FAIL;
            if (passes)
                out->factor = fmax(1, out->reference_mean / out->mean);
            else if (out->how == RCP_SMALLER)
                out->how = RCP_MISSING;
        }
    }
    arena_release(&scratch);
}
