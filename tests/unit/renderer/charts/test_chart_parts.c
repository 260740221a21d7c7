/* The parts that drawings are made of, held to what they promise by arithmetic of their own. */
#include "tests/unit/unit.h"

#include "renderer/charts/layout.h"
#include "renderer/charts/model.h"
#include "renderer/charts/pen.h"
#include "renderer/charts/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N(a) (sizeof(a) / sizeof *(a))

static double uniform(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 16777216.0;
}

/* ---- ticks ------------------------------------------------------------------------------ */

/* The number that a tick's text says: minus sign, unit and exponent read back. */
static double said(const char *text)
{
    char ascii[NUMBER_MAX], *end;
    size_t n = 0;
    for (; *text && n + 1 < sizeof ascii; text++) {
        bool minus = strncmp(text, "\xE2\x88\x92", 3) == 0;
        ascii[n++] = minus ? '-' : *text;
        text += minus ? 2 : 0;
    }
    ascii[n] = '\0';
    double value = strtod(ascii, &end);
    static const struct {
        char name;
        double size;
    } units[] = {{'k', 1e3}, {'M', 1e6}, {'G', 1e9}, {'T', 1e12}, {'\0', 1}};
    for (size_t i = 0; i < N(units); i++)
        if (*end == units[i].name)
            return value * units[i].size;
    fail_msg("strange number %s", ascii);
    return 0;
}

static void assert_ticks(const struct ticks *t, struct range r)
{
    double lead = t->step / pow(10, floor(log10(t->step) + 1e-9));
    assert_true(fabs(lead - 1) < 1e-6 || fabs(lead - 2) < 1e-6 || fabs(lead - 5) < 1e-6);
    for (size_t i = 0; i < t->n; i++) {
        double v = t->at[i].value;
        assert_true(v >= r.low - t->step * 1e-5 && v <= r.high + t->step * 1e-5);
        if (fabs(said(t->at[i].text) - v) > t->step * 0.01)
            fail_msg("%s is not %.17g (step %g)", t->at[i].text, v, t->step);
        if (i)
            assert_string_not_equal(t->at[i].text, t->at[i - 1].text);
    }
}

static void ticks_are_round_and_say_their_value(void **state)
{
    (void)state;
    unsigned seed = 1;
    for (int i = 0; i < 20000; i++) {
        double size = pow(10, uniform(&seed) * 20 - 6), middle = (uniform(&seed) - 0.5) * size;
        double span = size * pow(10, -2 * uniform(&seed));
        struct range r = {middle - span, middle + span}, grown = r;
        struct ticks t;
        int want = 2 + (int)(uniform(&seed) * 7);
        ticks_make(&t, r, false, want);
        assert_ticks(&t, r);
        assert_true(t.n >= (size_t)want / 2 && t.n <= 2 * (size_t)want + 3);
        ticks_make_rounded(&t, &grown, false, want);
        assert_ticks(&t, grown);
        assert_true(grown.low <= r.low + span * 1e-5 && grown.high >= r.high - span * 1e-5);
        assert_true(grown.high - grown.low < 2 * span + 2.01 * t.step);
    }
}

static void ticks_share_a_unit(void **state)
{
    (void)state;
    static const struct {
        struct range r;
        bool log;
        const char *texts;
    } rows[] = {
        {{0, 20000}, false, "0 5k 10k 15k 20k"},
        {{-3, 3},
         false,
         "\xE2\x88\x92"
         "2 0 2"},
        {{2.5, 2.58}, false, "2.50 2.52 2.54 2.56 2.58"},
        {{0, 2e6}, false, "0 0.5M 1.0M 1.5M 2.0M"},
        {{0.1, 1000}, true, "0.1 1 10 100 1000"},
        {{1, 20}, true, "1 2 5 10 20"},
        {{0, 4e-5},
         false,
         "0 1e\xE2\x88\x92"
         "5 2e\xE2\x88\x92"
         "5 3e\xE2\x88\x92"
         "5 4e\xE2\x88\x92"
         "5"},
    };
    for (size_t i = 0; i < N(rows); i++) {
        struct ticks t;
        char all[256] = "";
        ticks_make(&t, rows[i].r, rows[i].log, 4);
        for (size_t k = 0; k < t.n; k++)
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", k ? " " : "",
                     t.at[k].text);
        assert_string_equal(all, rows[i].texts);
    }
}

