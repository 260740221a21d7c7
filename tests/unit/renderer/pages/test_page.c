/* page: hostile records stay inside their place, sentences are made and read back, and every
 * number says where it comes from. Round trips of whole pages: tests/cli/build/roundtrip.sh. */
#include "tests/unit/unit.h"

#include "base/figures/labels.h"
#include "base/markdown/markdown.h"
#include "collector/page/import.h"
#include "renderer/pages/page.h"

#include <string.h>

struct bench {
    struct arena arena;
    struct templates templates;
    struct buf out;
};

static void bench_open(struct bench *b)
{
    arena_init(&b->arena);
    templates_init(&b->templates, &b->arena);
    templates_add_folder(&b->templates, "templates");
    buf_init(&b->out, BUF_DEFAULT_MAX);
}

static void bench_close(struct bench *b)
{
    buf_release(&b->out);
    arena_release(&b->arena);
}

static const char *render(struct bench *b, const struct result *r, const struct verdict *v,
                          enum page_lang lang)
{
    struct page_options o = {.templates = &b->templates, .lang = lang, .tool = "fpreport test"};
    struct page_entry entry = {r, v};
    struct err err = ERR_INIT;
    buf_clear(&b->out);
    if (page_result(&o, &entry, &b->out, &err) < 0)
        fail_msg("%s", err.text);
    return b->out.data;
}

static void read_back(struct bench *b, struct result *out)
{
    struct diags diags;
    diags_init(&diags, &b->arena);
    assert_int_equal(
        import_page(b->out.data, b->out.len, "page.md", "acme", "toy", &b->arena, out, &diags), 0);
}

/* Text that tries to leave the place it is put into. */
static const char *const hostile[] = {
    "x\n\n### 运行情况\n\n* 性能指标",
    "x\n- ##### 软件环境",
    "# 运行情况",
    "- ##### 软件环境",
    "1. x",
    "> x",
    "```",
    "<!--",
    "x\n===",
    "x\n---",
    "---",
    "| a | b |\n| --- | --- |\n| c | d |",
    "a | b",
    "a\\",
    "a\\|",
    "*",
    "\r\n\r\n* 通用指标",
    "x\t\f\v y",
    "\\",
};

#define N_HOSTILE (sizeof hostile / sizeof *hostile)

/* A record that holds `text` wherever text can be. */
static struct result *record_with(struct arena *a, const char *text)
{
    struct result *r = arena_alloc(a, sizeof *r);
    shape_init(&result_shape, r);
    r->vendor = "acme";
    r->case_id = "toy";
    r->title = arena_printf(a, "Acme %s 配置与运行信息参考", text);
    struct environment *e = ARENA_PUSH(a, r->environments, r->n_environments);
    e->title = "环境配置";
    struct group *g = ARENA_PUSH(a, e->groups, e->n_groups);
    g->label = "硬件环境";
    for (int i = 0; i < 3; i++)
        ARENA_PUSH(a, g->items, g->n_items);
    g->items[0] = (struct item){.label = "机器型号", .value = text};
    g->items[1] = (struct item){.value = text};
    g->items[2] = (struct item){.label = "加速卡型号", .value = "X1"};
    r->run_title = "运行情况";
    struct batch_item *b = ARENA_PUSH(a, r->batch, r->n_batch);
    b->symbol = "LBS";
    b->file = text;
    struct table *t = arena_alloc(a, sizeof *t);
    t->n_columns = 2;
    t->columns = arena_array(a, 2, sizeof *t->columns);
    t->columns[0] = "配置";
    t->columns[1] = "mem";
    struct row *row = ARENA_PUSH(a, t->rows, t->n_rows);
    for (int i = 0; i < 2; i++)
        ((struct cell *)ARENA_PUSH(a, row->cells, row->n_cells))->text = text;
    for (int i = 0; i < 2; i++)
        ARENA_PUSH(a, r->performance, r->n_performance);
    r->performance[0].table = t;
    r->performance[1].text.zh = text;
    result_read_figures(r, a);
    return r;
}

