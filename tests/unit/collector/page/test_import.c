/* import: lines of findings, cells, paths, and cost of hostile pages. Whole pages are in
 * tests/golden/pages (tests/cli/intake/import.sh). */
#include "tests/unit/unit.h"

#include "base/figures/pipe_table.h"
#include "base/markdown/contain.h"
#include "base/markdown/inert.h"
#include "base/markdown/markdown.h"
#include "base/text.h"
#include "collector/page/import.h"

#include <string.h>
#include <time.h>

struct page {
    struct arena arena;
    struct diags diags;
    struct result result;
    int code;
};

static void page_open(struct page *p, const char *text)
{
    arena_init(&p->arena);
    diags_init(&p->diags, &p->arena);
    p->code =
        import_page(text, strlen(text), "page.md", "acme", "toy", &p->arena, &p->result, &p->diags);
}

static const char page_text[] = "前言\n"
                                "### Acme GPU配置与运行信息参考\n"
                                "#### 环境配置\n"
                                "- ##### 硬件环境\n"
                                "  - 机器型号: A\n"
                                "  - 加速卡型号: B\n"
                                "### 运行情况\n"
                                "* 输入批尺寸\n"
                                "  1. local_batchsize，默认为1\n"
                                "  2. seqlength，默认为2048\n"
                                "\n"
                                "奇怪\n"
                                "* 通用指标\n"
                                "| 指标名称 | 指标值 | 特殊说明 |\n"
                                "| --- | --- | --- |\n"
                                "| 模型 | m | |\n"
                                "* 性能指标\n"
                                "\n"
                                "| 配置 | mem | MFU |\n"
                                "| --- | --- | --- |\n"
                                "| X（1x8） | 40/64 | 80.83.2% |\n";

static void lines_point_at_the_page(void **state)
{
    (void)state;
    struct page p;
    page_open(&p, page_text);
    const struct result *r = &p.result;
    assert_int_equal(p.code, 0);
    assert_int_equal(r->environments[0].line, 3);
    assert_int_equal(r->environments[0].groups[0].line, 4);
    assert_int_equal(r->environments[0].groups[0].items[1].line, 6);
    assert_int_equal(r->batch[1].line, 10);
    assert_int_equal(r->batch[1].values[0].line, 10);
    assert_int_equal(r->extras[0].line, 12);
    assert_int_equal(r->general->line, 14);
    assert_int_equal(r->general->rows[0].line, 16);
    const struct table *t = r->performance[0].table;
    assert_int_equal(t->line, 19);
    assert_int_equal(t->rows[0].cells[2].line, 21);
    assert_int_equal(t->rows[0].cells[1].col, (int)strlen("| X（1x8） | ") + 1);
    assert_true(t->rows[0].cells[2].as_published);
    assert_false(t->rows[0].cells[1].as_published);
    assert_int_equal(p.diags.n, 2);
    assert_int_equal(p.diags.items[0].line, 12);
    assert_int_equal(p.diags.items[1].line, 21);
    arena_release(&p.arena);
}

