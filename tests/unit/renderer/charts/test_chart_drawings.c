/* Comparisons, plans and badges; charts of hostile data; and that the judge of the gallery
 * (tests/chart_check.py) can say no. */
#include "tests/unit/drawing.h"

#include "renderer/charts/bars.h"
#include "renderer/charts/plan.h"
#include "renderer/site/result/badge.h"

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

/* ---- comparisons ------------------------------------------------------------------------ */

static void bars_never_mix_verified_with_others(void **state)
{
    (void)state;
    static const enum state states[] = {STATE_VERIFIED, STATE_UNVERIFIED, STATE_FAILED,
                                        STATE_PARTIAL, STATE_WITHDRAWN};
    struct chart_bar bars[30];
    char labels[30][8];
    unsigned seed = 3;
    for (size_t i = 0; i < N(bars); i++) {
        snprintf(labels[i], sizeof labels[i], "r%02zu", i);
        bool missing = i % 7 == 0;
        bars[i] = (struct chart_bar){labels[i],
                                     "1",
                                     missing ? NAN : floor(uniform(&seed) * 20),
                                     missing ? "withheld" : NULL,
                                     states[i % 5],
                                     "word",
                                     false,
                                     NULL};
    }
    for (int less = 0; less < 2; less++) {
        const struct chart_bars chart = {.id = "b",
                                         .title = "t",
                                         .description = "d",
                                         .unit = "u",
                                         .others_heading = "apart",
                                         .empty = "e",
                                         .less_is_better = less,
                                         .bars = bars,
                                         .n = N(bars)};
        struct buf out;
        buf_init(&out, CHART_BYTES_MAX);
        chart_bars_write(&out, &chart, CHART_WIDE);
        assert_false(out.overflow);
        const char *apart = strstr(out.data, ">apart<"), *at = out.data;
        assert_non_null(apart);
        double last = less ? -INFINITY : INFINITY;
        size_t seen = 0;
        int given = -1;
        bool missing = false;
        while ((at = strstr(at, ">r"))) {
            const struct chart_bar *b = &bars[atoi(at + 2)];
            assert_int_equal(at > apart, b->state != STATE_VERIFIED);
            if (seen == 6) /* the first of those apart */
                missing = false;
            assert_true(b->missing || !missing);
            if (!b->missing && b->state == STATE_VERIFIED)
                assert_true(less ? b->value >= last : b->value <= last);
            else if (!b->missing && given >= 0) /* what is not verified is in an order of its own */
                assert_true(less ? b->value >= bars[given].value : b->value <= bars[given].value);
            missing = b->missing != NULL;
            given = b->missing || b->state == STATE_VERIFIED ? given : atoi(at + 2);
            last = b->missing ? last : b->value;
            seen++;
            at++;
        }
        assert_int_equal(seen, N(bars));
        buf_release(&out);
    }
}

/* The longest outline of the rows that nothing contradicts is as long as it is without the others;
 * theirs are open at the end. */
/* Rows with a mark say where they are: the second begins where the first ends. */
static void marked_rows_say_their_place(void **state)
{
    (void)state;
    const struct chart_bar bars[] = {
        {"a", "2", 2, NULL, STATE_VERIFIED, "verified", false, "x/\"y:1.1"},
        {"b", "1", 1, NULL, STATE_VERIFIED, "verified", false, "x/y:1.2"},
        {"c", "3", 3, NULL, STATE_VERIFIED, "verified", false, NULL},
    };
    const struct chart_bars chart = {.id = "b", .bars = bars, .n = N(bars)};
    double first, high, second;
    struct buf out;
    buf_init(&out, CHART_BYTES_MAX);
    chart_bars_write(&out, &chart, CHART_WIDE);
    const char *a = strstr(out.data, "data-mark=\"x/&quot;y:1.1\" data-place=");
    const char *b = strstr(out.data, "data-mark=\"x/y:1.2\" data-place=");
    assert_non_null(a);
    assert_non_null(b);
    assert_int_equal(sscanf(strstr(a, "place=\""), "place=\"%lf %lf\"", &first, &high), 2);
    assert_int_equal(sscanf(strstr(b, "place=\""), "place=\"%lf", &second), 1);
    assert_true(first + high == second);
    const char *c = strstr(out.data, "class=\"chart-row\">");
    assert_true(c && c < a); /* the longest, without a mark */
    buf_release(&out);
}

