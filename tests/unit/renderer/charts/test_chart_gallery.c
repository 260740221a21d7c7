/* Every drawing in both sizes and languages, made of real curves where they are there, written to
 * a folder and judged by tests/chart_check.py, which knows nothing of this program: well-formed,
 * inside its viewBox, no label on another, no style, the worst point kept. With CHART_GALLERY=DIR
 * the drawings stay there, with pages that show them. */
#include "tests/unit/drawing.h"

#include "base/files/file.h"
#include "renderer/charts/bars.h"
#include "renderer/charts/chart.h"
#include "renderer/charts/plan.h"
#include "renderer/site/result/badge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N(a) (sizeof(a) / sizeof *(a))

struct gallery {
    struct arena arena;
    char folder[256];
    struct buf page; /* all drawings, as a page holds them */
    size_t drawings;
};

/* What is written already. */
static void add_svg(struct gallery *g, const char *name, const struct buf *svg)
{
    assert_false(svg->overflow);
    save(g->folder, arena_printf(&g->arena, "%s.svg", name), svg);
    g->drawings++;
}

static void add_table(struct gallery *g, const struct chart *c)
{
    const struct chart_rows *rows = chart_rows(&g->arena, c, 24);
    buf_printf(&g->page, "<details><summary>%zu of %zu</summary><table><tr>", rows->n, rows->of);
    for (size_t i = 0; i < rows->n_columns; i++)
        buf_printf(&g->page, "<th>%s</th>", rows->heads[i]);
    for (size_t r = 0; r < rows->n; r++) {
        buf_str(&g->page, "</tr>\n<tr>");
        for (size_t i = 0; i < rows->n_columns; i++)
            buf_printf(&g->page, "<td>%s</td>", rows->cells[r][i]);
    }
    buf_str(&g->page, "</tr></table></details>\n");
}

static void add(struct gallery *g, const char *id, const struct chart *c)
{
    static const struct {
        enum chart_size size;
        const char *suffix;
    } sizes[] = {{CHART_WIDE, "wide"}, {CHART_NARROW, "narrow"}, {CHART_FILE, "file"}};
    for (size_t i = 0; i < N(sizes); i++) {
        struct buf out;
        buf_init(&out, CHART_BYTES_MAX);
        chart_write(&out, c, sizes[i].size);
        assert_false(out.overflow);
        save(g->folder, arena_printf(&g->arena, "%s.%s.svg", id, sizes[i].suffix), &out);
        buf_release(&out);
    }
    buf_str(&g->page, "<figure>\n");
    chart_write(&g->page, c, CHART_BOTH);
    buf_str(&g->page, "</figure>\n");
    add_table(g, c);
    g->drawings++;
}

/* ---- data ------------------------------------------------------------------------------- */

static bool load(struct gallery *g, const char *name, const char *label, struct chart_series *s,
                 double **seconds)
{
    struct bytes text;
    struct err err = ERR_INIT;
    const char *path = arena_printf(&g->arena, "../shared/corpus/curves/%s.csv", name);
    if (file_read(path, 1 << 22, &g->arena, &text, &err) < 0)
        return false;
    size_t lines = count(text.data, "\n"), n = 0;
    double *x = arena_array(&g->arena, lines, sizeof *x);
    double *y = arena_array(&g->arena, lines, sizeof *y);
    *seconds = arena_array(&g->arena, lines, sizeof **seconds);
    for (const char *at = strchr(text.data, '\n'); at && at[1]; at = strchr(at + 1, '\n')) {
        (*seconds)[n] = NAN;
        n += sscanf(at + 1, "%lf,%lf,%lf", x + n, y + n, *seconds + n) >= 2;
    }
    *s = (struct chart_series){.x = x, .y = y, .n = n, .label = label};
    return true;
}

/* A small generator, so that the pictures are the same everywhere. */
static double noise(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0 - 0.5;
}

