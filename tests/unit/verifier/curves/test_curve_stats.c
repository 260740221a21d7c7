/* curve_stats: each figure on curves that are small enough for a head. tests/cli/verify/diff.sh
 * holds all of them to an independent oracle. */
#include "tests/unit/unit.h"

#include "verifier/curves/curve_spikes.h"

#include <math.h>

static const struct align_rule rule = {1, 0.02};

#define N 100

/* Steps 1 to N; the run deviates by 1 % and 0.1 % a step more. */
struct sample {
    double step[N], run[N], reference[N], run_s[N], reference_s[N];
};

static struct curve_stats measure(struct sample *s, struct arena *scratch)
{
    struct curve run = {
        .step = s->step, .loss = s->run, .seconds = s->run_s, .n = N, .source = "run"};
    struct curve reference = {.step = s->step,
                              .loss = s->reference,
                              .seconds = s->reference_s,
                              .n = N,
                              .source = "reference"};
    struct curve_stats out;
    curve_stats(&run, &reference, rule, scratch, &out);
    return out;
}

static void fill(struct sample *s)
{
    for (int i = 0; i < N; i++) {
        s->step[i] = i + 1;
        s->reference[i] = 4;
        s->run[i] = 4 * (1.01 + 0.001 * (i + 1));
        s->run_s[i] = 3;
        s->reference_s[i] = 2;
    }
}

static void a_straight_drift_is_found(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct sample s;
    fill(&s);
    struct curve_stats x = measure(&s, &a);
    assert_int_equal(x.n, N);
    assert_true(fabs(x.drift - 1) < 1e-12); /* 0.1 % a step: 1 per 1000 steps */
    assert_true(x.drift_error < 1e-12);
    assert_true(fabs(x.signed_mean - 0.0605) < 1e-15);
    assert_true(x.time_ratio == 1.5 && x.timed == N);
    assert_true(x.final_step == N && x.final_reference == 4);
    arena_release(&a);
}

/* Mean of the first k deviations is 0.01 + 0.0005 (k + 1): 0.02 is reached at k = 19 or, one
 * rounding later, 20. */
static void divergence_begins_where_the_running_mean_stays_beyond(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct sample s;
    fill(&s);
    double onset = measure(&s, &a).onset_step;
    assert_true(onset == 19 || onset == 20);
    for (int i = 40; i < N; i++)
        s.run[i] = s.reference[i];
    assert_true(isnan(measure(&s, &a).onset_step));
    s.run[N - 1] = NAN;
    assert_true(measure(&s, &a).onset_step == N);
    assert_true(measure(&s, &a).run_not_finite.first == N);
    arena_release(&a);
}

static void spikes_are_counted_once_and_trends_are_none(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct sample s;
    fill(&s);
    s.run[50] = s.run[51] = 6; /* two steps, one spike */
    s.run[80] = 5;
    s.reference[20] = 3; /* below is none */
    struct curve_stats x = measure(&s, &a);
    assert_int_equal(x.run_spikes.n, 2);
    assert_true(x.run_spikes.first == 51);
    assert_int_equal(x.reference_spikes.n, 0);
    arena_release(&a);
}

static void a_shift_is_found(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct sample s;
    fill(&s);
    for (int i = 0; i < N; i++) {
        s.reference[i] = 4 + (i * i) % 7;
        s.run[i] = i < 2 ? 4 : 4 + ((i - 2) * (i - 2)) % 7;
    }
    struct curve_stats x = measure(&s, &a);
    assert_int_equal(x.shift, -2);
    assert_true(x.shift_correlation > 0.999 && x.diff_correlation < 0.9);
    arena_release(&a);
}

static void medians(void **state)
{
    (void)state;
    assert_true(isnan(curve_median(NULL, 0)));
    assert_true(curve_median((double[]){3}, 1) == 3);
    assert_true(curve_median((double[]){3, 1}, 2) == 2);
    assert_true(curve_median((double[]){5, 5, 5, 1, 9, 5}, 6) == 5);
    assert_true(curve_median((double[]){9, 8, 7, 6, 5, 4, 3, 2, 1}, 9) == 5);
    assert_true(curve_median((double[]){1, 2, 3, 4, 100, 101}, 6) == 3.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_straight_drift_is_found),
        cmocka_unit_test(divergence_begins_where_the_running_mean_stays_beyond),
        cmocka_unit_test(spikes_are_counted_once_and_trends_are_none),
        cmocka_unit_test(a_shift_is_found),
        cmocka_unit_test(medians),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
