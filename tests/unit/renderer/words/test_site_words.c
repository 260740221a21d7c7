/* Small things that pages of the site say: differences in percent, dates, English for labels. */
#include "tests/unit/unit.h"

#include "renderer/site/data/data_table.h"
#include "renderer/site/index/dates.h"
#include "renderer/site/sheet/difference.h"
#include "renderer/words/english.h"

#include <math.h>

static void differences_are_of_like_figures(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        double percent; /* NaN: not comparable */
    } rows[] = {
        {"100", "103", 3},       {"46.3%", "0.463", NAN}, {"0.463", "46.3%", NAN},
        {"46.3%", "92.6%", 100}, {"62/64", "31/64", -50}, {"62/64", "31", NAN},
        {"3.5-4.5", "100", NAN}, {"100", "3.5-4.5", NAN}, {"/", "1", NAN},
        {"0", "1", NAN},         {"> 47%", "48%", NAN},
    };
    struct arena a = ARENA_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double percent;
        assert_int_equal(
            site_percent_between(figure_read(rows[i].a, &a), figure_read(rows[i].b, &a), &percent),
            !isnan(rows[i].percent));
        if (!isnan(rows[i].percent))
            assert_true(fabs(percent - rows[i].percent) < 1e-9);
    }
    arena_release(&a);
}

/* A difference is in the unit of the tolerance that it is held against. */
static void differences_are_in_the_unit_of_their_tolerance(void **state)
{
    (void)state;
    static const struct {
        const char *unit, *stated, *recomputed, *tolerance;
        double value; /* NaN: there is none */
        int decimals;
        bool points;
    } rows[] = {
        {"token/p/s", "13778.6", "13778.5", "0.1", -0.1, 1, false},
        {"%", "16.3%", "16.310%", "0.104%", 0.01, 3, true},
        {"%", "58.5", "58.51%", "0.1", 0.01, 2, true},
        {"%", "0.585", "58.51%", "0.001", 0.0001, 4, false},
        {"", "35%", "0.352", "1%", 0.2, 1, true},
        {"GiB", "62/64", "61.5/64.0", "1", -0.5, 1, false},
        {"GB", "66.27 * 8", "66.30/80.00", "0.01", 0.03, 2, false},
        {"%", "> 47%", "48.00%", "1.00%", NAN, 0, true},
        {"", "/", "1", NULL, NAN, 0, false},
    };
    struct arena a = ARENA_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct site_difference d;
        struct metric m = {.unit = rows[i].unit,
                           .stated = rows[i].stated,
                           .found = figure_read_back(rows[i].recomputed, &a),
                           .tolerance = figure_read_back(rows[i].tolerance, &a)};
        metric_read(&m, &a);
        assert_int_equal(site_difference(&m, &d), !isnan(rows[i].value));
        assert_int_equal(d.points, rows[i].points);
        if (isnan(rows[i].value))
            continue;
        assert_true(fabs(d.value - rows[i].value) < 1e-9);
        assert_int_equal(d.decimals, rows[i].decimals);
    }
    arena_release(&a);
}

static void small_percents_are_not_zero(void **state)
{
    (void)state;
    static const struct {
        double percent;
        int places;
        const char *text, *data;
    } rows[] = {
        {0, 4, "0", "0.0000"},
        {-0.0, 2, "0", "0.00"},
        {0.01282, 4, "0.0128", "0.0128"},
        {3e-9, 4, "<0.0001", "3e-09"},
        {-3e-9, 4, "-<0.0001", "-3e-09"},
        {0.003, 2, "<0.01", "0.003"},
        {1e300, 4, "1e+300", "1e+300"},
        {9900, 2, "9900.00", "9900.00"},
    };
    struct arena a = ARENA_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_string_equal(site_percent_text(rows[i].percent, rows[i].places, &a), rows[i].text);
        assert_string_equal(site_percent_data(rows[i].percent, rows[i].places, &a), rows[i].data);
    }
    arena_release(&a);
}

