/* chart: small, deterministic, harmless SVG whose figures come from all points. */
#include "tests/unit/drawing.h"

#include "base/files/file.h"
#include "renderer/charts/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N(array) (sizeof(array) / sizeof *(array))

static const struct chart_text words = {.id = "c1",
                                        .title = "Loss",
                                        .description = "Two curves",
                                        .x_label = "step",
                                        .y_label = "loss",
                                        .worst = "worst",
                                        .from = "compared from here",
                                        .empty = "no points"};

/* Any output: one svg element, closed, no script, no number that is none, below the cap. */
static void assert_sound(const struct buf *out)
{
    static const char *const never[] = {"nan", "inf", "<script", "style=", "href", "onload"};
    assert_false(out->overflow);
    assert_true(out->len < CHART_BYTES_MAX);
    assert_memory_equal(out->data, "<svg ", 5);
    assert_string_equal(out->data + out->len - 7, "</svg>\n");
    assert_non_null(strstr(out->data, "role=\"img\""));
    assert_non_null(strstr(out->data, "aria-labelledby=\"c1-t c1-d\""));
    for (size_t i = 0; i < N(never); i++)
        if (strstr(out->data, never[i]))
            fail_msg("found %s in %s", never[i], out->data);
}

static void draw(struct buf *out, const struct chart_text *text, const struct chart_series *run,
                 const struct chart_series *reference)
{
    struct arena arena = ARENA_INIT;
    chart_write(out, chart_convergence(&arena, text, run, reference, 0.02, 21), CHART_WIDE);
    arena_release(&arena);
}

static void draw_new(struct buf *out, const struct chart_series *run,
                     const struct chart_series *reference)
{
    buf_init(out, BUF_DEFAULT_MAX);
    draw(out, &words, run, reference);
    assert_sound(out);
}

static void any_data_give_a_sound_drawing(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3, 4, 5, 30}, far[] = {-1e300, 0, 1, 1e14, 1e15, 1e300};
    static const double y[] = {1, NAN, INFINITY, -INFINITY, 5, 2}, zero[6],
                        same[] = {2, 2, 2, 2, 2, 2};
    static const double none[] = {NAN, NAN, NAN, NAN, NAN, NAN},
                        tiny[] = {0, 5e-324, 1e-308, 0, 0, 0};
    static const double *const all[] = {x, far, y, zero, same, none, tiny};
    for (size_t i = 0; i < N(all); i++)
        for (size_t j = 0; j < N(all); j++)
            for (size_t n = 0; n <= 6; n += 1 + (n > 0) * 4) {
                struct buf out;
                struct chart_series run = {all[i], all[j], n, "run", NULL, NULL},
                                    ref = {x, all[i], n, "ref", NULL, NULL};
                draw_new(&out, &run, &ref);
                buf_clear(&out);
                draw(&out, &words, &run, NULL);
                assert_sound(&out);
                buf_release(&out);
            }
}

/* A run beside a reference that it is not held to. */
static void without_a_limit_none_is_drawn(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3}, y[] = {3, 2, 1}, other[] = {3, 2.5, 1}, far[] = {7, 8, 9};
    const struct chart_series run = {x, y, 3, "run", NULL, NULL},
                              same = {x, other, 3, "ref", NULL, NULL},
                              apart = {far, y, 3, "ref", NULL, NULL};
    const struct chart_series *const references[] = {&same, &apart, &run};
    for (size_t i = 0; i < N(references); i++) {
        struct arena arena = ARENA_INIT;
        struct buf out;
        buf_init(&out, BUF_DEFAULT_MAX);
        chart_write(&out, chart_convergence(&arena, &words, &run, references[i], NAN, 0),
                    CHART_WIDE);
        assert_sound(&out);
        assert_null(strstr(out.data, "--chart-limit"));
        assert_int_equal(count(out.data, "class=\"chart-panel\""), i == 1 ? 1 : 2);
        buf_release(&out);
        arena_release(&arena);
    }
}

