#include "verifier/curves/curve_copy.h"

struct series {
    double *run, *reference, *mean; /* mean: of the reference, by one of the ways */
    double *sums;                   /* sums[i]: of the first i of the reference */
    size_t n;
};

static void pair_copied_points(const struct curve *run, const struct curve *ref, int from_step,
                               struct series *s)
{
    for (size_t i = 0, k = 0; i < run->n && k < ref->n && s->n < COPY_MAX;) {
        double a = run->step[i], b = ref->step[k];
        if (a == b && a >= from_step && isfinite(run->loss[i]) &&
            align_is_reference(ref->loss[k])) {
            s->run[s->n] = run->loss[i];
            s->reference[s->n++] = ref->loss[k];
        }
        i += a <= b;
        k += b <= a;
    }
}

struct moments {
    double n, mean, squares; /* squares: of the distances from the mean */
};

/* Welford's. */
static void moments_add(struct moments *m, double x)
{
    double away = x - m->mean;
    m->n++;
    m->mean += away / m->n;
    m->squares += away * (x - m->mean);
}

static double spread_of_moments(const struct moments *m)
{
    return sqrt(m->squares / m->n);
}

/* --- means of the reference --- */

/* Of `window` reports that begin `before` in front of each; the ends, which have fewer, are left
 * out of the comparison by `from` and `to`. */
static void box_mean(struct series *s, size_t window, size_t before)
{
    for (size_t i = before; i + window - before <= s->n; i++)
        s->mean[i] = (s->sums[i + window - before] - s->sums[i - before]) / (double)window;
}

static void exponential_mean(struct series *s, double weight)
{
    s->mean[0] = s->reference[0];
    for (size_t i = 1; i < s->n; i++)
        s->mean[i] = weight * s->mean[i - 1] + (1 - weight) * s->reference[i];
}

static double smoothness(const struct series *s, size_t from, size_t to)
{
    double run = 0, reference = 0, size = 0;
    for (size_t i = from; i < to; i++) {
        double a = s->run[i] - s->mean[i], b = s->reference[i] - s->mean[i];
        run += a * a;
        reference += b * b;
        size += s->reference[i] * s->reference[i];
    }
    return reference > COPY_ROUGH * COPY_ROUGH * size ? sqrt(run / reference) : NAN;
}

static void keep_least(double smooth, int window, double weight, struct curve_copy *out)
{
    if (isnan(smooth) || smooth >= out->smooth)
        return;
    out->smooth = smooth;
    out->window = window;
    out->weight = weight;
}

/* --- one relation at all steps --- */

/* --- white noise --- */

/* d, or a - b: the size of noise may be relative to the loss, or not. */
static void deviations(const struct series *s, bool relative, double *d)
{
    for (size_t i = 0; i < s->n; i++)
        d[i] = (s->run[i] - s->reference[i]) / (relative ? fabs(s->reference[i]) : 1);
}

static double lag1(const double *d, size_t n, const struct moments *all)
{
    double sum = 0;
    for (size_t i = 1; i < n; i++)
        sum += (d[i] - all->mean) * (d[i - 1] - all->mean);
    return sum / all->squares;
}

static double kurtosis(const double *d, size_t n, const struct moments *all)
{
    double sum = 0, variance = all->squares / all->n;
    for (size_t i = 0; i < n; i++) {
        double square = (d[i] - all->mean) * (d[i] - all->mean) / variance;
        sum += square * square;
    }
    return sum / all->n;
}

