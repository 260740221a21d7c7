#include "verifier/curves/curve_spikes.h"

#include <math.h>
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

static double window_median(const struct window *w)
{
    return (w->sorted[(w->n - 1) / 2] + w->sorted[w->n / 2]) / 2;
}

static bool is_spike(const struct window *w, double loss)
{
    double middle = window_median(w), away[WINDOW];
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
