#include "verifier/curves/curve_stats.h"

#include "verifier/curves/curve_spikes.h"

/* The compared steps, side by side. */
struct pairs {
    double *step, *run, *reference, *run_seconds, *reference_seconds;
    size_t n;
};

static void note_occurrence(struct occurrence *o, double step)
{
    o->first = o->n++ ? o->first : step;
}

static double seconds_at(const struct curve *c, size_t i)
{
    return c->seconds ? c->seconds[i] : NAN;
}

static void meet_points(const struct curve *run, size_t i, const struct curve *ref, size_t k,
                        struct pairs *p, struct curve_stats *out)
{
    if (ref->loss[k] == 0)
        note_occurrence(&out->reference_zero, ref->step[k]);
    if (align_is_reference(ref->loss[k])) {
        p->step[p->n] = run->step[i];
        p->run[p->n] = run->loss[i];
        p->reference[p->n] = ref->loss[k];
        p->run_seconds[p->n] = seconds_at(run, i);
        p->reference_seconds[p->n++] = seconds_at(ref, k);
    }
}

/* Both curves in step order: what only one has is counted, what both have is paired. */
static void pair_curves(const struct curve *run, const struct curve *ref, int from_step,
                        struct pairs *p, struct curve_stats *out)
{
    for (size_t i = 0, k = 0; i < run->n || k < ref->n;) {
        double a = i < run->n ? run->step[i] : INFINITY;
        double b = k < ref->n ? ref->step[k] : INFINITY;
        bool counts = (a < b ? a : b) >= from_step;
        if (counts && a < b)
            note_occurrence(&out->extra, a);
        else if (counts && b < a)
            note_occurrence(&out->missing, b);
        else if (counts)
            meet_points(run, i, ref, k, p, out);
        i += a <= b;
        k += b <= a;
    }
}

static struct occurrence count_not_finite(const struct curve *c, int from_step)
{
    struct occurrence o = {0, NAN};
    for (size_t i = 0; i < c->n; i++)
        if (c->step[i] >= from_step && !isfinite(c->loss[i]))
            note_occurrence(&o, c->step[i]);
    return o;
}

static double deviation(const struct pairs *p, size_t i)
{
    return (p->run[i] - p->reference[i]) / fabs(p->reference[i]);
}

/* Slope, and what its error is computed from; needs the means. */
static void fit(const struct pairs *p, double mean_x, struct curve_stats *out)
{
    struct sum xx = {0, 0}, xy = {0, 0}, rr = {0, 0}, lag = {0, 0};
    double before = NAN;
    for (size_t i = 0; i < p->n; i++) {
        double x = p->step[i] / 1000 - mean_x, d = deviation(p, i);
        if (!isfinite(d))
            continue;
        sum_add(&xx, x * x);
        sum_add(&xy, x * (d - out->signed_mean));
    }
    out->drift = sum_value(&xy) / sum_value(&xx);
    for (size_t i = 0; i < p->n; i++) {
        double x = p->step[i] / 1000 - mean_x, d = deviation(p, i);
        double r = d - out->signed_mean - out->drift * x;
        if (!isfinite(d))
            continue;
        sum_add(&rr, r * r);
        sum_add(&lag, isnan(before) ? 0 : r * before);
        before = r;
    }
    double squares = sum_value(&rr), r1 = sum_value(&lag) / squares;
    out->drift_error = sqrt(squares / (double)(out->n - 2) / sum_value(&xx));
    out->residual_lag1 = r1;
    out->drift_error_lag1 = out->drift_error * (r1 > 0 ? sqrt((1 + r1) / (1 - r1)) : 1);
}

/* Mean of |d| over the last window, moving. */
struct running {
    struct sum sum;
    size_t n, not_finite;
};

static void running_move(struct running *r, double d, int by)
{
    r->n += (size_t)by;
    if (isfinite(d))
        sum_add(&r->sum, by * fabs(d));
    else
        r->not_finite += (size_t)by;
}

static void find_onset(const struct pairs *p, double limit, struct curve_stats *out)
{
    struct running r = {{0, 0}, 0, 0};
    for (size_t i = 0; i < p->n; i++) {
        running_move(&r, deviation(p, i), 1);
        if (r.n > STATS_ONSET_WINDOW)
            running_move(&r, deviation(p, i - STATS_ONSET_WINDOW), -1);
        bool beyond = r.not_finite || sum_value(&r.sum) / (double)r.n >= limit;
        if (!beyond)
            out->onset_step = NAN;
        else if (isnan(out->onset_step))
            out->onset_step = p->step[i];
    }
}

static void find_final(const struct pairs *p, struct curve_stats *out)
{
    for (size_t i = p->n; i > 0; i--)
        if (isfinite(p->run[i - 1])) {
            out->final_step = p->step[i - 1];
            out->final_run = p->run[i - 1];
            out->final_reference = p->reference[i - 1];
            return;
        }
}

static void find_identical(const struct pairs *p, struct curve_stats *out)
{
    size_t length = 0;
    for (size_t i = 0; i < p->n; i++) {
        length = p->run[i] == p->reference[i] ? length + 1 : 0;
        if (length <= out->identical)
            continue;
        out->identical = length;
        out->identical_from = p->step[i + 1 - length];
        out->identical_to = p->step[i];
    }
}

