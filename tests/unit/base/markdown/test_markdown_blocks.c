/* markdown: the blocks of a page have exact positions and leave no line out. */
#include "tests/unit/unit.h"

#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/markdown/markdown.h"
#include "base/text.h"

#include <string.h>

#define N(array) (sizeof(array) / sizeof *(array))

/* One line a block: kind, level, lines, item as list:number depth (^ when it starts it), quotes. */
static char *dump(struct arena *a, const struct markdown_page *page)
{
    static const char kinds[] = "HPCX-S";
    struct buf out;
    buf_init(&out, BUF_DEFAULT_MAX);
    for (size_t i = 0; i < page->n_blocks; i++) {
        const struct markdown_block *b = &page->blocks[i];
        buf_printf(&out, "%c", kinds[b->kind]);
        if (b->level)
            buf_printf(&out, "%d", b->level);
        buf_printf(&out, " %d-%d", b->start_line, b->end_line);
        for (int q = 0; q < b->quote_depth; q++)
            buf_char(&out, '>');
        if (b->item)
            buf_printf(&out, " %d%c%d/%d%s", b->item->list, b->item->marker, b->item->number,
                       b->item->depth, b->starts_item ? "^" : "");
        buf_printf(&out, " [%s]\n", b->text);
    }
    char *copy = arena_strdup(a, out.data);
    buf_release(&out);
    return copy;
}

