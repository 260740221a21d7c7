/* figure and metrics: every cell and header spelling of the published pages, and what is none. */
#include "tests/unit/unit.h"

#include "base/figures/figure.h"
#include "base/figures/metrics.h"

#include <math.h>
#include <string.h>

struct expected {
    const char *text;
    enum figure_kind kind;
    double value, second;
    int decimals;
    bool percent;
    const char *unit, *remark;
};

static const struct expected cells[] = {
    {"", FIGURE_MISSING, NAN, NAN, 0, false, "", ""},
    {" \t　", FIGURE_MISSING, NAN, NAN, 0, false, "", ""},
    {"/", FIGURE_WITHHELD, NAN, NAN, 0, false, "", ""},
    {"\\", FIGURE_WITHHELD, NAN, NAN, 0, false, "", ""},
    {"-", FIGURE_WITHHELD, NAN, NAN, 0, false, "", ""},
    {"--", FIGURE_WITHHELD, NAN, NAN, 0, false, "", ""},
    {"-------", FIGURE_WITHHELD, NAN, NAN, 0, false, "", ""},
    {"—", FIGURE_WITHHELD, NAN, NAN, 0, false, "", ""},
    {"–", FIGURE_WITHHELD, NAN, NAN, 0, false, "", ""},
    {"——", FIGURE_WITHHELD, NAN, NAN, 0, false, "", ""},
    {"−", FIGURE_WITHHELD, NAN, NAN, 0, false, "", ""},
    {"－", FIGURE_WITHHELD, NAN, NAN, 0, false, "", ""},
    {"—（仅供性能参考）", FIGURE_WITHHELD, NAN, NAN, 0, false, "", "仅供性能参考"},
    {"—5", FIGURE_TEXT, NAN, NAN, 0, false, "", ""},
    {"*", FIGURE_WITHHELD, NAN, NAN, 0, false, "", ""},
    {"\\*", FIGURE_WITHHELD, NAN, NAN, 0, false, "", ""},
    {"N/A", FIGURE_WITHHELD, NAN, NAN, 0, false, "", ""},
    {"/,仅供性能参考", FIGURE_WITHHELD, NAN, NAN, 0, false, "", "仅供性能参考"},
    {"*（仅供性能参考）*", FIGURE_WITHHELD, NAN, NAN, 0, false, "", "仅供性能参考"},
    {"/80", FIGURE_WITHHELD, NAN, NAN, 0, false, "", "80"},
    {"OOM", FIGURE_OOM, NAN, NAN, 0, false, "", ""},
    {"doing*", FIGURE_PENDING, NAN, NAN, 0, false, "", ""},
    {"True", FIGURE_FLAG, 1, NAN, 0, false, "", ""},
    {"True(作为基线)", FIGURE_FLAG, 1, NAN, 0, false, "", "作为基线"},
    {"False", FIGURE_FLAG, 0, NAN, 0, false, "", ""},
    {"3698.7", FIGURE_NUMBER, 3698.7, NAN, 1, false, "", ""},
    {"２７８８", FIGURE_NUMBER, 2788, NAN, 0, false, "", ""},
    {"1,234,567.5", FIGURE_NUMBER, 1234567.5, NAN, 1, false, "", ""},
    {"-1.0", FIGURE_NUMBER, -1, NAN, 1, false, "", ""},
    {"+3", FIGURE_NUMBER, 3, NAN, 0, false, "", ""},
    {".5", FIGURE_NUMBER, 0.5, NAN, 1, false, "", ""},
    {"1.20e+14", FIGURE_NUMBER, 1.2e14, NAN, -12, false, "", ""},
    {"3.5E-04", FIGURE_NUMBER, 3.5e-4, NAN, 5, false, "", ""},
    {"16.3%", FIGURE_NUMBER, 16.3, NAN, 1, true, "", ""},
    {"37.30 ％", FIGURE_NUMBER, 37.3, NAN, 2, true, "", ""},
    {"2068*", FIGURE_NUMBER, 2068, NAN, 0, false, "", ""},
    {"2068（单卡）", FIGURE_NUMBER, 2068, NAN, 0, false, "", "单卡"},
    {"35 tokens/s", FIGURE_NUMBER, 35, NAN, 0, false, "tokens/s", ""},
    {"35.4/40.0", FIGURE_PAIR, 35.4, 40, 1, false, "", ""},
    {"21.6 / 32.0", FIGURE_PAIR, 21.6, 32, 1, false, "", ""},
    {"57GB/80GB", FIGURE_PAIR, 57, 80, 0, false, "GB", ""},
    {"0.376 &&  0.336", FIGURE_PAIR, 0.376, 0.336, 3, false, "", ""},
    {"25.4%-50.6%", FIGURE_RANGE, 25.4, 50.6, 1, true, "", ""},
    {"66.27 * 8 GB", FIGURE_EXPRESSION, 530.16, NAN, 2, false, "GB", ""},
    {"59.23*8G", FIGURE_EXPRESSION, 473.84, NAN, 2, false, "G", ""},
    {"46.77\\*2 + 36.59\\*2 + 30.09\\*2 + 27.78\\*2 GB", FIGURE_EXPRESSION, 282.46, NAN, 2, false,
     "GB", ""},
    {"17.23 * 2048 / 8 = 4410 tokens/s", FIGURE_EXPRESSION, 4410, NAN, 0, false, "tokens/s", ""},
    {"3564±12", FIGURE_NUMBER, 3564, NAN, 0, false, "", ""},
    {"47.9%±0.2%", FIGURE_NUMBER, 47.9, NAN, 1, true, "", ""},
    {"47.9±0.2%", FIGURE_NUMBER, 47.9, NAN, 1, true, "", ""},
    {"47.9±-0.2", FIGURE_MALFORMED, NAN, NAN, 0, false, "", ""},
    {"3564±", FIGURE_MALFORMED, NAN, NAN, 0, false, "", ""},
    {"3.56k", FIGURE_NUMBER, 3560, NAN, -1, false, "", ""},
    {"3.56K tokens/s", FIGURE_NUMBER, 3560, NAN, -1, false, "tokens/s", ""},
    {"1.2M tokens", FIGURE_NUMBER, 1.2e6, NAN, -4, false, "tokens", ""},
    {"1e4", FIGURE_NUMBER, 1e4, NAN, -2, false, "", ""},
    {"0.00001e9", FIGURE_NUMBER, 1e4, NAN, -2, false, "", ""},
    {"10k", FIGURE_NUMBER, 1e4, NAN, -2, false, "", ""},
    {"1e1k", FIGURE_NUMBER, 1e4, NAN, -2, false, "", ""},
    {"6e1%", FIGURE_NUMBER, 60, NAN, 0, true, "", ""},
    {"0e4", FIGURE_NUMBER, 0, NAN, 0, false, "", ""},
    {"-1e8 + 1.0001e8", FIGURE_EXPRESSION, 1e4, NAN, -2, false, "", ""},
    {"3.0e-2e4", FIGURE_MALFORMED, NAN, NAN, 0, false, "", ""},
    {"81920M", FIGURE_NUMBER, 81920, NAN, 0, false, "M", ""},
    {"3.5kg", FIGURE_NUMBER, 3.5, NAN, 1, false, "kg", ""},
    {"5064 tokens/s/卡", FIGURE_NUMBER, 5064, NAN, 0, false, "tokens/s/卡", ""},
    {"5064 tokens/卡/秒", FIGURE_NUMBER, 5064, NAN, 0, false, "tokens/卡/秒", ""},
    {"57/80<br>峰值", FIGURE_PAIR, 57, 80, 0, false, "", "峰值"},
    {"47.9%<sup>1</sup>", FIGURE_NUMBER, 47.9, NAN, 1, true, "", ""},
    {"<b>5.14</b>", FIGURE_NUMBER, 5.14, NAN, 2, false, "", ""},
    {"<sup>1", FIGURE_TEXT, NAN, NAN, 0, false, "", ""},
    {"55~57/80", FIGURE_PAIR, 57, 80, 0, false, "", ""},
    {"55-57/80", FIGURE_PAIR, 57, 80, 0, false, "", ""},
    {"57~55/80", FIGURE_MALFORMED, NAN, NAN, 0, false, "", ""},
    {"~67.9%", FIGURE_NUMBER, 67.9, NAN, 1, true, "", ""},
    {"≈ 47.9%", FIGURE_NUMBER, 47.9, NAN, 1, true, "", ""},
    {"约5.14", FIGURE_NUMBER, 5.14, NAN, 2, false, "", ""},
    {"MFU 67.9%", FIGURE_NUMBER, 67.9, NAN, 1, true, "", ""},
    {">67%", FIGURE_BOUND, 67, NAN, 0, true, "", ""},
    {"<57/80", FIGURE_BOUND, 57, 80, 0, false, "", ""},
    {">1-2", FIGURE_TEXT, NAN, NAN, 0, false, "", ""},
    {"~~5", FIGURE_TEXT, NAN, NAN, 0, false, "", ""},
    {"80.83.2%", FIGURE_MALFORMED, NAN, NAN, 0, false, "", ""},
    {"80.83.2", FIGURE_MALFORMED, NAN, NAN, 0, false, "", ""},
    {"3,5", FIGURE_MALFORMED, NAN, NAN, 0, false, "", ""},
    {"12%%", FIGURE_MALFORMED, NAN, NAN, 0, false, "", ""},
    {"44.2/48.0/3", FIGURE_MALFORMED, NAN, NAN, 0, false, "", ""},
    {"1e999", FIGURE_MALFORMED, NAN, NAN, 0, false, "", ""},
    {"nan", FIGURE_MALFORMED, NAN, NAN, 0, false, "", ""},
    {"NaN %", FIGURE_MALFORMED, NAN, NAN, 0, false, "", ""},
    {"-inf", FIGURE_MALFORMED, NAN, NAN, 0, false, "", ""},
    {"+Infinity", FIGURE_MALFORMED, NAN, NAN, 0, false, "", ""},
    {"∞", FIGURE_MALFORMED, NAN, NAN, 0, false, "", ""},
    {"information", FIGURE_TEXT, NAN, NAN, 0, false, "", ""},
    {"nano", FIGURE_TEXT, NAN, NAN, 0, false, "", ""},
    {"1/0*2", FIGURE_MALFORMED, NAN, NAN, 0, false, "", ""},
    {"8卡", FIGURE_MALFORMED, NAN, NAN, 0, false, "", ""},
    {"A100", FIGURE_TEXT, NAN, NAN, 0, false, "", ""},
    {"Truely", FIGURE_TEXT, NAN, NAN, 0, false, "", ""},
};

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fabs(b);
}

