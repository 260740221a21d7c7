/* curve_copy: figures that can be said beforehand. */
#include "tests/unit/unit.h"

#include "verifier/curves/curve_copy.h"

#include <math.h>
#include <string.h>

#define N 400

static double step[N], run[N], reference[N];

static void make_reference(void)
{
    unsigned seed = 1;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        step[i] = i + 1;
        reference[i] = 2 + 8.0 / (1 + i / 40.0) + 0.1 * ((double)(seed >> 8) / (1 << 24) - 0.5);
    }
}

static struct curve_copy compare(size_t n)
{
    struct arena arena;
    struct curve a = {.step = step, .loss = run, .n = n, .source = "run"},
                 b = {.step = step, .loss = reference, .n = n, .source = "reference"};
    struct curve_copy out;
    arena_init(&arena);
    curve_copy(&a, &b, (struct align_rule){1, 0.02}, &arena, &out);
    arena_release(&arena);
    return out;
}

static void a_factor_and_an_offset(void **state)
{
    (void)state;
    make_reference();
    for (int i = 0; i < N; i++)
        run[i] = 1.01 * reference[i];
    struct curve_copy x = compare(N);
    assert_true(fabs(x.factor - 1.01) < 1e-12 && x.factor_spread < 1e-12);
    for (int i = 0; i < N; i++)
        run[i] = reference[i] + 0.25;
    x = compare(N);
    assert_true(fabs(x.offset - 0.25) < 1e-12 && x.offset_spread < 1e-12);
    assert_true(fabs(x.correlation - 1) < 1e-9);
}

static void means_are_found_with_their_window(void **state)
{
    (void)state;
    make_reference();
    for (int window = 2; window <= COPY_WINDOW_MAX; window += 3)
        for (int place = 0; place < 2; place++) {
            memcpy(run, reference, sizeof run);
            int before = place * (window - 1) / 2;
            for (int i = before; i + window - before <= N; i++) {
                run[i] = 0;
                for (int k = 0; k < window; k++)
                    run[i] += reference[i - before + k] / window;
            }
            struct curve_copy x = compare(N);
            assert_true(x.smooth < 1e-6);
            assert_int_equal(x.window, window);
        }
    run[0] = reference[0];
    for (int i = 1; i < N; i++)
        run[i] = 0.9 * run[i - 1] + 0.1 * reference[i];
    struct curve_copy x = compare(N);
    assert_true(x.smooth < 1e-6 && x.window == 0 && x.weight == 0.9);
    memcpy(run, reference, sizeof run);
    assert_true(fabs(compare(N).smooth - 1) < 1e-12);
}

/* +1 and -1 in turn: what each figure must be. */
static void noise_by_hand(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++) {
        step[i] = i + 1;
        reference[i] = 4;
        run[i] = 4 + (i % 2 ? -1 : 1);
    }
    struct curve_copy x = compare(N);
    assert_true(fabs(x.relative.spread - 0.25) < 1e-12 && fabs(x.absolute.spread - 1) < 1e-12);
    assert_true(fabs(x.relative.lag1 + (N - 1.0) / N) < 1e-12);
    assert_true(fabs(x.relative.kurtosis - 1) < 1e-9 && fabs(x.relative.growth - 1) < 1e-9);
    assert_true(x.relative.blocks < 1e-12);
    assert_true(isnan(x.smooth)); /* the reference has no noise */
}

static void short_and_broken_curves_give_nothing(void **state)
{
    (void)state;
    make_reference();
    memcpy(run, reference, sizeof run);
    assert_true(isnan(compare(COPY_MIN - 1).factor));
    for (int i = 0; i < N; i++)
        run[i] = i % 2 ? NAN : INFINITY;
    assert_int_equal(compare(N).n, 0);
    memcpy(run, reference, sizeof run);
    struct curve_copy x = compare(N);
    assert_true(x.factor == 1 && x.relative.spread == 0 && isnan(x.relative.lag1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_factor_and_an_offset),
        cmocka_unit_test(means_are_found_with_their_window),
        cmocka_unit_test(noise_by_hand),
        cmocka_unit_test(short_and_broken_curves_give_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