static struct copy_noise noise_of(const double *d, size_t n)
{
    struct moments all = {0, 0, 0};
    for (size_t i = 0; i < n; i++)
        moments_add(&all, d[i]);
    struct copy_noise noise = {spread_of_moments(&all), NAN, NAN, NAN, NAN};
    if (!(all.squares > 0))
        return noise;
    noise.lag1 = lag1(d, n, &all);
    noise.kurtosis = kurtosis(d, n, &all);
    struct moments means = {0, 0, 0};
    for (size_t at = 0; at + COPY_BLOCK <= n; at += COPY_BLOCK) {
        double sum = 0;
        for (size_t i = 0; i < COPY_BLOCK; i++)
            sum += d[at + i];
        moments_add(&means, sum / COPY_BLOCK);
    }
    noise.blocks = COPY_BLOCK * (means.squares / (means.n - 1)) / (all.squares / all.n);
    double least = INFINITY, most = 0;
    for (size_t part = 0; part < COPY_PARTS; part++) {
        struct moments m = {0, 0, 0};
        for (size_t i = part * n / COPY_PARTS; i < (part + 1) * n / COPY_PARTS; i++)
            moments_add(&m, d[i]);
        least = fmin(least, spread_of_moments(&m));
        most = fmax(most, spread_of_moments(&m));
    }
    noise.growth = most / least;
    return noise;
}

static void find_noise(struct series *s, struct curve_copy *out)
{
    deviations(s, true, s->mean);
    out->relative = noise_of(s->mean, s->n);
    deviations(s, false, s->mean);
    out->absolute = noise_of(s->mean, s->n);
    struct moments x = {0, 0, 0}, y = {0, 0, 0}, sum = {0, 0, 0};
    for (size_t i = 1; i < s->n; i++) {
        double a = s->run[i] - s->run[i - 1], b = s->reference[i] - s->reference[i - 1];
        moments_add(&x, a);
        moments_add(&y, b);
        moments_add(&sum, a + b);
    }
    out->correlation = (sum.squares - x.squares - y.squares) / 2 / sqrt(x.squares * y.squares);
}

static const struct curve_copy nothing = {
    .smooth = NAN,
    .weight = NAN,
    .factor = NAN,
    .factor_spread = NAN,
    .offset = NAN,
    .offset_spread = NAN,
    .relative = {NAN, NAN, NAN, NAN, NAN},
    .absolute = {NAN, NAN, NAN, NAN, NAN},
    .correlation = NAN,
};

void curve_copy(const struct curve *run, const struct curve *reference, struct align_rule rule,
                struct arena *scratch, struct curve_copy *out)
{
    size_t most = run->n < reference->n ? run->n : reference->n;
    struct series s = {arena_array(scratch, most, sizeof(double)),
                       arena_array(scratch, most, sizeof(double)),
                       arena_array(scratch, most, sizeof(double)),
                       arena_array(scratch, most + 1, sizeof(double)), 0};
    *out = nothing;
    pair_copied_points(run, reference, rule.from_step, &s);
    out->n = s.n;
    if (s.n < COPY_MIN)
        return;
    static const double weights[] = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99};
    out->smooth = INFINITY;
    for (size_t i = 0; i < s.n; i++)
        s.sums[i + 1] = s.sums[i] + s.reference[i];
    for (size_t window = 2; window <= COPY_WINDOW_MAX; window++)
        for (size_t place = 0; place < 3; place++) {
            size_t before = place * (window - 1) / 2;
            box_mean(&s, window, before);
            keep_least(smoothness(&s, before, s.n + 1 - (window - before)), (int)window, NAN, out);
        }
    for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++) {
        exponential_mean(&s, weights[i]);
        keep_least(smoothness(&s, COPY_WINDOW_MAX, s.n), 0, weights[i], out);
    }
    out->smooth = isinf(out->smooth) ? NAN : out->smooth;
    struct moments ratio = {0, 0, 0}, difference = {0, 0, 0};
    for (size_t i = 0; i < s.n; i++) {
        moments_add(&ratio, s.run[i] / s.reference[i]);
        moments_add(&difference, s.run[i] - s.reference[i]);
    }
    out->factor = ratio.mean;
    out->factor_spread = spread_of_moments(&ratio);
    out->offset = difference.mean;
    out->offset_spread = spread_of_moments(&difference);
    find_noise(&s, out);
}