static void ticks_stand_at_values(void **state)
{
    (void)state;
    static const double counts[] = {6, 6, 8, 8, 8.5};
    struct ticks t;
    ticks_make_at(&t, counts, N(counts));
    assert_int_equal(t.n, 2);
    assert_string_equal(t.at[0].text, "6");
    assert_string_equal(t.at[1].text, "8");
    ticks_make_at(&t, counts, 0);
    assert_int_equal(t.n, 0);
}

static void numbers_are_for_people(void **state)
{
    (void)state;
    static const struct {
        double value;
        int digits;
        const char *text;
    } rows[] = {{18677.4, 4, "18677"},
                {2.50004, 4, "2.5"},
                {0, 4, "0"},
                {-0.0001, 4,
                 "\xE2\x88\x92"
                 "0.0001"},
                {-1e-9, 3,
                 "\xE2\x88\x92"
                 "1e\xE2\x88\x92"
                 "9"},
                {0.012345, 3, "0.0123"},
                {1e15, 4, "1e15"},
                {999999, 12, "999999"}};
    char text[NUMBER_MAX];
    for (size_t i = 0; i < N(rows); i++) {
        number_text(text, rows[i].value, rows[i].digits);
        assert_string_equal(text, rows[i].text);
    }
    percent_text(text, -0.0335194, 4);
    assert_string_equal(text, "\xE2\x88\x92"
                              "3.352 %");
    percent_text(text, 0.02, 4);
    assert_string_equal(text, "+2 %");
}

static void logarithms_are_for_ranges_that_ask(void **state)
{
    (void)state;
    static const double steep[] = {5000, 900, 60, 4, 1.5, 1, 0.9, 0.8, 0.8, 0.8},
                        loss[] = {11, 8, 6, 4, 3, 2.5, 2.2, 2.1, 2, 1.9},
                        negative[] = {-1, 5000, 1, 1, 1, 1, 1, 1, 1, 1},
                        slow_start[] = {1, 3000, 3000, 3001, 3002, 3000, 3000, 3000, 3000, 3000};
    assert_true(values_ask_for_log(steep, 10));
    assert_false(values_ask_for_log(loss, 10));
    assert_false(values_ask_for_log(negative, 10));
    assert_false(values_ask_for_log(slow_start, 10));
    assert_false(values_ask_for_log(steep, 0));
}

/* ---- text ------------------------------------------------------------------------------- */

static void text_is_measured_and_fitted(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    assert_float_equal(text_width("损失", 10), 20, 1e-9);
    assert_float_equal(text_width("", 10), 0, 0);
    assert_true(text_width("iiii", 10) < text_width("MMMM", 10));
    static const char *const texts[] = {"a few words of no great length",
                                        "训练损失与参考曲线的偏差", "\xFF\xFE broken \xE6",
                                        "onewordwithoutanyspaceatall"};
    for (size_t i = 0; i < N(texts); i++)
        for (double width = 20; width < 400; width += 13) {
            const char *lines[4], *fitted = text_fitted(&a, texts[i], 12, width);
            assert_true(text_width(fitted, 12) <= width);
            size_t n = text_wrapped(&a, texts[i], 12, width, lines, 4);
            assert_in_range(n, 1, 4);
            for (size_t k = 0; k < n; k++)
                assert_true(text_width(lines[k], 12) <= width);
        }
    assert_string_equal(text_fitted(&a, "short", 12, 100), "short");
    arena_release(&a);
}

/* ---- paths ------------------------------------------------------------------------------ */