static struct chart_series made(struct gallery *g, size_t n, const char *label, double (*f)(double),
                                double spread, unsigned seed)
{
    double *x = arena_array(&g->arena, n, sizeof *x), *y = arena_array(&g->arena, n, sizeof *y);
    for (size_t i = 0; i < n; i++) {
        x[i] = (double)i + 1;
        y[i] = f((double)i / (double)n) * (1 + spread * noise(&seed));
    }
    return (struct chart_series){.x = x, .y = y, .n = n, .label = label};
}

static double falling(double t)
{
    return 1.9 + 9 * exp(-9 * t);
}

static double steep(double t)
{
    return 0.4 + 4000 * exp(-60 * t);
}

static double flat(double t)
{
    (void)t;
    return 1;
}

/* ---- the drawings ----------------------------------------------------------------------- */

static void draw_convergence(struct gallery *g, bool zh)
{
    static const struct {
        const char *id, *run, *reference, *name;
    } rows[] = {
        {"bert", "bert-bert_release.dev_dgx_gb200", "bert-bert_release.dev_dgx_h100", "BERT"},
        {"bert-far", "bert-bert_release.dev_dgx_h100", "bert-bert_release.lts_dgx_a100", "BERT"},
        {"gpt", "gpt-gpt3_15b_8t_release.dev_dgx_h100", "gpt-gpt3_15b_8t_release.lts_dgx_a100",
         "GPT-3 15B"},
    };
    for (size_t i = 0; i < N(rows); i++) {
        struct chart_series run, ref;
        double *seconds;
        if (!load(g, rows[i].run, zh ? "本次运行" : "this run", &run, &seconds) ||
            !load(g, rows[i].reference, zh ? "参考" : "reference", &ref, &seconds))
            return;
        const char *id = arena_printf(&g->arena, "loss-%s-%s", rows[i].id, zh ? "zh" : "en");
        const struct chart_text words = {
            .id = id,
            .title = arena_printf(&g->arena,
                                  zh ? "%s 的训练损失与参考曲线"
                                     : "%s: training loss beside its reference",
                                  rows[i].name),
            .description = "Two panels.",
            .x_label = zh ? "步" : "step",
            .y_label = zh ? "损失" : "loss",
            .deviation = zh ? "与参考曲线的偏差，%" : "deviation from the reference, %",
            .enlarged = zh ? "同上，放大" : "the same, enlarged",
            .limit = zh ? "界限" : "limit",
            .worst = zh ? "最大" : "worst",
            .from = zh ? "自此比较" : "compared from here",
            .none = zh ? "未记录" : "not logged",
            .mean = zh ? "粗线：相邻各步的平均" : "thick lines: moving average",
        };
        add(g, id, chart_convergence(&g->arena, &words, &run, &ref, 0.02, 21));
    }
}

static void draw_throughput(struct gallery *g, bool zh)
{
    struct chart_series s;
    double *seconds;
    if (!load(g, "gpt-gpt3_mcore_te_tp1_pp1_resume_torch_dist_uniform_full_recompute.dev_dgx_h100",
              NULL, &s, &seconds))
        return;
    double *rate = arena_array(&g->arena, s.n, sizeof *rate);
    for (size_t i = 0; i < s.n; i++)
        rate[i] = 8 * 2048 / seconds[i] / 8;
    s.y = rate;
    const char *id = zh ? "throughput-zh" : "throughput-en";
    const struct chart_text words = {.id = id,
                                     .title = zh ? "吞吐量" : "Throughput",
                                     .description = "Rate over the step.",
                                     .x_label = zh ? "步" : "step",
                                     .y_label = zh ? "每卡 tokens/s" : "tokens/s per card",
                                     .warm_up = zh ? "预热，不计入" : "warm-up, not counted",
                                     .median = zh ? "中位数" : "median",
                                     .none = zh ? "未记录" : "not logged"};
    add(g, id, chart_throughput(&g->arena, &words, &s, 20));
}