static void hostile_text_stays_in_its_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_HOSTILE; i++) {
        struct bench b;
        struct result back;
        bench_open(&b);
        const char *page = render(&b, record_with(&b.arena, hostile[i]), NULL, PAGE_ZH);
        read_back(&b, &back);
        assert_int_equal(back.n_environments, 1);
        assert_int_equal(back.environments[0].n_groups, 1);
        assert_string_equal(back.environments[0].groups[0].items[0].label, "机器型号");
        assert_string_equal(back.run_title, "运行情况");
        assert_int_equal(back.n_batch, 1);
        const struct table *t = back.n_performance ? back.performance[0].table : NULL;
        if (!t || t->n_columns != 2 || t->n_rows != 1 || t->rows[0].n_cells != 2)
            fail_msg("\"%s\" broke the table:\n%s", hostile[i], page);
        bench_close(&b);
    }
}

/* What a vendor writes must not hide or swallow what we say about it. */
static void the_verdict_is_always_visible(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_HOSTILE; i++) {
        struct bench b;
        struct markdown_page page;
        struct err err = ERR_INIT;
        bool seen = false;
        bench_open(&b);
        struct result *r = record_with(&b.arena, hostile[i]);
        r->preamble = hostile[i];
        render(&b, r, NULL, PAGE_EN);
        assert_int_equal(markdown_page_read(&page, "page", b.out.data, b.out.len, &b.arena, &err),
                         0);
        for (size_t k = 0; k < page.n_blocks; k++)
            seen |= page.blocks[k].kind == MARKDOWN_HEADING && !page.blocks[k].item &&
                    strcmp(page.blocks[k].text, "Verification") == 0;
        if (!seen)
            fail_msg("\"%s\" hides the verdict:\n%s", hostile[i], b.out.data);
        bench_close(&b);
    }
}

static void sentences_are_read_back(void **state)
{
    (void)state;
    struct batch_value values[] = {
        {.value = "8"}, {.when = "alignment", .value = "64"}, {.when = "pretrain", .value = "32"}};
    struct batch_item item = {.name = "gradient_accumulate_steps",
                              .symbol = "GAS",
                              .file = "config_X1x1x8.py",
                              .values = values,
                              .n_values = 3};
    for (enum page_lang lang = PAGE_ZH; lang < PAGE_LANGS; lang++) {
        struct bench b;
        struct result back;
        bench_open(&b);
        struct result *r = record_with(&b.arena, "x");
        r->batch = &item;
        render(&b, r, NULL, lang);
        read_back(&b, &back);
        const struct batch_item *got = &back.batch[0];
        assert_string_equal(got->name, item.name);
        assert_string_equal(got->symbol, item.symbol);
        assert_string_equal(got->file, item.file);
        assert_int_equal(got->n_values, 3);
        assert_null(got->values[0].when);
        for (size_t i = 0; i < 3; i++)
            assert_string_equal(got->values[i].value, values[i].value);
        assert_string_equal(got->values[1].when, "alignment");
        assert_string_equal(got->values[2].when, "pretrain");
        bench_close(&b);
    }
}