static void cells_read_as_published(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        const struct expected *e = &cells[i];
        struct figure f;
        figure_parse(e->text, &arena, &f);
        if (f.kind != e->kind || !same(f.value, e->value) || !same(f.second, e->second))
            fail_msg("'%s' is of kind %d: %g %g", e->text, (int)f.kind, f.value, f.second);
        if (f.decimals != e->decimals && isfinite(f.value))
            fail_msg("'%s' has %d decimals", e->text, f.decimals);
        assert_int_equal(f.percent, e->percent);
        assert_string_equal(f.unit, e->unit);
        assert_string_equal(f.remark, e->remark);
    }
    arena_release(&arena);
}

static void expressions_keep_their_parts(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    struct figure f;
    figure_parse("17.23 * 2048 / 8 = 4410 tokens/s", &arena, &f);
    assert_true(f.stated && same(f.evaluated, 4410.88) && same(f.each, 17.23));
    figure_parse("46.77*2 + 36.59*2 GB", &arena, &f);
    assert_true(!f.stated && same(f.each, 46.77) && same(f.units, 4));
    arena_release(&arena);
}

static void tolerances_and_sides_are_kept(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    struct figure f;
    figure_parse("3564±12", &arena, &f);
    assert_true(f.tolerance == 12 && figure_tolerance(&f) == 12);
    figure_parse("3564±3000", &arena, &f);
    assert_true(same(figure_tolerance(&f), 178.2));
    figure_parse("3564", &arena, &f);
    assert_true(f.tolerance == 0);
    figure_parse("≥67%", &arena, &f);
    assert_true(f.least);
    figure_parse("<=67%", &arena, &f);
    assert_true(!f.least && f.kind == FIGURE_BOUND);
    arena_release(&arena);
}