static void words_are_escaped_and_cut(void **state)
{
    (void)state;
    static const double x[] = {1, 30}, y[] = {2, 3};
    char longer[100000];
    memset(longer, '<', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    struct chart_text t = words;
    t.title = t.description = t.x_label = t.y_label = t.worst = t.from = "</svg><script>\"&";
    struct chart_series run = {x, y, 2, longer, NULL, NULL};
    struct buf out;
    buf_init(&out, BUF_DEFAULT_MAX);
    draw(&out, &t, &run, &run);
    assert_sound(&out);
    assert_int_equal(count(out.data, "</svg>"), 1);
    buf_release(&out);
}

static void gaps_are_left(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3, 4, 5}, y[] = {1, 2, NAN, 3, 4}, dot[] = {1, NAN, 2, NAN, 3};
    struct chart_series gap = {x, y, 5, "g", NULL, NULL}, dots = {x, dot, 5, "d", NULL, NULL};
    struct buf out;
    buf_init(&out, BUF_DEFAULT_MAX);
    draw(&out, &words, &gap, NULL);
    const char *curve = strstr(strstr(out.data, "class=\"chart-line\""), " d=\"");
    assert_non_null(curve);
    const char *end = strstr(curve, "/>");
    char path[512] = "";
    memcpy(path, curve, (size_t)(end - curve));
    assert_int_equal(count(path, "m"), 2);
    buf_clear(&out);
    draw(&out, &words, &dots, NULL);
    assert_int_equal(count(out.data, "h0"), 3);
    buf_release(&out);
}

/* The worst step that is marked; a fraction. */
static void find_worst(const struct chart_series *run, const struct chart_series *reference,
                       double *step, double *deviation)
{
    struct arena arena = ARENA_INIT;
    const struct chart *c = chart_convergence(&arena, &words, run, reference, 0.02, 21);
    assert_in_range(c->n_panels, 2, 3); /* the third is the second, enlarged */
    assert_non_null(c->panels[c->n_panels - 1].marks[0].text);
    *step = c->panels[1].marks[0].x;
    *deviation = c->panels[1].marks[0].y / 100;
    arena_release(&arena);
}

/* Limits are always drawn; where they are far away, what there is stands enlarged below, where the
 * worst step has its words, and it is told once. */
static void far_limits_are_drawn_and_the_rest_enlarged(void **state)
{
    (void)state;
    static const double x[] = {1, 30, 60, 90}, ref[] = {4, 4, 4, 4};
    static const struct {
        double y[4];
        double high, enlarged; /* of the axes */
    } cases[] = {
        {{4, 4.0004, 3.9992, 4}, 3, 0.04}, /* 0.02 % at most, the limit is 2 % */
        {{4, 4.02, 3.96, 4}, 3, 0},
        {{4, 4, 4, 4}, 3, 0}, /* nothing deviates: the limits are all there is */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = ARENA_INIT;
        struct chart_series run = {x, cases[i].y, 4, "run", NULL, NULL};
        struct chart_series reference = {x, ref, 4, "reference", NULL, NULL};
        const struct chart *c = chart_convergence(&arena, &words, &run, &reference, 0.02, 21);
        bool far = cases[i].enlarged > 0;
        assert_int_equal(c->n_panels, far ? 3 : 2);
        assert_true(fabs(c->panels[1].y.high - cases[i].high) < 1e-9);
        assert_true(!far || fabs(c->panels[2].y.high - cases[i].enlarged) < 1e-9);
        assert_int_equal(c->panels[1].marks[0].text == NULL, far);
        assert_int_equal(chart_rows(&arena, c, 24)->n_columns, 4);
        struct buf out;
        buf_init(&out, BUF_DEFAULT_MAX);
        draw(&out, &words, &run, &reference);
        assert_sound(&out);
        assert_non_null(strstr(out.data, "--chart-limit"));
        buf_release(&out);
        arena_release(&arena);
    }
}

/* Zero is left out of a rate's axis, which is drawn broken and says so; not where it begins there.
 */
static void a_broken_axis_says_so(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3}, steady[] = {9000, 9100, 9050}, wild[] = {9000, 40, 9050};
    const double *const all[] = {steady, wild};
    for (size_t i = 0; i < 2; i++) {
        struct arena arena = ARENA_INIT;
        struct chart_text text = words;
        struct chart_series rate = {x, all[i], 3, NULL, NULL, NULL};
        struct buf out;
        text.broken = "axis does not start at 0";
        buf_init(&out, BUF_DEFAULT_MAX);
        chart_write(&out, chart_throughput(&arena, &text, &rate, NAN), CHART_WIDE);
        assert_sound(&out);
        assert_int_equal(strstr(out.data, "chart-break") != NULL, i == 0);
        assert_int_equal(strstr(out.data, text.broken) != NULL, i == 0);
        buf_release(&out);
        arena_release(&arena);
    }
}