static void draw_curves(struct gallery *g, bool zh)
{
    const char *id = zh ? "curves-zh" : "curves-en";
    struct chart_series s[CHART_LINES_MAX];
    static const char *const labels[] = {"NVIDIA A100 1x8",     "Iluvatar BI-V150 1x16",
                                         "昆仑芯 R300 1x8",     "MetaX C550 1x8",
                                         "Moore Threads S4000", "reference, float32 on CPU"};
    for (size_t i = 0; i < N(s); i++)
        s[i] = made(g, 300 + 40 * (i % 3), labels[i], falling, 0.01 + 0.004 * (double)i,
                    (unsigned)i + 7);
    const struct chart_text words = {.id = id,
                                     .title = zh ? "Llama 2 7B：六条损失曲线"
                                                 : "Llama 2 7B: six losses over the same data",
                                     .description = "Six curves.",
                                     .x_label = zh ? "步" : "step",
                                     .y_label = zh ? "损失" : "loss",
                                     .none = zh ? "未记录" : "not logged"};
    add(g, id, chart_overlay(&g->arena, &words, s, N(s) - 1, &s[N(s) - 1], NAN, 0));
    struct chart_series log = made(g, 5000, zh ? "本次运行" : "this run", steep, 0.2, 3);
    struct chart_text more = words;
    more.id = zh ? "log-zh" : "log-en";
    more.title = zh ? "跨越数量级的损失" : "A loss that falls through orders of magnitude";
    add(g, more.id, chart_convergence(&g->arena, &more, &log, NULL, NAN, 0));
}

static void draw_real_curves(struct gallery *g, bool zh)
{
    const char *id = zh ? "curves-bert-zh" : "curves-bert-en";
    static const char *const names[] = {"gb200", "h100", "a100"};
    struct chart_series s[N(names)];
    for (size_t i = 0; i < N(names); i++) {
        double *seconds;
        const char *file = arena_printf(&g->arena, "bert-bert_release.%s_dgx_%s",
                                        i == 2 ? "lts" : "dev", names[i]);
        if (!load(g, file, arena_printf(&g->arena, "DGX %s", names[i]), &s[i], &seconds))
            return;
    }
    const struct chart_text words = {
        .id = id,
        .title = zh ? "BERT：三种机器上的损失" : "BERT: losses on three machines",
        .description = "Three curves.",
        .x_label = zh ? "步" : "step",
        .y_label = zh ? "损失" : "loss",
        .none = zh ? "未记录" : "not logged",
        .mean = zh ? "粗线：相邻各步的平均" : "thick lines: moving average"};
    add(g, id, chart_overlay(&g->arena, &words, s, N(s), NULL, NAN, 0));
}

static struct chart_series sampled(struct gallery *g, const char *label, double level, double drop,
                                   unsigned seed)
{
    size_t n = 400;
    double *x = arena_array(&g->arena, n, sizeof *x), *y = arena_array(&g->arena, n, sizeof *y);
    for (size_t i = 0; i < n; i++) {
        x[i] = (double)i / 6;
        double t = (double)i / (double)n, on = 1 - exp(-t * 40);
        y[i] = level * (0.2 + 0.8 * on) * (1 + 0.06 * noise(&seed)) * (i % 97 < 4 ? drop : 1);
    }
    return (struct chart_series){.x = x, .y = y, .n = n, .label = label};
}