static void last_place_is_the_tolerance(void **state)
{
    (void)state;
    assert_true(figure_last_place(1) == 0.1);
    assert_true(figure_last_place(0) == 1);
    assert_true(figure_last_place(-2) == 100);
}

/* Any bytes at all must give some kind, without reading past the end. */
static void hostile_cells_are_some_kind(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    static const char pieces[] = "0123456789.,+-*/%&=~ eExGBNkM<b>\\`(|\x80\xEF\xBC\xE5\xC2\xB1";
    char text[40];
    unsigned seed = 1;
    for (int round = 0; round < 20000; round++) {
        size_t n = 0;
        for (seed = seed * 1664525u + 1013904223u; n < (seed >> 16) % 39; n++) {
            seed = seed * 1664525u + 1013904223u;
            text[n] = pieces[(seed >> 8) % (sizeof pieces - 1)];
        }
        text[n] = '\0';
        struct figure f;
        figure_parse(text, &arena, &f);
        assert_true(f.kind <= FIGURE_MALFORMED);
        assert_true(figure_has_value(&f) == isfinite(f.value) || f.kind == FIGURE_FLAG ||
                    f.kind == FIGURE_BOUND);
    }
    char *digits = arena_alloc(&arena, 100001);
    memset(digits, '9', 100000);
    struct figure f;
    figure_parse(digits, &arena, &f);
    assert_true(f.kind == FIGURE_MALFORMED || f.kind == FIGURE_NUMBER);
    arena_release(&arena);
}

