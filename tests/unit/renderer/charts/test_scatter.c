/* scatter: points on logarithmic axes, their rules, and what cannot be drawn. */
#include "tests/unit/unit.h"

#include "renderer/charts/scatter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const series[] = {"A <card>", "B"};
static const struct chart_dot dots[] = {
    {8, 100, 0, false, "first"},   {80, 10, 0, false, "second & more"}, {800, 1, 0, false, NULL},
    {8, NAN, 1, false, "no time"}, {0, 5, 1, true, "no cards"},         {8, 50, 1, true, "hollow"},
};
static const struct chart_rule rules[] = {{20, "bound"}, {NAN, "none"}};

static struct chart_scatter scatter_of(size_t n)
{
    return (struct chart_scatter){.id = "s",
                                  .title = "title",
                                  .description = "description",
                                  .x_label = "cards",
                                  .y_label = "minutes",
                                  .empty = "nothing is here",
                                  .log_x = true,
                                  .log_y = true,
                                  .joined = true,
                                  .series = series,
                                  .n_series = 2,
                                  .dots = dots,
                                  .n = n,
                                  .rules = rules,
                                  .n_rules = 2};
}

static char *written(const struct chart_scatter *s, enum chart_size size)
{
    struct buf out;
    buf_init(&out, BUF_DEFAULT_MAX);
    chart_scatter_write(&out, s, size);
    char *text = strdup(out.data);
    buf_release(&out);
    return text;
}

static size_t count_of(const char *text, const char *word)
{
    size_t n = 0;
    while ((text = strstr(text, word)) != NULL) {
        n++;
        text += strlen(word);
    }
    return n;
}

/* The x of the n-th joining line's ends: 8, 80, 800 are equally far apart. */
static void logarithmic_axes_keep_ratios(void **state)
{
    const struct chart_scatter s = scatter_of(3);
    char *text = written(&s, CHART_WIDE);
    double x[3], y[3];
    const char *at = text;
    for (size_t i = 0; i < 3; i++) { /* circles: M x-4 y a… */
        at = strstr(at, i == 0 ? "<title>first" : "d=\"M");
        if (i == 0)
            while (at > text && strncmp(at, "d=\"M", 4) != 0)
                at--;
        assert_non_null(at);
        char *end;
        x[i] = strtod(at + 4, &end);
        y[i] = strtod(end, NULL);
        at += 4;
    }
    assert_true(fabs((x[1] - x[0]) - (x[2] - x[1])) < 0.3);
    assert_true(fabs((y[1] - y[0]) - (y[2] - y[1])) < 0.3);
    assert_true(x[1] > x[0] && y[1] > y[0]);
    free(text);
    (void)state;
}

static void what_cannot_be_drawn_is_left_out(void **state)
{
    const struct chart_scatter s = scatter_of(6), none = scatter_of(0);
    char *text = written(&s, CHART_BOTH), *empty = written(&none, CHART_WIDE);
    assert_int_equal(count_of(text, "<svg"), 2);
    assert_int_equal(count_of(text, "<title>hollow"), 2);
    assert_int_equal(count_of(text, "no time") + count_of(text, "no cards"), 0);
    assert_int_equal(count_of(text, "bound"), 2);
    assert_int_equal(count_of(text, "nothing is here"), 0);
    assert_int_equal(count_of(empty, "nothing is here"), 1);
    free(text);
    free(empty);
    (void)state;
}

static void texts_are_escaped_and_nothing_has_a_style(void **state)
{
    const struct chart_scatter s = scatter_of(6);
    char *text = written(&s, CHART_BOTH);
    assert_null(strstr(text, "<card>"));
    assert_non_null(strstr(text, "second &amp; more"));
    assert_null(strstr(text, "style="));
    free(text);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithmic_axes_keep_ratios),
        cmocka_unit_test(what_cannot_be_drawn_is_left_out),
        cmocka_unit_test(texts_are_escaped_and_nothing_has_a_style),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