static void numbers_say_where_they_come_from(void **state)
{
    (void)state;
    static const struct figure percent = {
        .kind = FIGURE_NUMBER, .value = 16.31, .decimals = 3, .percent = true};
    static const struct figure tenth = {
        .kind = FIGURE_NUMBER, .value = 0.1, .decimals = 1, .percent = true};
    static const struct figure rate = {.kind = FIGURE_NUMBER, .value = 2070};
    struct metric metrics[] = {
        {.name = "mfu",
         .unit = "%",
         .table = 1,
         .row = 1,
         .stated = "16.3%",
         .found = &percent,
         .tolerance = &tenth,
         .source = "stated",
         .outcome = OUTCOME_PASS},
        {.name = "loss",
         .unit = "",
         .table = 1,
         .row = 1,
         .stated = "2|06",
         .reason = "no evidence",
         .outcome = OUTCOME_CANNOT},
        {.name = "token_per_s_per_card",
         .unit = "token/p/s",
         .table = 1,
         .row = 1,
         .stated = "2068",
         .found = &rate,
         .source = "evidence",
         .outcome = OUTCOME_FAIL},
    };
    struct check_result check = {.rule = "FP2001",
                                 .outcome = OUTCOME_FAIL,
                                 .severity = SEVERITY_ERROR,
                                 .message = "differs"};
    struct row_evidence evidence = {
        .archive = "evidence/a.tar.zst", .sha256 = "00", .intact = true};
    struct verdict v = {.state = STATE_FAILED,
                        .checks = &check,
                        .n_checks = 1,
                        .metrics = metrics,
                        .n_metrics = 3,
                        .evidence = &evidence,
                        .n_evidence = 1};
    struct bench b;
    bench_open(&b);
    verdict_read_metrics(&v, &b.arena);
    struct result *r = record_with(&b.arena, "x");
    const char *page = render(&b, r, &v, PAGE_EN);
    static const char *const wanted[] = {
        "- State: **failed**",
        ("| MFU | % | 16.3% | 16.310% | 0.1% | only derived | recomputed from other "
         "stated figures |"),
        "| 2\\|06 | — | — | not checked | stated by the vendor only (no evidence) |",
        "| 2068 | 2070 | — | differs | recomputed from the logs in the evidence |",
        "- `FP2001` (error): differs",
        "- Evidence: `evidence/a.tar.zst`, SHA-256 `00` (intact)",
        "All figures above\nare as stated by the vendor.",
        "fpreport test",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!strstr(page, wanted[i]))
            fail_msg("found no \"%s\" in\n%s", wanted[i], page);
    page = render(&b, r, NULL, PAGE_ZH);
    assert_non_null(strstr(page, "以上数字均为厂商填报"));
    assert_non_null(strstr(page, "**unverified**"));
    bench_close(&b);
}

static void english_words_where_there_are_any(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b);
    struct result *r = record_with(&b.arena, "x");
    r->performance[1].text = (struct words){"中文说明", "English note"};
    assert_non_null(strstr(render(&b, r, NULL, PAGE_EN), "English note"));
    assert_null(strstr(b.out.data, "中文说明"));
    assert_non_null(strstr(b.out.data, "- Machine: x"));
    assert_non_null(strstr(b.out.data, "### Acme x configuration and run information"));
    assert_non_null(strstr(render(&b, r, NULL, PAGE_ZH), "中文说明"));
    bench_close(&b);
}

struct emitted {
    char paths[1000];
};

static int note_path(void *self, const char *path, const void *data, size_t len, struct err *err)
{
    struct emitted *e = self;
    (void)data, (void)err;
    assert_true(len > 0);
    strcat(strcat(e->paths, path), " ");
    return 0;
}

static void all_pages_of_a_project(void **state)
{
    (void)state;
    struct bench b;
    struct err err = ERR_INIT;
    struct emitted e = {""};
    bench_open(&b);
    struct result *one = record_with(&b.arena, "x"), *two = record_with(&b.arena, "y");
    two->vendor = "bolt";
    struct page_entry entries[] = {{one, NULL}, {two, NULL}};
    struct pages pages = {.entries = entries, .n_entries = 2, .tool = "t", .langs = {true, true}};
    assert_int_equal(pages_render(&pages, &b.templates, &b.arena, note_path, &e, &err), 0);
    assert_string_equal(e.paths, "acme/toy/README.md bolt/toy/README.md README.md acme/README.md "
                                 "bolt/README.md acme/toy/README.en.md bolt/toy/README.en.md "
                                 "README.en.md acme/README.en.md bolt/README.en.md ");
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hostile_text_stays_in_its_place),
        cmocka_unit_test(the_verdict_is_always_visible),
        cmocka_unit_test(sentences_are_read_back),
        cmocka_unit_test(numbers_say_where_they_come_from),
        cmocka_unit_test(english_words_where_there_are_any),
        cmocka_unit_test(all_pages_of_a_project),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
