#include "verifier/curves/curve_trend.h"

#include "verifier/curves/curve_spikes.h"

#include <math.h>

#define MAD_SCALE 1.4826

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

/* The reference's loss of this step, from *at on; NaN. */
static double loss_at(const struct curve *c, double step)
{
    size_t from = 0, to = c->n;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (c->step[middle] < step)
            from = middle + 1;
        else
            to = middle;
    }
    return from < c->n && c->step[from] == step ? c->loss[from] : NAN;
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