static void draw_monitors(struct gallery *g, bool zh, size_t cards)
{
    const char *id = arena_printf(&g->arena, "monitors-%zu-%s", cards, zh ? "zh" : "en");
    static const struct {
        const char *zh, *en;
        double level, drop;
        bool zero;
    } rows[] = {{"显存，GiB", "memory, GiB", 62.4, 0.98, true},
                {"功耗，W", "power, W", 640, 0.35, true},
                {"温度，°C", "temperature, °C", 61, 0.93, false},
                {"利用率，%", "utilisation, %", 97, 0.2, true},
                {"SM 时钟，MHz", "SM clock, MHz", 1755, 0.99, false}};
    struct chart_monitor m[N(rows)];
    for (size_t i = 0; i < N(rows); i++) {
        struct chart_series *s = arena_array(&g->arena, cards, sizeof *s);
        for (size_t c = 0; c < cards; c++)
            s[c] = sampled(g, arena_printf(&g->arena, zh ? "卡 %zu" : "card %zu", c),
                           rows[i].level * (1 - 0.02 * (double)c), rows[i].drop,
                           (unsigned)(c * 31 + i));
        m[i] = (struct chart_monitor){zh ? rows[i].zh : rows[i].en, s, cards, rows[i].zero};
    }
    const struct chart_text words = {
        .id = id,
        .title = zh ? "监控采样" : "What the monitors saw",
        .description = "Small multiples.",
        .x_label = zh ? "分钟" : "minutes",
        .median = zh ? "各卡中位数" : "median of the cards",
        .band = arena_printf(
            &g->arena, zh ? "%zu 张卡的最低值至最高值" : "lowest to highest of %zu cards", cards),
        .none = zh ? "无采样" : "no sample"};
    add(g, id, chart_monitors(&g->arena, &words, m, N(m)));
}

static void draw_plans(struct gallery *g, bool zh)
{
    static const struct {
        long machines, cards, tp, pp, dp;
        enum plan_order order;
    } rows[] = {
        {1, 1, 1, 1, 1, PLAN_TP_DP_PP},   {1, 8, 1, 1, 8, PLAN_TP_DP_PP},
        {1, 8, 2, 2, 2, PLAN_TP_PP_DP},   {4, 8, 4, 2, 4, PLAN_TP_DP_PP},
        {4, 8, 8, 4, 1, PLAN_TP_DP_PP},   {10, 8, 2, 2, 20, PLAN_TP_DP_PP},
        {10, 8, 2, 10, 4, PLAN_TP_DP_PP}, {64, 16, 16, 32, 2, PLAN_TP_DP_PP},
        {3, 4, 3, 4, 1, PLAN_TP_DP_PP},
    };
    for (size_t i = 0; i < N(rows); i++) {
        const char *id = arena_printf(&g->arena, "plan-%zu-%s", i, zh ? "zh" : "en");
        const struct chart_plan plan = {
            .id = id,
            .title = arena_printf(&g->arena,
                                  zh ? "并行方案：%ld 台机器，每台 %ld 张卡"
                                     : "Parallel plan: %ld machines of %ld cards",
                                  rows[i].machines, rows[i].cards),
            .description = "Boxes.",
            .machine = zh ? "机器 {n}" : "machine {n}",
            .alike = zh ? "另有 {n} 台机器，流水级相同" : "{n} more machines with the same stages",
            .others = zh ? "另有 {n} 台机器" : "{n} more machines",
            .stage = zh ? "流水级 {n}" : "stage {n}",
            .replica = zh ? "数据并行副本，共 {n} 个" : "data-parallel replica, of {n}",
            .tensor = zh ? "{n} 张卡的张量并行组" : "tensor-parallel group of {n} cards",
            .machines = rows[i].machines,
            .cards = rows[i].cards,
            .tp = rows[i].tp,
            .pp = rows[i].pp,
            .dp = rows[i].dp,
            .order = rows[i].order,
        };
        static const struct {
            enum chart_size size;
            const char *suffix;
        } sizes[] = {{CHART_WIDE, "wide"}, {CHART_NARROW, "narrow"}, {CHART_FILE, "file"}};
        for (size_t k = 0; k < N(sizes); k++) {
            struct buf out;
            buf_init(&out, CHART_BYTES_MAX);
            assert_true(chart_plan_write(&out, &plan, sizes[k].size));
            add_svg(g, arena_printf(&g->arena, "%s.%s", id, sizes[k].suffix), &out);
            buf_release(&out);
        }
        buf_str(&g->page, "<figure>\n");
        assert_true(chart_plan_write(&g->page, &plan, CHART_BOTH));
        buf_str(&g->page, "</figure>\n");
    }
}