/* Does the line go through this place? */
static bool curve_has(const char *svg, double cx, double cy)
{
    const char *at = strstr(svg, "class=\"chart-mark\"");
    while (strncmp(at, " d=\"m", 5) != 0) /* the line before the ring */
        at--;
    at += 5;
    double x = 0, y = 0, dx, dy;
    for (int used; sscanf(at, "%lf %lf%n", &dx, &dy, &used) == 2; at += used) {
        x += dx;
        y += dy;
        if (fabs(x - cx) < 0.06 && fabs(y - cy) < 0.06)
            return true;
    }
    return false;
}

/* A hundred thousand points with one spike: small, the spike is there, and it is the worst. */
static void spikes_survive_the_downsampling(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    double *x = calloc(MANY, sizeof *x), *y = calloc(MANY, sizeof *y), *r = calloc(MANY, sizeof *r);
    for (int i = 0; i < MANY; i++) {
        x[i] = i + 1;
        r[i] = 2 + 0.01 * ((i % 2000 * 7919) % 100) / 100;
        y[i] = r[i] * (1 + 0.001 * ((i % 2000 * 104729) % 200 - 100) / 100);
    }
    y[77776] = r[77776] * 0.9;
    struct chart_series run = {x, y, MANY, "run", NULL, NULL},
                        reference = {x, r, MANY, "reference", NULL, NULL};
    double step, deviation;
    find_worst(&run, &reference, &step, &deviation);
    assert_float_equal(step, 77777, 0);
    assert_float_equal(deviation, -0.1, 1e-12);
    struct buf out, again;
    draw_new(&out, &run, &reference);
    draw_new(&again, &run, &reference);
    assert_string_equal(out.data, again.data);
    assert_non_null(strstr(out.data, "worst \xE2\x88\x92"
                                     "10 % \xC2\xB7 step 77777"));
    for (int i = 0; i < MANY; i += 2) /* every second value missing: dense, and still small */
        y[i] = NAN;
    buf_clear(&again);
    draw(&again, &words, &run, &reference);
    assert_sound(&again);
    /* the ring lies on a point of the curve */
    const char *ring = strstr(out.data, "class=\"chart-mark\"");
    while (strncmp(ring, "circle cx=", 10) != 0)
        ring--;
    double cx, cy;
    assert_int_equal(sscanf(ring, "circle cx=\"%lf\" cy=\"%lf\"", &cx, &cy), 2);
    assert_true(curve_has(out.data, cx, cy));
    buf_release(&out);
    buf_release(&again);
    free(x);
    free(y);
    free(r);
}

static size_t load_curve(const char *path, struct arena *a, double **x, double **y)
{
    struct bytes text;
    struct err err = ERR_INIT;
    if (file_read(path, 1 << 22, a, &text, &err) < 0)
        return 0;
    size_t lines = count(text.data, "\n"), n = 0;
    *x = arena_array(a, lines, sizeof **x);
    *y = arena_array(a, lines, sizeof **y);
    for (const char *at = strchr(text.data, '\n'); at && at[1]; at = strchr(at + 1, '\n'))
        n += sscanf(at + 1, "%lf,%lf", *x + n, *y + n) == 2;
    return n;
}