static void places_do_not_drift(void **state)
{
    (void)state;
    enum { MANY = 20000 };
    double *x = malloc(MANY * sizeof *x), *y = malloc(MANY * sizeof *y);
    unsigned seed = 5;
    for (int i = 0; i < MANY; i++) {
        x[i] = i;
        y[i] = uniform(&seed);
    }
    y[12345] = 7;
    struct chart_series s = {.x = x, .y = y, .n = MANY};
    struct scale sx = {{0, MANY - 1}, 50, 650, false}, sy = {{0, 7}, 200, 20, false};
    struct pen_paper paper = {&sx, &sy, 2};
    struct buf out;
    buf_init(&out, 1 << 20);
    pen_curve(&out, &paper, &s, 77);
    assert_true(out.len < 7000);
    const char *at = out.data + 1;
    double px = 0, py = 0, dx, dy, top = 1e9, kept = 1e9;
    size_t points = 0;
    for (int used; sscanf(at, "%lf %lf%n", &dx, &dy, &used) == 2; at += used, points++) {
        px += dx;
        py += dy;
        top = fmin(top, py);
        kept = fmin(kept, hypot(px - scale_place(&sx, 77), py - scale_place(&sy, y[77])));
    }
    assert_string_equal(at, "");
    assert_in_range(points, 500, 700);
    assert_float_equal(top, 20, 0.051); /* the spike */
    assert_float_equal(px, 650, 2.1);   /* the last bucket */
    assert_true(kept < 0.08);
    buf_release(&out);
    free(x);
    free(y);
}

static void a_sample_keeps_ends_and_extremes(void **state)
{
    (void)state;
    unsigned seed = 11;
    for (int round = 0; round < 300; round++) {
        size_t n = 1 + (size_t)(uniform(&seed) * 400), index[40], low = SIZE_MAX, high = SIZE_MAX;
        double x[401], y[401];
        for (size_t i = 0; i < n; i++) {
            x[i] = (double)i * i;
            y[i] = uniform(&seed) < 0.1 ? NAN : uniform(&seed);
            if (!isnan(y[i])) {
                low = low == SIZE_MAX || y[i] < y[low] ? i : low;
                high = high == SIZE_MAX || y[i] > y[high] ? i : high;
            }
        }
        struct chart_series s = {.x = x, .y = y, .n = n};
        size_t kept = pen_sample(&s, 40, index);
        assert_true(kept <= 40);
        bool has_low = low == SIZE_MAX, has_high = low == SIZE_MAX;
        for (size_t i = 0; i < kept; i++) {
            assert_true(index[i] < n && !isnan(y[index[i]]) && (!i || index[i] > index[i - 1]));
            has_low |= index[i] == low;
            has_high |= index[i] == high;
        }
        assert_true(has_low && has_high);
    }
}

/* ---- tables ----------------------------------------------------------------------------- */

static void rows_hold_the_worst_step_and_no_other_step(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    enum { RUN = 2000 };
    double x[RUN], y[RUN], rx[RUN / 5], ry[RUN / 5];
    for (int i = 0; i < RUN; i++) {
        x[i] = i + 1;
        y[i] = 3;
    }
    for (int i = 0; i < RUN / 5; i++) {
        rx[i] = 5 * (i + 1);
        ry[i] = 3.01;
    }
    y[1234] = 2.5; /* step 1235, which the reference has; step 778 it has not */
    y[777] = 9;
    struct chart_series run = {x, y, RUN, "run", NULL, NULL};
    struct chart_series ref = {rx, ry, RUN / 5, "reference", NULL, NULL};
    const struct chart_text words = {.id = "c",
                                     .title = "t",
                                     .x_label = "step",
                                     .y_label = "loss",
                                     .deviation = "deviation, %",
                                     .none = "not logged"};
    const struct chart *c = chart_convergence(&a, &words, &run, &ref, 0.02, 21);
    const struct chart_rows *rows = chart_rows(&a, c, 30);
    assert_int_equal(rows->n_columns, 4);
    assert_string_equal(rows->heads[1], "loss · run");
    assert_true(rows->n <= 30 && rows->of == RUN / 5);
    bool worst = false, alone = false;
    for (size_t i = 0; i < rows->n; i++) {
        const char **cell = rows->cells[i];
        if (strcmp(cell[0], "1235") == 0) {
            worst = true;
            assert_string_equal(cell[1], "2.5");
            assert_string_equal(cell[2], "3.01");
            assert_string_equal(cell[3], "\xE2\x88\x92"
                                         "16.9435");
        }
        if (strcmp(cell[0], "778") == 0) {
            alone = true;
            assert_string_equal(cell[1], "9");
            assert_string_equal(cell[2], "not logged");
            assert_string_equal(cell[3], "not logged");
        }
    }
    assert_true(worst && alone);
    arena_release(&a);
}

