/* rcp, student, score: test vectors of the policy (appendix "RCP Examples") and small cases. */
#include "tests/unit/unit.h"

#include "verifier/mlperf/score/rcp.h"
#include "verifier/mlperf/score/score.h"
#include "verifier/mlperf/score/student.h"

#include <math.h>
#include <string.h>

static void assert_near(double found, double expected, double within)
{
    if (!(fabs(found - expected) <= within))
        fail_msg("found %.10g, expected %.10g", found, expected);
}

static void student_agrees_with_tables(void **state)
{
    (void)state;
    assert_near(student_t95(1), 6.313752, 1e-6);
    assert_near(student_t95(9), 1.833113, 1e-6);
    assert_near(student_t95(11), 1.795885, 1e-6);
    assert_near(student_t95(24), 1.710882, 1e-6);
    assert_near(student_t95(1000), 1.646379, 1e-6);
    assert_true(isnan(student_t95(0)));
    static const double kept_degrees[] = {1, 9, 9.5, 255, 256};
    struct student_kept kept = {{0}};
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < sizeof kept_degrees / sizeof *kept_degrees; i++)
            assert_true(student_t95_kept(&kept, kept_degrees[i]) == student_t95(kept_degrees[i]));
    assert_true(kept.t95[9] == student_t95(9) && kept.t95[10] == 0);
}

/* In the policy, the deviation is that of the runs that are kept; N = 5, k = 1. */
static double small_runs[] = {14, 15, 15, 16, 16, 16, 16, 16, 16, 17};
static double large_runs[] = {20, 20, 20, 20, 21, 21, 21, 21, 22, 22};
static struct rcp_point points[] = {{"small", 128, small_runs, 10}, {"large", 256, large_runs, 10}};
static const struct rcp_benchmark benchmark = {"example", points, 2, NULL};

static struct rcp_runs runs_of(double batch_size, const double *needed, size_t n)
{
    return (struct rcp_runs){
        .runs = 5, .drop = 1, .batch_size = batch_size, .needed = needed, .n = n};
}

static void figures_of_points_are_those_of_the_policy(void **state)
{
    (void)state;
    struct rcp_runs runs = runs_of(128, NULL, 0);
    struct rcp_test t;
    rcp_point_figures(&points[0], &runs, RCP_WAY_DEVIATION, &t);
    assert_near(t.reference_mean, 15.75, 1e-9);
    assert_near(t.deviation, 0.433, 5e-4);
    assert_near(t.least, 15.21, 5e-3);
    rcp_point_figures(&points[1], &runs, RCP_WAY_DEVIATION, &t);
    assert_near(t.reference_mean, 20.75, 1e-9);
    assert_near(t.deviation, 0.66, 5e-3);
    assert_near(t.least, 19.93, 5e-3);
}

static void a_batch_size_between_two_points_is_interpolated(void **state)
{
    (void)state;
    const double needed[] = {18, 18, 18, 18, 18};
    struct rcp_runs runs = runs_of(192, needed, 5);
    struct rcp_test t;
    rcp_check(&runs, &benchmark, RCP_WAY_DEVIATION, &t);
    assert_int_equal(t.verdict, RCP_PASS);
    assert_int_equal(t.how, RCP_INTERPOLATED);
    assert_near(t.reference_mean, 18.25, 1e-9);
    assert_near(t.deviation, 0.547, 5e-4);
    assert_near(t.n_reference, 10, 0);
    assert_near(t.least, 17.60, 5e-3);
    assert_near(t.factor, 18.25 / 18, 1e-12);
}

static void each_reason_has_its_word(void **state)
{
    (void)state;
    const double good[] = {16, 16, 16, 16, 16}, fast[] = {9, 9, 9, 9, 9};
    const double lost[] = {16, 16, 16, INFINITY, INFINITY};
    const struct {
        double batch_size;
        const double *needed;
        size_t n;
        const struct rcp_benchmark *points;
        enum rcp_verdict verdict;
        enum rcp_how how;
    } cases[] = {
        {128, good, 5, &benchmark, RCP_PASS, RCP_FOUND},
        {128, fast, 5, &benchmark, RCP_FAIL, RCP_FOUND},
        {64, good, 5, &benchmark, RCP_PASS, RCP_SMALLER},
        {64, fast, 5, &benchmark, RCP_FAIL, RCP_MISSING},
        {512, good, 5, &benchmark, RCP_FAIL, RCP_MISSING},
        {NAN, good, 5, &benchmark, RCP_FAIL, RCP_NO_BATCH_SIZE},
        {128, lost, 5, &benchmark, RCP_FAIL, RCP_NOT_CONVERGED},
        {128, good, 2, &benchmark, RCP_FAIL, RCP_TOO_FEW_RUNS},
        {128, good, 5, NULL, RCP_FAIL, RCP_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rcp_runs runs = runs_of(cases[i].batch_size, cases[i].needed, cases[i].n);
        struct rcp_test t;
        rcp_check(&runs, cases[i].points, 0, &t);
        assert_int_equal(t.verdict, cases[i].verdict);
        assert_string_equal(rcp_how_name(t.how), rcp_how_name(cases[i].how));
    }
}

/* One run that did not converge goes with the largest. */
static void one_run_may_not_converge(void **state)
{
    (void)state;
    const double needed[] = {16, 17, 18, 19, INFINITY};
    struct rcp_runs runs = runs_of(128, needed, 5);
    struct rcp_test t;
    rcp_check(&runs, &benchmark, 0, &t);
    assert_int_equal(t.verdict, RCP_PASS);
    assert_near(t.mean, 18, 1e-12);
}

static void the_score_is_the_mean_of_the_middle(void **state)
{
    (void)state;
    struct mlperf_run runs[] = {{10, true, false},
                                {13, true, false},
                                {11, true, false},
                                {12, true, false},
                                {99, true, false}};
    struct mlperf_score score;
    mlperf_score(runs, 5, 1, 2, &score);
    assert_near(score.unscaled, 12, 1e-12);
    assert_near(score.minutes, 24, 1e-12);
    assert_false(runs[0].kept || runs[4].kept);
}

static void a_failing_run_is_the_slowest(void **state)
{
    (void)state;
    struct mlperf_run runs[] = {{10, true, false},
                                {1, false, false},
                                {11, true, false},
                                {12, true, false},
                                {13, true, false}};
    struct mlperf_score score;
    mlperf_score(runs, 5, 1, 1, &score);
    assert_near(score.unscaled, 12, 1e-12);
    runs[2].complies = false;
    mlperf_score(runs, 5, 1, 1, &score);
    assert_true(isnan(score.minutes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(student_agrees_with_tables),
        cmocka_unit_test(figures_of_points_are_those_of_the_policy),
        cmocka_unit_test(a_batch_size_between_two_points_is_interpolated),
        cmocka_unit_test(each_reason_has_its_word),
        cmocka_unit_test(one_run_may_not_converge),
        cmocka_unit_test(the_score_is_the_mean_of_the_middle),
        cmocka_unit_test(a_failing_run_is_the_slowest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