static void dates_are_of_the_calendar(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    assert_string_equal(site_date("2024-02-29", &a), "2024-02-29T00:00:00Z");
    assert_string_equal(site_date("2026-11-20T22:42:21Z", &a), "2026-11-20T22:42:21Z");
    static const char *const none[] = {"9999-99-99T99:99:99Z", "2026-02-29",          "2026-02-31",
                                       "2026-11-20T24:00:00Z", "2026-11-20 10:00:00", ""};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_null(site_date(none[i], &a));
    assert_null(site_date(NULL, &a));
    arena_release(&a);
}

static void configurations_are_english_as_a_whole(void **state)
{
    (void)state;
    static const struct {
        const char *zh, *en;
    } rows[] = {
        {"A100单机8卡（1x8）", "A100, 1 node, 8 cards (1x8)"},
        {"CPU单机单卡（1x1）", "CPU, 1 node, 1 card (1x1)"},
        {"H800 2机16卡（2x8）", "H800, 2 nodes, 16 cards (2x8)"},
        {"C500多机32卡（4x8）", "C500, several nodes, 32 cards (4x8)"},
        {"单机8卡", "1 node, 8 cards"},
        {"2机16卡", "2 nodes, 16 cards"},
        {"R300 1机1卡（1x1）", "R300, 1 node, 1 card (1x1)"},
        {"R300 11机1卡（11x1）", "R300, 11 nodes, 1 card (11x1)"},
        {"天垓150单机8卡（1x8）", "天垓150单机8卡（1x8）"}, /* not as a whole */
        {"config_A100x1x8", "config_A100x1x8"},
        {"", ""},
    };
    struct arena a = ARENA_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(english_configuration(&a, rows[i].zh), rows[i].en);
    assert_string_equal(english_settings(&a, "数据精度=fp16, GAS=64"), "Precision=fp16, GAS=64");
    assert_string_equal(english_settings(&a, "GAS=64"), "GAS=64");
    arena_release(&a);
}

static void cells_are_no_formulas(void **state)
{
    (void)state;
    static const struct {
        const char *text, *cell;
    } rows[] = {
        {"-1.5", "-1.5"},
        {"+1-1", "\"'+1-1\""},
        {"=1+1", "\"'=1+1\""},
        {"＝cmd", "\"'＝cmd\""},
        {"@x", "\"'@x\""},
        {"\tx", "\"'\tx\""},
        {"-x", "\"'-x\""},
        {"bf16;=1+1", "\"bf16;'=1+1\""}, /* who ends cells at `;` sees no quotation mark there */
        {"a; @x;-1;-;\t\tb\n＝c", "\"a;' @x;-1;-;\t\tb\n'＝c\""},
        {" =1", "\"' =1\""},
        {"a;\"=1+1;", "\"a;'\"\"=1+1;\""}, /* Python's csv takes `""=1+1` for `=1+1` */
        {"a;\"b\"", "\"a;\"\"b\"\"\""},
        {"-1;-x", "\"-1;'-x\""},
        {"a;", "\"a;\""},
        {"a\tb", "\"a\tb\""},
        {"-1.5e-3", "-1.5e-3"},
        {"-", "\"-\""},
        {"a\"b", "\"a\"\"b\""},
        {"a\xE2\x80\xAE"
         "b\x1B\xC2\x9B"
         "c\xFF",
         "a\xEF\xBF\xBD"
         "b\xEF\xBF\xBD\xEF\xBF\xBD"
         "c\xEF\xBF\xBD"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf out;
        buf_init(&out, BUF_DEFAULT_MAX);
        data_cell(&out, rows[i].text);
        assert_string_equal(out.data, rows[i].cell);
        buf_release(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_of_like_figures),
        cmocka_unit_test(differences_are_in_the_unit_of_their_tolerance),
        cmocka_unit_test(small_percents_are_not_zero),
        cmocka_unit_test(dates_are_of_the_calendar),
        cmocka_unit_test(cells_are_no_formulas),
        cmocka_unit_test(configurations_are_english_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