/* expected.tsv was made independently of this program. */
static void real_curves_have_the_expected_worst_step(void **state)
{
    (void)state;
    static const struct {
        const char *stem, *run, *reference;
        double worst, step;
    } rows[] = {
        {"bert-bert_release", "dev_dgx_gb200", "dev_dgx_h100", 0.03351942, 13755},
        {"bert-bert_release", "dev_dgx_gb200", "lts_dgx_a100", 0.16992224, 19185},
        {"bert-bert_release", "dev_dgx_h100", "lts_dgx_a100", 0.15890557, 19185},
        {"gpt-gpt3_15b_8t_release", "dev_dgx_h100", "lts_dgx_a100", 0.02700893, 2465},
    };
    if (!file_is_dir("../shared/corpus/curves"))
        skip();
    for (size_t i = 0; i < N(rows); i++) {
        struct arena a = ARENA_INIT;
        struct chart_series series[2];
        const char *names[] = {rows[i].run, rows[i].reference};
        for (int s = 0; s < 2; s++) {
            double *x, *y;
            series[s].n = load_curve(
                arena_printf(&a, "../shared/corpus/curves/%s.%s.csv", rows[i].stem, names[s]), &a,
                &x, &y);
            assert_true(series[s].n > 1000);
            series[s] = (struct chart_series){x, y, series[s].n, names[s], NULL, NULL};
        }
        double step, deviation;
        find_worst(&series[0], &series[1], &step, &deviation);
        assert_float_equal(fabs(deviation), rows[i].worst, 5e-9);
        assert_float_equal(step, rows[i].step, 0);
        struct buf out;
        draw_new(&out, &series[0], &series[1]);
        buf_release(&out);
        arena_release(&a);
    }
}

/* Five long runs and their reference: as small as any drawing, the same bytes twice, and the worst
 * step of each kept, ringed, and the worst of all labelled. */
static void runs_together_keep_their_worst(void **state)
{
    (void)state;
    enum { MANY = 30000, RUNS = CHART_OVERLAID_MAX };
    static double x[MANY], r[MANY], y[RUNS][MANY];
    struct chart_series runs[RUNS + 1] = {0};
    for (size_t i = 0; i < MANY; i++) {
        x[i] = (double)i + 1;
        r[i] = 2 + 0.1 * (double)(i * 7919 % 100) / 100;
        for (size_t k = 0; k < RUNS; k++)
            y[k][i] = r[i] * (1 + 0.01 * ((double)(i * 104729 % (97 + k)) / 97 - 0.5));
    }
    for (size_t k = 0; k < RUNS; k++) {
        y[k][1000 * k + 500] = r[1000 * k + 500] * (1 - 0.02 * (double)(k + 1));
        runs[k] = (struct chart_series){x, y[k], MANY, "a run", NULL, NULL};
    }
    runs[RUNS] = runs[0]; /* one more than are drawn */
    const struct chart_series reference = {x, r, MANY, "reference", NULL, NULL};
    struct arena arena = ARENA_INIT;
    const struct chart *c = chart_overlay(&arena, &words, runs, RUNS + 1, &reference, 0.02, 21);
    assert_int_equal(c->n_panels, 2);
    assert_int_equal(c->panels[0].n_lines, RUNS + 1);
    assert_int_equal(c->panels[1].n_marks, RUNS);
    for (size_t k = 0; k < RUNS; k++) {
        assert_float_equal(c->panels[1].marks[k].x, 1000 * (double)k + 501, 0);
        assert_float_equal(c->panels[1].marks[k].y, -2 * (double)(k + 1), 1e-9);
        assert_int_equal(c->panels[1].marks[k].text != NULL, k == RUNS - 1);
    }
    struct buf out, again;
    buf_init(&out, BUF_DEFAULT_MAX);
    buf_init(&again, BUF_DEFAULT_MAX);
    chart_write(&out, c, CHART_WIDE);
    chart_write(&again, c, CHART_WIDE);
    assert_sound(&out);
    assert_string_equal(out.data, again.data);
    assert_int_equal(count(out.data, "class=\"chart-mark\""), RUNS);
    buf_clear(&out);
    c = chart_overlay(&arena, &words, runs, 2, NULL, NAN, 0); /* from the first run */
    assert_int_equal(c->panels[1].n_lines, 1);
    assert_int_equal(c->panels[1].n_rules, 0);
    chart_write(&out, c, CHART_WIDE);
    assert_sound(&out);
    buf_release(&again);
    buf_release(&out);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_data_give_a_sound_drawing),
        cmocka_unit_test(without_a_limit_none_is_drawn),
        cmocka_unit_test(far_limits_are_drawn_and_the_rest_enlarged),
        cmocka_unit_test(a_broken_axis_says_so),
        cmocka_unit_test(words_are_escaped_and_cut),
        cmocka_unit_test(gaps_are_left),
        cmocka_unit_test(spikes_survive_the_downsampling),
        cmocka_unit_test(runs_together_keep_their_worst),
        cmocka_unit_test(real_curves_have_the_expected_worst_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