static void contradicted_rows_set_no_scale(void **state)
{
    (void)state;
    const struct chart_bar bars[] = {
        {"a", "1", 100, NULL, STATE_FAILED, "failed", false, NULL},
        {"b", "1", 50, NULL, STATE_FAILED, "failed", false, NULL},
        {"c", "1", 1e9, NULL, STATE_FAILED, "failed", true, NULL},
    };
    const char *ends[2];
    struct buf out[2];
    for (size_t i = 0; i < 2; i++) {
        const struct chart_bars chart = {.id = "b", .bars = bars, .n = i ? 3 : 2};
        buf_init(&out[i], CHART_BYTES_MAX);
        chart_bars_write(&out[i], &chart, CHART_WIDE);
        ends[i] = strstr(out[i].data, "stroke-dasharray=\"3 2\" d=\"M");
        assert_non_null(ends[i]);
        ends[i] = strstr(ends[i], " d=");
    }
    assert_int_equal(strtod(strchr(ends[0], 'M') + 1, NULL),
                     strtod(strchr(ends[1], 'M') + 1, NULL));
    const char *last = strstr(out[1].data, ">c<");
    assert_non_null(last);
    assert_non_null(last = strstr(last, "stroke-dasharray"));
    assert_int_not_equal(last[strcspn(last, "/") - 2], 'z');
    buf_release(&out[0]);
    buf_release(&out[1]);
}

/* ---- plans ------------------------------------------------------------------------------ */

static void plans_that_do_not_multiply_are_not_drawn(void **state)
{
    (void)state;
    static const struct {
        long machines, cards, tp, pp, dp;
        bool drawn;
        size_t boxes;
    } rows[] = {
        {1, 1, 1, 1, 1, true, 1},
        {10, 8, 2, 2, 20, true, 4},  /* two stages, each "4 more" */
        {10, 8, 2, 10, 4, true, 10}, /* all differ */
        {40, 8, 8, 40, 1, true, 13}, /* twelve and "28 more" */
        {2, 8, 1, 1, 15, false, 0},
        {0, 8, 1, 1, 8, false, 0},
        {1, 17, 17, 1, 1, false, 0},
        {-1, -8, 1, 1, 8, false, 0},
        {65536, 16, 16, 65536, 1, true, 7},
        {65536, 32, 32, 65536, 1, false, 0},
        {1, 8, 1L << 62, 1L << 62, 8, false, 0},
    };
    for (size_t i = 0; i < N(rows); i++) {
        struct chart_plan p = {.id = "p",
                               .title = "t",
                               .description = "d",
                               .machine = "m {n}",
                               .alike = "{n} alike",
                               .others = "{n} others",
                               .stage = "s {n}",
                               .replica = "{n}",
                               .tensor = "{n}",
                               .machines = rows[i].machines,
                               .cards = rows[i].cards,
                               .tp = rows[i].tp,
                               .pp = rows[i].pp,
                               .dp = rows[i].dp};
        struct buf out;
        buf_init(&out, CHART_BYTES_MAX);
        assert_int_equal(chart_plan_write(&out, &p, CHART_NARROW), rows[i].drawn);
        assert_int_equal(count(out.data, "rx=\"5\""), rows[i].boxes);
        assert_false(out.overflow);
        assert_int_equal(out.len > 0, rows[i].drawn);
        buf_release(&out);
    }
}

/* Megatron's order: with TP 2, DP 2, PP 2 on 8 cards the stages are AAAA BBBB, the replicas 0011.
 */