static void draw_bars(struct gallery *g, bool zh)
{
    const char *verified = zh ? "已验证" : "verified", *partial = zh ? "部分验证" : "partial";
    const char *unverified = zh ? "未验证" : "unverified", *failed = zh ? "不符" : "failed";
    const char *withdrawn = zh ? "已撤回" : "withdrawn";
    const struct chart_bar bars[] = {
        {"Iluvatar BI-V150 1x16", "1180.3", 1180.3, NULL, STATE_UNVERIFIED, unverified, false,
         NULL},
        {"NVIDIA H200 1x8", "11502", 11502, NULL, STATE_VERIFIED, verified, false, NULL},
        {"NVIDIA A100 1x8", "3698.7", 3698.7, NULL, STATE_VERIFIED, verified, false, NULL},
        {"昆仑芯 R300 1x8", "", NAN, zh ? "未公开" : "withheld", STATE_VERIFIED, verified, false,
         NULL},
        {"MetaX C550 4x8", "4020", 4020, NULL, STATE_PARTIAL, partial, false, NULL},
        {"Moore Threads S4000 10x8", "", NAN, zh ? "未运行" : "not run", STATE_UNVERIFIED,
         unverified, false, NULL},
        {"An accelerator with a name that is too long for any row 2x8", "15000", 15000, NULL,
         STATE_FAILED, failed, true, NULL},
        {"Ascend 910B 1x8", "2871", 2871, NULL, STATE_WITHDRAWN, withdrawn, false, NULL},
    };
    struct chart_bars chart = {
        .id = zh ? "bars-zh" : "bars-en",
        .title = zh ? "Llama 2 7B 预训练，bf16：每卡吞吐量"
                    : "Llama 2 7B pretraining, bf16: throughput per card",
        .description = "Bars.",
        .unit = zh ? "tokens/s，越大越好" : "tokens/s, more is better",
        .others_heading =
            zh ? "未经验证，不参与排序" : "not verified, and so not ranked with those above",
        .empty = zh ? "没有结果" : "no results",
        .bars = bars,
        .n = N(bars),
    };
    static const struct {
        enum chart_size size;
        const char *suffix;
    } sizes[] = {{CHART_WIDE, "wide"}, {CHART_NARROW, "narrow"}, {CHART_FILE, "file"}};
    for (size_t k = 0; k < N(sizes); k++) {
        struct buf out;
        buf_init(&out, CHART_BYTES_MAX);
        chart_bars_write(&out, &chart, sizes[k].size);
        add_svg(g, arena_printf(&g->arena, "%s.%s", chart.id, sizes[k].suffix), &out);
        buf_release(&out);
    }
    buf_str(&g->page, "<figure>\n");
    chart_bars_write(&g->page, &chart, CHART_BOTH);
    buf_str(&g->page, "</figure>\n");
}

static void draw_badges(struct gallery *g, bool zh)
{
    static const char *const words[][5] = {
        {"verified", "partial", "unverified", "failed", "withdrawn"},
        {"已验证", "部分验证", "未验证", "不符", "已撤回"}};
    buf_str(&g->page, "<p>\n");
    for (int s = 0; s < 5; s++) {
        struct badge badge = {zh ? "天数智芯" : "NVIDIA", "llama2_7b · BI-V150 1x16", (enum state)s,
                              words[zh][s]};
        struct buf out;
        buf_init(&out, 4096);
        badge_write(&out, &badge);
        const char *name = arena_printf(&g->arena, "badge-%d-%s", s, zh ? "zh" : "en");
        add_svg(g, name, &out);
        buf_printf(&g->page, "<img src=\"%s.svg\" alt=\"\">\n", name);
        buf_release(&out);
    }
    buf_str(&g->page, "</p>\n");
}

