/* series_likeness: copies whose values were changed, rounded, left out or put in, and pairs that
 * have nothing in common but a trend. */
#include "tests/unit/unit.h"

#include "verifier/curves/series_likeness.h"

#include <math.h>

#define N 60

/* Step times: 0.4 s, noise of 5 %, and each step a little faster. */
static void make_times(unsigned seed, double trend, double *out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        out[i] = 0.4 + 0.02 * (seed >> 8) / (1 << 24) - trend * (double)i;
    }
}

static double mean_likeness(const double *x, size_t n, const double *y, size_t m)
{
    struct arena arena = ARENA_INIT;
    struct likeness l =
        series_likeness((struct series){x, n}, (struct series){y, m}, false, &arena);
    arena_release(&arena);
    return (l.values + l.differences) / 2;
}

static void copies_are_alike(void **state)
{
    (void)state;
    double x[N], y[N + 1];
    make_times(1, 0, x, N);
    for (size_t i = 0; i < N; i++)
        y[i] = 1.3 * x[i] - 0.01;
    assert_true(mean_likeness(x, N, y, N) > 0.999);
    for (size_t i = 0; i < N; i++)
        y[i] = round(970 * x[i]) / 1000;
    assert_true(mean_likeness(x, N, y, N) > 0.97);
    for (size_t gone = 0; gone < N; gone++) {
        for (size_t i = 0; i < N - 1; i++)
            y[i] = x[i + (i >= gone)];
        assert_true(mean_likeness(x, N, y, N - 1) > 0.97);
        assert_true(mean_likeness(y, N - 1, x, N) > 0.97); /* put in */
    }
}

static void others_are_not(void **state)
{
    (void)state;
    double x[N], y[N];
    for (unsigned seed = 2; seed < 300; seed++) {
        make_times(seed, 0, x, N);
        make_times(1000 + seed, 0, y, N);
        assert_true(mean_likeness(x, N, y, N) < 0.8);
        make_times(seed, 0.001, x, N); /* both become faster, by three times their noise */
        make_times(1000 + seed, 0.001, y, N);
        assert_true(mean_likeness(x, N, y, N) < 0.8);
    }
}

static void few_values_say_nothing(void **state)
{
    (void)state;
    double x[N], y[N];
    make_times(1, 0, x, N);
    assert_true(isnan(mean_likeness(x, LIKENESS_PAIRS, x, LIKENESS_PAIRS)));
    assert_true(isnan(mean_likeness(x, 0, x, 0)));
    for (size_t i = 0; i < N; i++)
        y[i] = i % 7 == 0;
    assert_true(isnan(mean_likeness(y, N, y, N)));
    for (size_t i = 0; i < N; i++)
        y[i] = 3;
    assert_true(isnan(mean_likeness(x, N, y, N)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_alike),
        cmocka_unit_test(others_are_not),
        cmocka_unit_test(few_values_say_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