static void a_band_is_median_and_extremes_of_the_cards(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct chart_series cards[7];
    double x[100], y[7][100];
    for (int c = 0; c < 7; c++) {
        for (int i = 0; i < 100; i++) {
            x[i] = i;
            y[c][i] = 100 * c + i;
        }
        cards[c] = (struct chart_series){x, y[c], 100, "card", NULL, NULL};
    }
    y[3][50] = NAN; /* one card misses one sample */
    const struct chart_text words = {.id = "c", .title = "t", .x_label = "s", .none = "-"};
    const struct chart_monitor m = {"power, W", cards, 7, false};
    const struct chart *c = chart_monitors(&a, &words, &m, 1);
    const struct chart_series *band = &c->panels[0].lines[0].series;
    assert_int_equal(c->panels[0].n_lines, 1);
    assert_int_equal(band->n, 100);
    for (int i = 0; i < 100; i++) {
        assert_float_equal(band->low[i], i, 0);
        assert_float_equal(band->high[i], 600 + i, 0);
        assert_float_equal(band->y[i], i == 50 ? 450 : 300 + i, 0);
        assert_float_equal(band->x[i], i, 0.6);
    }
    arena_release(&a);
}

/* On a telephone the names of levels stand inside the plot, beside what they are levels of. */
static void names_of_levels_cover_no_curve(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    unsigned seed = 5;
    double x[100], y[100];
    for (int i = 0; i < 100; i++) {
        x[i] = i + 1;
        y[i] = 12900 * (1 + 0.01 * (uniform(&seed) - 0.5));
    }
    const struct chart_series rate = {x, y, 100, "rate", NULL, NULL};
    const struct chart_text words = {.id = "c",
                                     .title = "t",
                                     .x_label = "s",
                                     .none = "-",
                                     .median = "median",
                                     .average = "average",
                                     .warm_up = "w"};
    struct chart_layout l;
    chart_layout(&l, chart_throughput(&a, &words, &rate, 5), true, &a);
    const struct panel_layout *p = &l.panels[0];
    assert_int_equal(p->n_rules, 2);
    for (size_t r = 0; r < p->n_rules; r++) {
        const struct place *at = &p->rules[r];
        assert_true(at->y - SVG_SMALL >= p->top - 3 && at->y <= p->bottom);
        for (int i = 0; i < 100; i++) {
            double right = at->x + text_width(at->text, SVG_SMALL);
            double curve_x = scale_place(&l.x, x[i]), curve_y = scale_place(&p->y, y[i]);
            if (curve_x >= at->x && curve_x <= right)
                assert_false(curve_y > at->y - 9 && curve_y < at->y + 2);
        }
    }
    assert_true(fabs(p->rules[0].y - p->rules[1].y) >= SVG_SMALL);
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_are_round_and_say_their_value),
        cmocka_unit_test(ticks_share_a_unit),
        cmocka_unit_test(ticks_stand_at_values),
        cmocka_unit_test(numbers_are_for_people),
        cmocka_unit_test(logarithms_are_for_ranges_that_ask),
        cmocka_unit_test(text_is_measured_and_fitted),
        cmocka_unit_test(places_do_not_drift),
        cmocka_unit_test(a_sample_keeps_ends_and_extremes),
        cmocka_unit_test(rows_hold_the_worst_step_and_no_other_step),
        cmocka_unit_test(a_band_is_median_and_extremes_of_the_cards),
        cmocka_unit_test(names_of_levels_cover_no_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