static void headers_find_their_column(void **state)
{
    (void)state;
    static const struct {
        const char *header, *key;
    } headers[] = {
        {"配置", "configuration"},
        {" fix_hp ", "hyperparameters"},
        {"token/p/s", "token_per_s_per_card"},
        {"**token/p/s**", "token_per_s_per_card"},
        {"是否精度对齐", "aligned"},
        {"lm loss value", "loss"},
        {"acc(MMMU)", "acc_mmmu"},
        {"acc（MMLU）", "acc_mmlu"},
        {"mem(actual/total)", "memory"},
        {"memory", "memory_total"},
        {"final_acc1", "final_acc1"},
        {"mAP", "map"},
        {"map_bbox && map_segm", "map_bbox_segm"},
        {"\\*MFU", "mfu"},
        {"parallel_strategy", "strategy"},
        {"parallel", "parallel"},
        {"config", "config_name"},
        {"throughput", "throughput"},
        {"p_core", "p_core"},
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        const struct metrics_column *c = metrics_column(headers[i].header);
        if (!c || strcmp(c->key, headers[i].key) != 0)
            fail_msg("'%s' is %s", headers[i].header, c ? c->key : "no column");
    }
    assert_null(metrics_column("正常配置"));
    assert_null(metrics_column(""));
}