/* First differences over single steps, by the step that they end at. */
struct differences {
    double *step, *run, *reference;
    size_t n;
};

struct moments {
    double x, y, xx, yy, xy;
    size_t n;
};

/* Differences have means near zero, so that neither the one-pass formula nor plain sums lose
 * anything that is printed; compensated ones would take most of the time of a million steps. */
static double moments_correlation(const struct moments *m)
{
    double n = (double)m->n, xx = m->xx - m->x * m->x / n, yy = m->yy - m->y * m->y / n;
    double r = (m->xy - m->x * m->y / n) / sqrt(xx * yy);
    return m->n < 3 || !(xx > 0 && yy > 0) ? NAN : fmax(-1, fmin(1, r));
}

static double correlate(const struct differences *d, int lag, size_t *n)
{
    struct moments m = {.n = 0};
    size_t i = lag < 0 ? (size_t)-lag : 0, k = lag > 0 ? (size_t)lag : 0;
    for (; i < d->n && k < d->n; i++, k++) {
        if (d->step[k] - d->step[i] != lag)
            continue;
        double x = d->run[i], y = d->reference[k];
        m.x += x;
        m.y += y;
        m.xx += x * x;
        m.yy += y * y;
        m.xy += x * y;
        m.n++;
    }
    *n = m.n;
    return moments_correlation(&m);
}

static void find_correlation(const struct pairs *p, struct arena *scratch, struct curve_stats *out)
{
    struct differences d = {.n = 0};
    d.step = arena_array(scratch, p->n, sizeof(double));
    d.run = arena_array(scratch, p->n, sizeof(double));
    d.reference = arena_array(scratch, p->n, sizeof(double));
    for (size_t i = 1; i < p->n; i++) {
        if (p->step[i] - p->step[i - 1] != 1 || !isfinite(p->run[i] - p->run[i - 1]))
            continue;
        d.step[d.n] = p->step[i];
        d.run[d.n] = p->run[i] - p->run[i - 1];
        d.reference[d.n++] = p->reference[i] - p->reference[i - 1];
    }
    out->diff_correlation = correlate(&d, 0, &out->diff_pairs);
    out->shift_correlation = out->diff_correlation;
    out->shift_pairs = out->diff_pairs;
    for (int lag = -STATS_LAG_MAX; lag <= STATS_LAG_MAX; lag++) {
        size_t n;
        double r = correlate(&d, lag, &n);
        if (!(r > out->shift_correlation))
            continue;
        out->shift = lag;
        out->shift_correlation = r;
        out->shift_pairs = n;
    }
}

static const struct curve_stats nothing = {
    .signed_mean = NAN,
    .drift = NAN,
    .drift_error = NAN,
    .residual_lag1 = NAN,
    .drift_error_lag1 = NAN,
    .onset_step = NAN,
    .missing = {0, NAN},
    .extra = {0, NAN},
    .reference_zero = {0, NAN},
    .time_ratio = NAN,
    .final_step = NAN,
    .final_run = NAN,
    .final_reference = NAN,
    .identical_from = NAN,
    .identical_to = NAN,
    .diff_correlation = NAN,
    .shift_correlation = NAN,
};

void curve_stats(const struct curve *run, const struct curve *reference, struct align_rule rule,
                 struct arena *scratch, struct curve_stats *out)
{
    size_t most = run->n < reference->n ? run->n : reference->n;
    struct pairs p = {
        arena_array(scratch, most, sizeof(double)), arena_array(scratch, most, sizeof(double)),
        arena_array(scratch, most, sizeof(double)), arena_array(scratch, most, sizeof(double)),
        arena_array(scratch, most, sizeof(double)), 0};
    *out = nothing;
    pair_curves(run, reference, rule.from_step, &p, out);
    out->run_not_finite = count_not_finite(run, rule.from_step);
    out->reference_not_finite = count_not_finite(reference, rule.from_step);
    out->run_spikes = curve_spikes(run, rule.from_step);
    out->reference_spikes = curve_spikes(reference, rule.from_step);
    struct sum x = {0, 0}, d = {0, 0};
    for (size_t i = 0; i < p.n; i++) {
        if (!isfinite(deviation(&p, i)))
            continue;
        sum_add(&x, p.step[i] / 1000);
        sum_add(&d, deviation(&p, i));
        out->n++;
    }
    if (out->n)
        out->signed_mean = sum_value(&d) / (double)out->n;
    if (out->n >= 3)
        fit(&p, sum_value(&x) / (double)out->n, out);
    find_onset(&p, rule.limit, out);
    find_final(&p, out);
    find_identical(&p, out);
    double *ratios = arena_array(scratch, p.n, sizeof *ratios);
    for (size_t i = 0; i < p.n; i++)
        if (p.run_seconds[i] > 0 && p.reference_seconds[i] > 0 &&
            isfinite(p.run_seconds[i] / p.reference_seconds[i]))
            ratios[out->timed++] = p.run_seconds[i] / p.reference_seconds[i];
    out->time_ratio = curve_median(ratios, out->timed);
    find_correlation(&p, scratch, out);
}