static void ranks_are_laid_out_in_the_order_asked_for(void **state)
{
    (void)state;
    static const char *const duties[] = {"A0A0A1A1B0B0B1B1", "A0A0B0B0A1A1B1B1"};
    for (int order = 0; order < 2; order++) {
        struct chart_plan p = {.id = "p",
                               .title = "",
                               .machine = "",
                               .machines = 1,
                               .cards = 8,
                               .tp = 2,
                               .pp = 2,
                               .dp = 2,
                               .order = (enum plan_order)order};
        struct buf out;
        char told[64] = "";
        buf_init(&out, CHART_BYTES_MAX);
        assert_true(chart_plan_write(&out, &p, CHART_WIDE));
        for (const char *at = out.data;
             (at = strstr(at, "text-anchor=\"middle\"")) && strlen(told) < 16; at++)
            strncat(told, strchr(at, '>') + 1, 1);
        assert_string_equal(told, duties[order]);
        buf_release(&out);
    }
}

/* ---- badges ----------------------------------------------------------------------------- */

static void badges_name_what_they_are_about(void **state)
{
    (void)state;
    char longer[5000];
    memset(longer, '<', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    const struct badge rows[] = {{"昆仑芯", "llama2_7b", STATE_VERIFIED, "已验证"},
                                 {"\"><script>", "&amp;", STATE_FAILED, "failed"},
                                 {"", "", STATE_WITHDRAWN, ""},
                                 {longer, longer, STATE_PARTIAL, longer}};
    for (size_t i = 0; i < N(rows); i++) {
        struct buf out, again;
        buf_init(&out, 16384);
        buf_init(&again, 16384);
        badge_write(&out, &rows[i]);
        badge_write(&again, &rows[i]);
        assert_false(out.overflow);
        assert_string_equal(out.data, again.data);
        assert_null(strstr(out.data, "<script"));
        assert_null(strstr(out.data, "<<"));
        assert_null(strstr(out.data, "var("));
        buf_release(&out);
        buf_release(&again);
    }
    struct buf out;
    buf_init(&out, 16384);
    badge_write(&out, &rows[0]);
    assert_non_null(strstr(out.data, "aria-label=\"昆仑芯: llama2_7b: 已验证\""));
    assert_non_null(strstr(out.data, "textLength=\"33\"")); /* three ideographs of 11 units */
    buf_release(&out);
}

/* ---- everything at its worst ------------------------------------------------------------- */

/* What tells rows from each other is at the end of their names, and is drawn. */
static void labels_of_bars_are_whole(void **state)
{
    (void)state;
    static const char *const ends[] = {"(1x8) TP1", "(2x8) TP2"};
    static const enum chart_size sizes[] = {CHART_WIDE, CHART_NARROW};
    char labels[2][120];
    struct chart_bar bars[2];
    for (size_t i = 0; i < N(bars); i++) {
        snprintf(labels[i], sizeof labels[i],
                 "NVIDIA · bf16 · SP=1,CKPT=1 · H800, with a long name, 8 cards each %s", ends[i]);
        bars[i] =
            (struct chart_bar){labels[i], "1", 1, NULL, STATE_VERIFIED, "verified", false, NULL};
    }
    const struct chart_bars chart = {.id = "b", .title = "t", .bars = bars, .n = N(bars)};
    for (size_t k = 0; k < N(sizes); k++) {
        struct buf out;
        buf_init(&out, CHART_BYTES_MAX);
        chart_bars_write(&out, &chart, sizes[k]);
        assert_null(strstr(out.data, "…"));
        for (size_t i = 0; i < N(ends); i++)
            assert_non_null(strstr(out.data, ends[i] + 6));
        buf_release(&out);
    }
}

static void hostile_data_stay_below_the_cap(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    struct arena a = ARENA_INIT;
    double *x = arena_array(&a, MANY, sizeof *x), *y = arena_array(&a, MANY, sizeof *y);
    static const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, -1e15, 1e15, 0, 5e-324};
    unsigned seed = 9;
    char longer[100000];
    memset(longer, '&', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    const struct chart_text words = {longer, longer, longer, longer, longer, longer,
                                     longer, longer, longer, longer, longer, longer,
                                     longer, longer, longer, longer, longer, longer};
    struct chart_series s[CHART_LINES_MAX];
    struct chart_monitor m[12];
    for (size_t i = 0; i < N(s); i++)
        s[i] = (struct chart_series){x, y, MANY, longer, NULL, NULL};
    for (size_t i = 0; i < N(m); i++)
        m[i] = (struct chart_monitor){longer, s, 4 + i % 3, false};
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < MANY; i++) {
            x[i] = round == 2 ? odd[i % 8] : i;
            y[i] = round == 1 && i % 3 ? odd[i % 8] : uniform(&seed) * 1e6;
        }
        const struct chart *charts[] = {
            chart_overlay(&a, &words, s, CHART_OVERLAID_MAX, &s[N(s) - 1], 0.02, 21),
            chart_convergence(&a, &words, &s[0], &s[1], 0.02, 21),
            chart_throughput(&a, &words, &s[0], 100), chart_monitors(&a, &words, m, N(m))};
        for (size_t c = 0; c < N(charts); c++)
            for (int size = CHART_WIDE; size <= CHART_FILE; size++) {
                struct buf out;
                buf_init(&out, 2 * CHART_BYTES_MAX);
                chart_write(&out, charts[c], (enum chart_size)size);
                if (out.len > CHART_BYTES_MAX * (size == CHART_BOTH ? 2 : 1))
                    fail_msg("round %d, chart %zu, size %d: %zu bytes", round, c, size, out.len);
                assert_null(strstr(out.data, "&&"));
                assert_null(strstr(out.data, "\"nan"));
                buf_release(&out);
                chart_rows(&a, charts[c], 40);
            }
    }
    arena_release(&a);
}

