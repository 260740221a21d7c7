/* align: FlagPerf's rule on small curves, and on the real pairs of ../shared where it is there. */
#include "tests/unit/unit.h"

#include "base/text.h"
#include "verifier/curves/align.h"
#include "verifier/logs/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CURVES "../shared/corpus/curves"

static struct curve make(struct arena *a, size_t n, const double *step, const double *loss)
{
    struct curve c = {.n = n, .source = "x"};
    c.step = arena_array(a, n, sizeof(double));
    c.loss = arena_array(a, n, sizeof(double));
    memcpy(c.step, step, n * sizeof(double));
    memcpy(c.loss, loss, n * sizeof(double));
    return c;
}

static const struct align_rule rule = {ALIGN_FROM_STEP, ALIGN_LIMIT};

/* By hand: steps 21, 23 and 25 are common; errors 1/100, 2/50 and 0. */
static void only_common_steps_from_21_count(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    struct curve run =
        make(&arena, 5, (double[]){20, 21, 22, 23, 25}, (double[]){9, 101, 7, 48, 4});
    struct curve ref =
        make(&arena, 5, (double[]){20, 21, 23, 24, 25}, (double[]){1, 100, 50, 9, 4});
    struct alignment a;
    align_curves(&run, &ref, rule, &a);
    assert_int_equal(a.steps, 3);
    assert_true(fabs(a.mean_rel_error - 0.05 / 3) < 1e-17);
    assert_true(a.max_rel_error == 0.04 && a.max_step == 23);
    assert_true(a.aligned);
    arena_release(&arena);
}

static void the_limit_itself_is_not_below_it(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    struct curve run = make(&arena, 1, (double[]){21}, (double[]){102});
    struct curve ref = make(&arena, 1, (double[]){21}, (double[]){100});
    struct alignment a;
    align_curves(&run, &ref, rule, &a);
    assert_true(a.mean_rel_error == 0.02);
    assert_false(a.aligned);
    arena_release(&arena);
}

static void nothing_to_compare_is_not_aligned(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    struct curve early = make(&arena, 1, (double[]){20}, (double[]){1});
    struct curve none = {.n = 0};
    struct curve nan = make(&arena, 2, (double[]){21, 22}, (double[]){NAN, 1});
    struct curve ref = make(&arena, 3, (double[]){20, 21, 22}, (double[]){1, 1, 1});
    struct alignment a;
    align_curves(&early, &ref, rule, &a);
    assert_true(a.steps == 0 && !a.aligned && isnan(a.mean_rel_error));
    align_curves(&none, &ref, rule, &a);
    assert_true(a.steps == 0 && !a.aligned);
    align_curves(&nan, &ref, rule, &a);
    assert_true(a.steps == 2 && !a.aligned && isnan(a.mean_rel_error));
    align_curves(&ref, &nan, rule, &a);
    assert_true(a.steps == 1 && a.aligned);
    arena_release(&arena);
}

/* The reference's zeros say nothing; the run's first loss that is not finite is named. */
static void zeros_are_left_out_and_infinities_named(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    struct curve run =
        make(&arena, 4, (double[]){21, 22, 23, 24}, (double[]){9, 1.5, -INFINITY, NAN});
    struct curve ref = make(&arena, 4, (double[]){21, 22, 23, 24}, (double[]){0, 1, 1, 1});
    struct alignment a;
    align_curves(&run, &ref, rule, &a);
    assert_true(a.steps == 3 && !a.aligned && !isfinite(a.mean_rel_error));
    assert_true(a.max_step == 23 && isinf(a.max_rel_error));
    run.n = ref.n = 2;
    align_curves(&run, &ref, rule, &a);
    assert_true(a.steps == 1 && a.mean_rel_error == 0.5);
    ref.n = 1;
    align_curves(&run, &ref, rule, &a);
    assert_true(a.steps == 0 && !a.aligned);
    arena_release(&arena);
}

static void load(const char *kase, const char *machine, struct arena *arena, struct curve *out)
{
    struct diags diags;
    struct err err = ERR_INIT;
    struct log log;
    char *name = arena_strdup(arena, kase);
    *strchr(name, '/') = '-';
    diags_init(&diags, arena);
    const char *path = arena_printf(arena, CURVES "/%s.%s.csv", name, machine);
    if (log_read_file(path, &log, arena, &diags, &err) < 0)
        fail_msg("%s", err.text);
    assert_int_equal(diags.n, 0);
    log_curve(&log, arena, out);
}

/* Each row of expected.tsv: to all the eight decimals that it prints. */
static void real_pairs_give_the_expected_figures(void **state)
{
    (void)state;
    FILE *in = fopen(CURVES "/expected.tsv", "r");
    if (!in) {
        skip();
        return;
    }
    struct arena arena = ARENA_INIT;
    char line[500], kase[200], run[100], ref[100], mean[50], max[50], text[50];
    size_t steps, pairs = 0;
    double max_step;
    while (fgets(line, sizeof line, in)) {
        if (sscanf(line, "%199s %99s %99s %zu %49s %49s %lf", kase, run, ref, &steps, mean, max,
                   &max_step) != 7)
            continue;
        struct curve a, b;
        struct alignment out;
        load(kase, run, &arena, &a);
        load(kase, ref, &arena, &b);
        align_curves(&a, &b, rule, &out);
        assert_int_equal(out.steps, steps);
        snprintf(text, sizeof text, "%.8f", out.mean_rel_error);
        assert_string_equal(text, mean);
        snprintf(text, sizeof text, "%.8f", out.max_rel_error);
        assert_string_equal(text, max);
        assert_true(out.max_step == max_step);
        pairs++;
    }
    fclose(in);
    assert_int_equal(pairs, 5);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_common_steps_from_21_count),
        cmocka_unit_test(the_limit_itself_is_not_below_it),
        cmocka_unit_test(nothing_to_compare_is_not_aligned),
        cmocka_unit_test(zeros_are_left_out_and_infinities_named),
        cmocka_unit_test(real_pairs_give_the_expected_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