static void rows_of_pipes(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    static const struct {
        const char *line, *cells; /* joined by ';' */
    } rows[] = {
        {"| a | b |", "a;b"},
        {"a | b", "a;b"},
        {"| a | b", "a;b"},
        {"| a || b |", "a;;b"},
        {"| a\\|b | `c\\|d` |", "a|b;`c|d`"},
        {"| \\ | \\\\ |", "\\;\\\\"},
        {"| a\\\\|b |", "a\\\\;b"},
        {"|  |", ""},
        {"|", NULL},
        {"~", NULL},
        {"", NULL},
        {"text", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cell *cells;
        size_t n;
        char joined[100] = "";
        pipe_cells(&a, rows[i].line, &cells, &n);
        for (size_t k = 0; k < n; k++)
            strcat(strcat(joined, k ? ";" : ""), cells[k].text);
        assert_int_equal(n > 0, rows[i].cells != NULL);
        assert_string_equal(joined, rows[i].cells ? rows[i].cells : "");
    }
    assert_int_equal(pipe_table_columns(&a, "| a | b |", "| --- | :-: |"), 2);
    assert_int_equal(pipe_table_columns(&a, "a | b", "-|-"), 2);
    assert_int_equal(pipe_table_columns(&a, "| a | b |", "| --- |"), 0);
    assert_int_equal(pipe_table_columns(&a, "| a | b |", "|  |  |"), 0);
    assert_int_equal(pipe_table_columns(&a, "| a | b |", "| -- - | --- |"), 0);
    assert_int_equal(pipe_table_columns(&a, "a", "---"), 0);
    arena_release(&a);
}

static void vendor_and_case_of_paths(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    const char *vendor, *case_id;
    assert_true(import_path_ids("x/nvidia/llama2_7b/README.md", &a, &vendor, &case_id));
    assert_string_equal(vendor, "nvidia");
    assert_string_equal(case_id, "llama2_7b");
    assert_true(import_path_ids("v/c/README.md", &a, &vendor, &case_id));
    assert_string_equal(vendor, "v");
    static const char *const others[] = {
        "README.md",
        "c/README.md",
        "a/b/page.md",
        "../c/README.md",
        "a/../README.md",
        "a/b c/README.md",
        "",
        "/README.md",
        "//README.md",
        "///README.md",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(import_path_ids(others[i], &a, &vendor, &case_id));
    arena_release(&a);
}

static void open_ends_are_closed(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    static const struct {
        const char *text, *contained;
    } rows[] = {
        {"a", "a"},
        {"a\n\n- b", "a\n\n- b"},
        {"```\na", "```\na\n```"},
        {"~~~~ sh\n```", "~~~~ sh\n```\n~~~~"},
        {"```\na\n```", "```\na\n```"},
        {"<!-- a", "<!-- a\n-->"},
        {"a\n\n<script>\nb", "a\n\n<script>\nb\n</script>"},
        {"<?php", "<?php\n?>"},
        {"- ```\n  a", "- ```\n  a"}, /* ends with its list item */
        {"<div>\nb", "<div>\nb"},     /* ends with the blank line */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(contain_text(&a, rows[i].text), rows[i].contained);
    assert_string_equal(contain_fence(&a, "````\nx"), "`````\n````\nx\n`````");
    arena_release(&a);
}

/* What the caps of Markdown refuse is put into a fence, and what is in one already stays. */
static void what_is_refused_is_fenced_once(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    char long_line[MARKDOWN_LINE_MAX + 2];
    memset(long_line, '`', sizeof long_line - 1);
    long_line[sizeof long_line - 1] = '\0';
    static const char deep[] = ">>>>>>>>>>>>>>>>>";
    const char *rows[] = {arena_printf(&a, "%s[x]: j```", deep),
                          arena_printf(&a, "%s\n```\n<b onclick=x>\n```", deep),
                          arena_printf(&a, "~~~\n%s <b>\n````\n~~~", deep),
                          arena_printf(&a, "```\n%s <b>", deep),
                          arena_printf(&a, "[x]: j\n%s", long_line)};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *contained = contain_text(&a, rows[i]), *inert = inert_text(&a, rows[i]);
        const char *fenced = contain_fence(&a, rows[i]);
        assert_string_equal(inert, fenced);
        assert_string_equal(inert_text(&a, inert), inert);
        if (strchr(rows[i], '\n'))
            assert_string_equal(contained, fenced);
        assert_string_equal(contain_text(&a, contained), contained);
        assert_true(contain_is_fence(fenced));
    }
    static const char *const others[] = {"",
                                         "`",
                                         "```",
                                         "```\n```",
                                         "``\na\n``",
                                         "```\na\n````",
                                         "````\na\n```",
                                         "```\na```",
                                         "```c\na\n```",
                                         "```\n```\n\n```",
                                         "```\na\n```\n",
                                         "a\n```"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(contain_is_fence(others[i]));
    arena_release(&a);
}

/* Seconds for a page that begins as pages do and goes on with `part` up to `size` bytes. */
static double cost(const char *head, const char *part, size_t size)
{
    struct buf text;
    struct page p;
    buf_init(&text, BUF_DEFAULT_MAX);
    buf_str(&text, "### A配置与运行信息参考\n#### 环境配置\n");
    buf_str(&text, head);
    while (text.len + strlen(part) < size)
        buf_str(&text, part);
    clock_t begin = clock();
    for (int i = 0; i < 3; i++) {
        page_open(&p, text.data);
        arena_release(&p.arena);
    }
    buf_release(&text);
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

/* Four times the page may take four times as long, not sixteen. */
static void cost_grows_with_the_page(void **state)
{
    (void)state;
    static const struct {
        const char *head, *part;
    } rows[] = {
        {"* 性能指标\n\n| 配置 | mem |\n| --- | --- |\n", "| X（1x8） | 1/2 |\n"},
        {"* 性能指标\n\n", "*a*\n| a | b |\n|---|---|\n\n"},
        {"", "| a | b |\n"},
        {"- ##### 硬件环境\n", "  - a: b\n"},
        {"- ##### 硬件环境\n  - ", ":：:"},
        {"- ##### 硬件环境\n\n", "        - a: b\n"},
        {"- ##### 硬件环境\n", "- ##### 硬件环境\n"},
        {"", "### x\n- ##### 硬件环境\n"},
        {"### 运行情况\n* 输入批尺寸\n  1. a\n", "\n     b\n"},
        {"### 运行情况\n* 输入批尺寸\n  1. a", "为"},
        {"", "```\n```\n"},
        {"", "<!-- \n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double small = cost(rows[i].head, rows[i].part, 15 << 10),
               large = cost(rows[i].head, rows[i].part, 60 << 10);
        if (large > 12 * small + 0.1)
            fail_msg("row %zu: %.3f s for 15 KiB, %.3f s for 60 KiB", i, small, large);
    }
}

/* Every prefix of a page is a page, too. */
static void cut_anywhere(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    for (size_t n = 0; n < sizeof page_text; n++) {
        struct page p;
        page_open(&p, arena_strndup(&a, page_text, n));
        assert_int_equal(p.code, 0);
        arena_release(&p.arena);
    }
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_point_at_the_page),
        cmocka_unit_test(rows_of_pipes),
        cmocka_unit_test(vendor_and_case_of_paths),
        cmocka_unit_test(open_ends_are_closed),
        cmocka_unit_test(what_is_refused_is_fenced_once),
        cmocka_unit_test(cost_grows_with_the_page),
        cmocka_unit_test(cut_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