static void draw_odd(struct gallery *g)
{
    static const double x[] = {5, 5, 5}, y[] = {3, 3, 3}, step[] = {1, 2, 3, 4},
                        gaps[] = {2, NAN, 3, 3.5}, far[] = {-1e15, NAN, 1e15, INFINITY};
    struct chart_series one = {x, y, 1, "one point", NULL, NULL};
    struct chart_series none = {x, y, 0, "none", NULL, NULL};
    struct chart_series gap = {step, gaps, 4, "gap", NULL, NULL};
    struct chart_series huge = {step, far, 4, "huge", NULL, NULL};
    struct chart_series same = made(g, 100000, "constant", flat, 0, 1);
    struct {
        const char *id;
        const struct chart_series *s;
    } rows[] = {{"odd-one", &one},
                {"odd-none", &none},
                {"odd-gap", &gap},
                {"odd-huge", &huge},
                {"odd-same", &same}};
    for (size_t i = 0; i < N(rows); i++) {
        const struct chart_text words = {
            .id = rows[i].id,
            .title = "A title that is much longer than any drawing is wide, so that it must be "
                     "broken into lines at its spaces, or else it would leave the picture",
            .description = "<script>alert(1)</script> & \"quoted\"",
            .x_label = "step",
            .y_label = "</svg><b>loss</b>",
            .empty = "no step was logged",
            .none = "not logged"};
        add(g, rows[i].id, chart_convergence(&g->arena, &words, rows[i].s, NULL, NAN, 0));
    }
}

/* ---- the test --------------------------------------------------------------------------- */

#define PAGE                                                                            \
    "<!doctype html><html lang=\"zh\"><meta charset=\"utf-8\"><meta name=\"viewport\" " \
    "content=\"width=device-width\"><meta http-equiv=\"Content-Security-Policy\" "      \
    "content=\"default-src 'none'; style-src 'self'; script-src 'self'; img-src "       \
    "'self'\"><title>gallery</title>"                                                   \
    "<link rel=\"stylesheet\" href=\"%s.css\"><script defer src=\"chart.js\"></script>\n"

static void save_page(const struct gallery *g, const char *name)
{
    struct buf page;
    buf_init(&page, BUF_DEFAULT_MAX);
    buf_printf(&page, PAGE, name);
    buf_str(&page, g->page.data);
    save(g->folder, arena_printf((struct arena *)&g->arena, "%s.html", name), &page);
    buf_release(&page);
}

static void the_gallery_is_sound(void **state)
{
    (void)state;
    struct gallery g = {.arena = ARENA_INIT};
    const char *kept = getenv("CHART_GALLERY");
    snprintf(g.folder, sizeof g.folder, "%s", kept ? kept : "/tmp/fpreport-gallery-XXXXXX");
    if (!kept)
        assert_non_null(mkdtemp(g.folder));
    buf_init(&g.page, BUF_DEFAULT_MAX);
    for (int zh = 0; zh < 2; zh++) {
        draw_convergence(&g, zh);
        draw_throughput(&g, zh);
        draw_curves(&g, zh);
        draw_real_curves(&g, zh);
        draw_monitors(&g, zh, 3);
        draw_monitors(&g, zh, 8);
        draw_plans(&g, zh);
        draw_bars(&g, zh);
        draw_badges(&g, zh);
    }
    draw_odd(&g);
    save_page(&g, "light");
    save_page(&g, "dark");
    const char *check = arena_printf(&g.arena, "python3 tests/chart_check.py %s/*.svg", g.folder);
    int failed = system(check);
    if (!kept) {
        const char *clean = arena_printf(&g.arena, "rm -r %s", g.folder);
        assert_int_equal(system(clean), 0);
    }
    assert_int_equal(failed, 0);
    buf_release(&g.page);
    arena_release(&g.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_gallery_is_sound)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