/* ---- the judge --------------------------------------------------------------------------- */

/* The judge finds what is wrong: one fault in each of these. */
static void the_judge_can_say_no(void **state)
{
    (void)state;
#define HEAD                                                                         \
    "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 100 50\" " \
    "aria-labelledby=\"t d\"><title id=\"t\">t</title><desc id=\"d\">d</desc>"
    static const struct {
        const char *fault, *svg;
    } rows[] = {
        {NULL, HEAD "<path d=\"m1 1 9 9\"/><text x=\"5\" y=\"20\">a</text></svg>"},
        {"not well-formed", HEAD "<path></svg>"},
        {"no title", "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 9 9\">"
                     "<title>t</title></svg>"},
        {"has style", HEAD "<path style=\"fill:red\" d=\"M1 1\"/></svg>"},
        {"has a <style>", HEAD "<style>a{}</style></svg>"},
        {"has onload", HEAD "<g onload=\"x\"/></svg>"},
        {"outside of", HEAD "<path d=\"m10 10 95 5\"/></svg>"},
        {"label outside", HEAD "<text x=\"80\" y=\"20\">a long label</text></svg>"},
        {"labels overlap",
         HEAD "<text x=\"5\" y=\"20\">abc</text><text x=\"9\" y=\"22\">d</text></svg>"},
        {"=nan", HEAD "<rect width=\"nan\"/></svg>"},
    };
    char folder[] = "/tmp/fpreport-judge-XXXXXX";
    assert_non_null(mkdtemp(folder));
    struct arena a = ARENA_INIT;
    for (size_t i = 0; i < N(rows); i++) {
        struct buf svg;
        buf_init(&svg, 4096);
        buf_str(&svg, rows[i].svg);
        save(folder, "one.svg", &svg);
        buf_release(&svg);
        const char *check = arena_printf(
            &a,
            "said=$(python3 tests/chart_check.py %s/one.svg 2>&1); [ $? -eq %d ] && "
            "printf '%%s' \"$said\" | grep -q -e '%s'",
            folder, rows[i].fault ? 1 : 0, rows[i].fault ? rows[i].fault : "1 drawings are sound");
        if (system(check) != 0)
            fail_msg("not found: %s", rows[i].fault);
    }
    assert_int_equal(system(arena_printf(&a, "rm -r %s", folder)), 0);
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_never_mix_verified_with_others),
        cmocka_unit_test(contradicted_rows_set_no_scale),
        cmocka_unit_test(marked_rows_say_their_place),
        cmocka_unit_test(labels_of_bars_are_whole),
        cmocka_unit_test(plans_that_do_not_multiply_are_not_drawn),
        cmocka_unit_test(ranks_are_laid_out_in_the_order_asked_for),
        cmocka_unit_test(badges_name_what_they_are_about),
        cmocka_unit_test(hostile_data_stay_below_the_cap),
        cmocka_unit_test(the_judge_can_say_no),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