static void blocks_have_exact_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"", ""},
        {"\n\n", ""},
        {"a", "P 1-1 [a]\n"},
        {"\xEF\xBB\xBF# a #\r\n\r\nb\r\nc", "H1 1-1 [a]\nP 3-4 [b\nc]\n"},
        {"a\rb\r\rc\r", "P 1-2 [a\nb]\nP 4-4 [c]\n"},
        {"a\n===\n\nb\nc\n---\n- x\n", "H1 1-2 [a]\nH2 4-6 [b\nc]\nP 7-7 1-0/1^ [x]\n"},
        {"#x\n==\n", "H1 1-2 [#x]\n"},
        {"## a#\n## b ##  \n###\n", "H2 1-1 [a#]\nH2 2-2 [b]\nH3 3-3 []\n"},
        {"a\n---\n---\n-\n", "H2 1-2 [a]\n- 3-3 []\nS 4-4 1-0/1^ []\n"},
        /* `- ##### x` is a heading that begins a list item */
        {"- ##### 硬件环境\n\n  - 机器: A\n  - 网络: B\n- ##### 软件环境\n",
         "H5 1-1 1-0/1^ [硬件环境]\nP 3-3 2-0/2^ [机器: A]\nP 4-4 2-0/2^ [网络: B]\n"
         "H5 5-5 1-0/1^ [软件环境]\n"},
        /* lazy continuation, in a list and in a quote */
        {"- a\nlazy\n\nb\n", "P 1-2 1-0/1^ [a\nlazy]\nP 4-4 [b]\n"},
        {"> q\nlazy\n>\n> - ##### h\n>   t\n",
         "P 1-2> [q\nlazy]\nS 3-3 []\nH5 4-4> 1-0/1^ [h]\nP 5-5> 1-0/1 [t]\n"},
        {"> > a\n> b\nc\n", "P 1-3>> [a\nb\nc]\n"},
        {"1. a\n1. b\n\n   more\n3) c\n",
         "P 1-1 1.1/1^ [a]\nP 2-2 1.2/1^ [b]\nP 4-4 1.2/1 [more]\nP 5-5 2)3/1^ [c]\n"},
        {"* a\n\n  1. b\n  2. c\n* d\n",
         "P 1-1 1*0/1^ [a]\nP 3-3 2.1/2^ [b]\nP 4-4 2.2/2^ [c]\nP 5-5 1*0/1^ [d]\n"},
        {"-\n  foo\n-\n\n- b", "S 1-1 1-0/1 [-]\nP 2-2 1-0/1^ [foo]\nS 3-3 1-0/1^ []\n"
                               "P 5-5 1-0/1^ [b]\n"},
        /* tables are paragraphs, also indented ones and ones after a list item */
        {"- 性能\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n",
         "P 1-1 1-0/1^ [性能]\nP 3-5 [| a | b |\n| --- | --- |\n| 1 | 2 |]\n"},
        {"- x\n\n  | a |\n  |---|\n", "P 1-1 1-0/1^ [x]\nP 3-4 1-0/1 [| a |\n|---|]\n"},
        {"-\ta\n\n\tb\n", "P 1-1 1-0/1^ [a]\nP 3-3 1-0/1 [b]\n"},
        /* code: fenced, ended by its container, not ended, indented, holding a fence */
        {"```c\nx\n\ny\n```\nz\n", "C 1-5 [x\n\ny]\nP 6-6 [z]\n"},
        {"- ```\n  a\nzzz\n", "C 1-2 1-0/1^ [a]\nP 3-3 [zzz]\n"},
        {"- ```\n  a\n```\nb\n```\n", "C 1-2 1-0/1^ [a]\nC 3-5 [b]\n"},
        {"- ```\n  a\n  ```\nlast\n", "C 1-3 1-0/1^ [a]\nP 4-4 [last]\n"},
        {"```\na\n\n\n", "C 1-2 [a\n\n]\n"},
        {"```\n```\na\n", "C 1-2 []\nP 3-3 [a]\n"},
        {"    a\n\n    b\n\n\nc\n", "C 1-3 [a\n\nb]\nP 6-6 [c]\n"},
        {"    ```\n    x\ny\n", "C 1-2 [```\nx]\nP 3-3 [y]\n"},
        {"~~~\n~~~ a\n~~~\nb\n", "C 1-3 [~~~ a]\nP 4-4 [b]\n"},
        {"```\n    ```\n```\nb\n", "C 1-3 [    ```]\nP 4-4 [b]\n"},
        /* HTML: ended by its own mark, by a blank line */
        {"<!-- c -->\nfoo\n", "X 1-1 [<!-- c -->]\nP 2-2 [foo]\n"},
        {"<!-- d\n\ne -->\nfoo\n", "X 1-3 [<!-- d\n\ne -->]\nP 4-4 [foo]\n"},
        {"<div>\na\n\nb\n", "X 1-2 [<div>\na]\nP 4-4 [b]\n"},
        {"<br>\n", "X 1-1 [<br>]\n"},
        /* what shows nothing */
        {"[a]: http://x\n[b]: y\n\ntext [a]\n",
         "S 1-2 [[a]: http://x\n[b]: y]\nP 4-4 [text [a]]\n"},
        {"- [a]: x\n", "S 1-1 1-0/1^ []\n"},
        {"> \n>\n", "S 1-2 []\n"},
        {"***\n", "- 1-1 []\n"},
        {"a\xFF\n", "P 1-1 [a\xEF\xBF\xBD]\n"},
    };
    struct arena a = ARENA_INIT;
    for (size_t i = 0; i < N(cases); i++) {
        struct markdown_page page;
        struct err err = ERR_INIT;
        const char *text = cases[i].text;
        assert_int_equal(markdown_page_read(&page, "p", text, strlen(text), &a, &err), 0);
        if (strcmp(dump(&a, &page), cases[i].expected) != 0)
            fail_msg("source:\n%s\ngot:\n%sexpected:\n%s", text, dump(&a, &page),
                     cases[i].expected);
    }
    arena_release(&a);
}

static bool has_ink(struct bytes line)
{
    for (size_t i = 0; i < line.len; i++)
        if (line.data[i] != ' ' && line.data[i] != '\t')
            return true;
    return false;
}

/* Every line that is not blank in exactly one block; blocks in order; text from those lines. */
static void assert_covered(const struct markdown_page *page)
{
    int next = 1;
    for (size_t i = 0; i < page->n_blocks; i++) {
        const struct markdown_block *b = &page->blocks[i];
        assert_true(b->start_line >= next);
        assert_true(b->end_line >= b->start_line);
        for (; next < b->start_line; next++)
            assert_false(has_ink(page->lines[next - 1]));
        next = b->end_line + 1;
    }
    for (; next <= (int)page->n_lines; next++)
        assert_false(has_ink(page->lines[next - 1]));
    assert_true(next <= (int)page->n_lines + 1);
}