static void columns_are_unambiguous(void **state)
{
    (void)state;
    size_t n;
    const struct metrics_column *columns = metrics_columns(&n);
    for (size_t i = 0; i < n; i++) {
        assert_ptr_equal(metrics_by_key(columns[i].key), &columns[i]);
        assert_non_null(columns[i].label.zh);
        assert_non_null(columns[i].label.en);
        for (size_t k = 0; columns[i].spellings[k]; k++)
            assert_ptr_equal(metrics_column(columns[i].spellings[k]), &columns[i]);
    }
}

static void tables_of_figures_are_known_by_their_header(void **state)
{
    (void)state;
    const char *figures[] = {"配置", "fix_hp", "token/p/s"};
    const char *other[] = {"机器+模型", "正常配置", "不开启flashattention"};
    const char *bare[] = {"配置", "说明"};
    assert_true(metrics_is_table(&(struct table){.columns = figures, .n_columns = 3}));
    assert_false(metrics_is_table(&(struct table){.columns = other, .n_columns = 3}));
    assert_false(metrics_is_table(&(struct table){.columns = bare, .n_columns = 2}));
    assert_false(metrics_is_table(&(struct table){.columns = NULL, .n_columns = 0}));
}

/* What C prints of them, but for the signs of zero and of a power. */
static void figures_that_are_made_are_printed_and_read_back(void **state)
{
    (void)state;
    const struct {
        struct figure f;
        const char *text;
        int decimals;
    } rows[] = {
        {figure_fixed(3560.9097, 1), "3560.9", 1},
        {figure_fixed(-0.0004, 2), "0.00", 2},
        {figure_fixed(1288.5, -2), "1288", 0},
        {figure_fixed(INFINITY, 2), "inf", 2},
        {figure_fixed(-INFINITY, 0), "-inf", 0},
        {figure_fixed(NAN, 4), "nan", 4},
        {figure_fixed(1e22, 3), "10000000000000000000000.000", 3},
        {figure_fixed(0.1, 40), "0.10000000000000001", 17},
        {figure_significant(12.3, 5), "12.3", 1},
        {figure_significant(123456.7, 5), "1.2346e5", 0},
        {figure_significant(99999.6, 5), "1e5", 0},
        {figure_significant(0.0000123, 5), "1.23e-05", 7},
        {figure_significant(0, 5), "0", 0},
        {figure_exact(7e9), "7e9", 0},
        {figure_exact(800), "800", 0},
        {figure_exact(0.1), "0.1", 1},
        {figure_joined(FIGURE_PAIR, figure_fixed(37.12, 1), figure_fixed(40, 1)), "37.1/40.0", 1},
        {figure_joined(FIGURE_RANGE, figure_fixed(1, 1), figure_fixed(2, 1)), "1.0-2.0", 1},
    };
    struct arena a = ARENA_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_string_equal(figure_print(&rows[i].f, &a), rows[i].text);
        assert_int_equal(rows[i].f.decimals, rows[i].decimals);
        const struct figure *again = figure_read_back(rows[i].text, &a);
        assert_non_null(again);
        assert_int_equal(again->kind, rows[i].f.kind);
        assert_true(again->value == rows[i].f.value || isnan(rows[i].f.value));
        assert_string_equal(figure_print(again, &a), rows[i].text);
    }
    assert_null(figure_read_back("words", &a));
    assert_null(figure_read_back(NULL, &a));
    assert_null(figure_print(NULL, &a));
    assert_string_equal(figure_print(&figure_missing, &a), "");
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_read_as_published),
        cmocka_unit_test(expressions_keep_their_parts),
        cmocka_unit_test(tolerances_and_sides_are_kept),
        cmocka_unit_test(last_place_is_the_tolerance),
        cmocka_unit_test(hostile_cells_are_some_kind),
        cmocka_unit_test(headers_find_their_column),
        cmocka_unit_test(columns_are_unambiguous),
        cmocka_unit_test(tables_of_figures_are_known_by_their_header),
        cmocka_unit_test(figures_that_are_made_are_printed_and_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
