#include "verifier/curves/curve_spikes.h"

#include <string.h>

#define WINDOW (2 * STATS_SPIKE_HALF + 1)

/* MAD of a normal distribution to its standard deviation. */
#define MAD_SCALE 1.4826

/* Hoare's selection: afterwards values[k] is the k-th smallest, with none larger before it. */
static void partition_at(double *values, size_t n, size_t k)
{
    size_t low = 0, high = n - 1;
    while (low < high) {
        double pivot = values[low + (high - low) / 2];
        size_t i = low, j = high;
        while (i <= j) {
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i > j)
                break;
            double swap = values[i];
            values[i++] = values[j];
            values[j] = swap;
            if (j == 0)
                break;
            j--;
        }
        if (k <= j)
            high = j;
        else if (k >= i)
            low = i;
        else
            return;
    }
}

double curve_median(double *values, size_t n)
{
    if (n == 0)
        return NAN;
    partition_at(values, n, n / 2);
    double middle = values[n / 2], below = middle;
    if (n % 2)
        return middle;
    below = values[0];
    for (size_t i = 1; i < n / 2; i++)
        below = values[i] > below ? values[i] : below;
    return (below + middle) / 2;
}

double curve_median_upper(double *values, size_t n)
{
    if (n == 0)
        return NAN;
    partition_at(values, n, n / 2);
    return values[n / 2];
}

/* The finite losses around one step, sorted. */
struct window {
    double sorted[WINDOW];
    size_t n;
};

static size_t place_in_window(const struct window *w, double value)
{
    size_t at = 0;
    while (at < w->n && w->sorted[at] < value)
        at++;
    return at;
}

static void window_add(struct window *w, double value)
{
    size_t at = place_in_window(w, value);
    if (!isfinite(value))
        return;
    memmove(w->sorted + at + 1, w->sorted + at, (w->n - at) * sizeof(double));
    w->sorted[at] = value;
    w->n++;
}

static void window_remove(struct window *w, double value)
{
    size_t at = place_in_window(w, value);
    if (!isfinite(value))
        return;
    w->n--;
    memmove(w->sorted + at, w->sorted + at + 1, (w->n - at) * sizeof(double));
}

static bool is_spike(const struct window *w, double loss)
{
    double middle = (w->sorted[(w->n - 1) / 2] + w->sorted[w->n / 2]) / 2, away[WINDOW];
    if (!(loss - middle > STATS_SPIKE_SHARE * fabs(middle)))
        return false;
    for (size_t i = 0; i < w->n; i++)
        away[i] = fabs(w->sorted[i] - middle);
    return loss - middle > STATS_SPIKE_MADS * MAD_SCALE * curve_median(away, w->n);
}

struct occurrence curve_spikes(const struct curve *c, int from_step)
{
    struct occurrence o = {0, NAN};
    struct window w = {.n = 0};
    size_t from = 0;
    bool before = false;
    while (from < c->n && c->step[from] < from_step)
        from++;
    for (size_t i = from; i < c->n && i < from + STATS_SPIKE_HALF; i++)
        window_add(&w, c->loss[i]);
    for (size_t i = from; i < c->n; i++) {
        if (i > from + STATS_SPIKE_HALF)
            window_remove(&w, c->loss[i - STATS_SPIKE_HALF - 1]);
        if (i + STATS_SPIKE_HALF < c->n)
            window_add(&w, c->loss[i + STATS_SPIKE_HALF]);
        bool spike = isfinite(c->loss[i]) && is_spike(&w, c->loss[i]);
        if (spike && !before && o.n++ == 0)
            o.first = c->step[i];
        before = spike;
    }
    return o;
}

static const struct trend unknown = {NAN, NAN, NAN};

static bool is_usable(double loss)
{
    return isfinite(loss) && loss > 0;
}

/* `from` to `to` are all usable. */
static bool are_usable(const struct curve *c, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (!is_usable(c->loss[i]))
            return false;
    return true;
}

static struct trend trend_of(double loss, double expected, double scale)
{
    double away = log(loss) - expected;
    return (struct trend){scale > 0 ? fabs(away) / scale : NAN, away, exp(expected)};
}

struct trend trend_last(const struct curve *c)
{
    double slopes[TREND_LAST * (TREND_LAST - 1) / 2], heights[TREND_LAST], off[TREND_LAST];
    size_t n = 0;
    if (c->n < TREND_LAST + 1 || !are_usable(c, c->n - 1 - TREND_LAST, c->n))
        return unknown;
    const double *y = c->loss + c->n - 1 - TREND_LAST;
    for (size_t i = 0; i < TREND_LAST; i++)
        for (size_t k = i + 1; k < TREND_LAST; k++)
            slopes[n++] = (log(y[k]) - log(y[i])) / (double)(k - i);
    double slope = curve_median(slopes, n);
    for (size_t i = 0; i < TREND_LAST; i++)
        off[i] = heights[i] = log(y[i]) - slope * (double)i;
    double height = curve_median(heights, TREND_LAST);
    for (size_t i = 0; i < TREND_LAST; i++)
        off[i] = fabs(off[i] - height);
    return trend_of(y[TREND_LAST], height + slope * TREND_LAST,
                    MAD_SCALE * curve_median(off, TREND_LAST));
}

/* What a loss among the first should be by its neighbours; logarithm. */
static double expected_early(const struct curve *c, size_t i)
{
    return i == 0 ? 2 * log(c->loss[1]) - log(c->loss[2])
                  : (log(c->loss[i - 1]) + log(c->loss[i + 1])) / 2;
}

struct trend trend_early(const struct curve *c, size_t i)
{
    double off[TREND_EARLY + 5];
    size_t n = 0, most = c->n < TREND_EARLY + 6 ? c->n : TREND_EARLY + 6;
    if (most < TREND_EARLY_MIN + 1 || i + 1 >= most || !are_usable(c, 0, most))
        return unknown;
    for (size_t k = 1; k + 1 < most; k++)
        if (k + 1 < i || k > i + 1)
            off[n++] = fabs(log(c->loss[k]) - expected_early(c, k));
    return trend_of(c->loss[i], expected_early(c, i), MAD_SCALE * curve_median(off, n));
}

/* The reference's loss of this step; NaN. */
static double loss_at(const struct curve *c, double step)
{
    size_t at = curve_step_at(c, 0, step);
    return at < c->n && c->step[at] == step ? c->loss[at] : NAN;
}

struct trend trend_residual(const struct curve *run, const struct curve *reference, size_t i)
{
    double off[2 * TREND_BESIDE];
    size_t n = 0, from = i > TREND_BESIDE ? i - TREND_BESIDE : 0;
    double expected = loss_at(reference, run->step[i]);
    if (!is_usable(run->loss[i]) || !is_usable(expected))
        return unknown;
    for (size_t k = from; k < run->n && k <= i + TREND_BESIDE; k++) {
        double other = loss_at(reference, run->step[k]);
        if (k != i && is_usable(other) && is_usable(run->loss[k]))
            off[n++] = fabs(log(run->loss[k] / other));
    }
    double middle = curve_median(off, n);
    if (n < TREND_BESIDE || !(middle < TREND_CLOSE))
        return unknown;
    return trend_of(run->loss[i], log(expected), fmax(middle, TREND_FLOOR));
}