static void nul_bytes_and_caps(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct err err = ERR_INIT;
    struct markdown_page page;
    assert_int_equal(markdown_page_read(&page, "p", "# a\0b\n\0", 7, &a, &err), 0);
    assert_string_equal(dump(&a, &page), "H1 1-1 [a\xEF\xBF\xBD"
                                         "b]\nP 2-2 [\xEF\xBF\xBD]\n");
    char *large = arena_alloc(&a, MARKDOWN_TEXT_MAX + 1);
    memset(large, '\n', MARKDOWN_TEXT_MAX + 1);
    assert_int_equal(markdown_page_read(&page, "x.md", large, MARKDOWN_TEXT_MAX, &a, &err), 0);
    assert_int_equal(markdown_page_read(&page, "x.md", large, MARKDOWN_TEXT_MAX + 1, &a, &err), -1);
    assert_string_equal(err.text, "x.md: holds more than 65536 bytes of Markdown");
    assert_int_equal(err.kind, ERR_INPUT);
    arena_release(&a);
}

/* Random soup of everything that begins, ends or continues a block. */
static void soup_is_covered(void **state)
{
    (void)state;
    static const char *const bits[] = {
        "- ",  "* ", "1. ", "2) ", "> ",    ">",     "    ",   "  ",   "\t",     "\n",   "\n",
        "\n",  "\n", "a",   "# ",  "##",    "---",   "===",    "```",  "~~~",    "```c", "<!--",
        "-->", "|",  "[a]", "]: ", "/u",    "<div>", "</div>", "<?",   "?>",     "\r\n", "\r",
        " ",   "-",  "+",   "*",   "\"t\"", "\\",    "&lt;",   "<br>", "[a]: x", "\xFF", "b c",
    };
    struct arena a = ARENA_INIT;
    uint32_t seed = 12345;
    for (int round = 0; round < 20000; round++) {
        struct err err = ERR_INIT;
        struct markdown_page page;
        char text[512] = "";
        size_t len = 0;
        for (int i = 0; i < 40; i++) {
            seed = seed * 1664525u + 1013904223u;
            const char *bit = bits[(seed >> 16) % N(bits)];
            memcpy(text + len, bit, strlen(bit));
            len += strlen(bit);
        }
        if (markdown_page_read(&page, "soup", text, len, &a, &err) == 0)
            assert_covered(&page);
        if (round % 256 == 255)
            arena_release(&a);
    }
    arena_release(&a);
}

static void real_pages_are_covered(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct err err = ERR_INIT;
    static const char *const roots[] = {"../shared/seeds", "../shared/corpus/flagperf"};
    size_t pages = 0, n;
    for (size_t r = 0; r < N(roots); r++) {
        const char **paths;
        assert_int_equal(dir_walk(roots[r], &a, &paths, &n, &err), 0);
        for (size_t i = 0; i < n; i++) {
            if (!text_ends(paths[i], ".md") && !text_ends(paths[i], ".txt"))
                continue;
            struct bytes source;
            struct markdown_page page;
            const char *path = path_join(&a, roots[r], paths[i]);
            assert_int_equal(file_read(path, MARKDOWN_TEXT_MAX, &a, &source, &err), 0);
            if (markdown_page_read(&page, path, source.data, source.len, &a, &err) < 0)
                fail_msg("%s", err.text);
            assert_covered(&page);
            for (size_t b = 0; b < page.n_blocks; b++)
                if (page.blocks[b].kind == MARKDOWN_STRUCTURE && *page.blocks[b].text)
                    fail_msg("%s:%d: nothing shown", path, page.blocks[b].start_line);
            pages++;
        }
    }
    arena_release(&a);
    if (pages == 0)
        skip();
    assert_true(pages >= 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_have_exact_lines),
        cmocka_unit_test(nul_bytes_and_caps),
        cmocka_unit_test(soup_is_covered),
        cmocka_unit_test(real_pages_are_covered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
