/* markdown: hostile text becomes harmless HTML, and block positions are exact. */
#include "tests/unit/unit.h"

#include "base/foreign.h"
#include "base/markdown.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define N(array) (sizeof(array) / sizeof *(array))

static void urls_are_allowed_by_scheme(void **state)
{
    (void)state;
    static const struct {
        const char *url;
        bool allowed;
    } cases[] = {
        {"https://a.example/x?y#z", true},
        {"HTTP://a.example", true},
        {"mailto:a@b.example", true},
        {"run.md", true},
        {"../a/b.html#c:d", true},
        {"/a", true},
        {"#x", true},
        {"", true},
        {"?a:b", true},
        {"a/b:c", true},
        {"//evil.example/x", false},
        {"javascript:alert(1)", false},
        {"JaVaScRiPt:alert(1)", false},
        {"java\tscript:alert(1)", false},
        {" javascript:alert(1)", false},
        {"\x01javascript:alert(1)", false},
        {"data:text/html,x", false},
        {"blob:https://a", false},
        {"vbscript:x", false},
        {"file:///etc/passwd", false},
        {"/\\evil.example", false},
        {"\\\\evil.example", false},
        {"httpsx:a", false},
    };
    for (size_t i = 0; i < N(cases); i++)
        if (foreign_url_allowed(cases[i].url) != cases[i].allowed)
            fail_msg("%s: expected %d", cases[i].url, cases[i].allowed);
}

struct pair {
    const char *text, *expected;
};

static void html_of_notes(void **state)
{
    (void)state;
    static const struct pair cases[] = {
        {"", ""},
        {"one\n\n- two", "<p>one</p>\n<ul>\n<li>two</li>\n</ul>\n"},
        {"# loud", "<p><strong>loud</strong></p>\n"},
        {"a<br>b<BR />c", "<p>a<br />\nb<br />\nc</p>\n"},
        {"a <b onclick=x>c</b>", "<p>a &lt;b onclick=x&gt;c&lt;/b&gt;</p>\n"},
        {"a <!-- hidden --> b", "<p>a  b</p>\n"},
        {"<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;\n</p>\n"},
        {"[x](javascript:alert(1))", "<p>x</p>\n"},
        {"[x](java&#115;cript:alert(1))", "<p>x</p>\n"},
        {"[x](//evil.example)", "<p>x</p>\n"},
        {"[x](<java script:a>)", "<p>x</p>\n"},
        {"[**x**](blob:a) y", "<p><strong>x</strong> y</p>\n"},
        {"[x](https://a.example/b)", "<p><a href=\"https://a.example/b\">x</a></p>\n"},
        {"[x](a.md \"t\\\"\")", "<p><a href=\"a.md\" title=\"t&quot;\">x</a></p>\n"},
        {"![alt](https://a.example/i.png)", "<p><a href=\"https://a.example/i.png\">alt</a></p>\n"},
        {"![](i.png)", "<p><a href=\"i.png\">i.png</a></p>\n"},
        {"![a](data:image/png;base64,xx)", "<p>a</p>\n"},
        {"[![a](i.png)](b.md)", "<p><a href=\"b.md\">a</a></p>\n"},
        {"<https://a.example>", "<p><a href=\"https://a.example\">https://a.example</a></p>\n"},
        {"<javascript:alert(1)>", "<p>javascript:alert(1)</p>\n"},
        {"[x]\n\n[x]: data:a", "<p>x</p>\n"},
        {"a\xE2\x80\xAE"
         "b&#x202E;c\x01",
         "<p>a\xEF\xBF\xBD"
         "b\xEF\xBF\xBD"
         "c\xEF\xBF\xBD</p>\n"},
        {"a\xFFz", "<p>a\xEF\xBF\xBDz</p>\n"},
        {"```\n<b>&\n```", "<pre><code>&lt;b&gt;&amp;\n</code></pre>\n"},
        {"```\"><script>\nx\n```",
         "<pre><code class=\"language-&quot;&gt;&lt;script&gt;\">x\n</code></pre>\n"},
    };
    for (size_t i = 0; i < N(cases); i++) {
        struct buf out;
        buf_init(&out, BUF_DEFAULT_MAX);
        assert_true(markdown_html(&out, cases[i].text));
        assert_string_equal(out.data, cases[i].expected);
        buf_release(&out);
    }
}

static void html_of_one_line(void **state)
{
    (void)state;
    static const struct pair cases[] = {
        {"", ""},
        {"   ", ""},
        {"46.77\\*2", "46.77*2"},
        {"**吞吐量**", "<strong>吞吐量</strong>"},
        {"**\"a\"** b", "<strong>&quot;a&quot;</strong> b"},
        {"_a_ and a_b_c", "<em>a</em> and a_b_c"},
        {"# no heading", "# no heading"},
        {"- no list", "- no list"},
        {"1. no list", "1. no list"},
        {"> no quote", "&gt; no quote"},
        {"---", "---"},
        {"```", "```"},
        {"    no code", "no code"},
        {"<div>x</div>", "&lt;div&gt;x&lt;/div&gt;"},
        {"[a]: http://b", "[a]: http://b"},
        {"a\nb\r\nc", "a b  c"},
        {"a<br>b", "a<br />\nb"},
        {"</td></p><p>", "&lt;/td&gt;&lt;/p&gt;&lt;p&gt;"},
        {"`a|b`", "<code>a|b</code>"},
        {"a\\", "a\\"},
        {"\xC2\xA0x", "\xC2\xA0x"},
    };
    for (size_t i = 0; i < N(cases); i++) {
        struct buf out;
        buf_init(&out, BUF_DEFAULT_MAX);
        assert_true(markdown_inline_html(&out, cases[i].text));
        assert_string_equal(out.data, cases[i].expected);
        buf_release(&out);
    }
}

static void plain_is_what_a_reader_sees(void **state)
{
    (void)state;
    static const struct pair cases[] = {
        {"46.77\\*2", "46.77*2"},
        {"**吞吐量**", "吞吐量"},
        {"`a  b` &lt;c&gt;", "a  b <c>"},
        {"[text](https://x.example) ![alt](i.png)", "text alt"},
        {"a<br>b", "a b"},
        {"a <!-- c -->b", "a b"},
        {"<i>a</i>", "<i>a</i>"},
        {"TP1PP1_DP8", "TP1PP1_DP8"},
        {"/", "/"},
        {"", ""},
    };
    struct arena a = ARENA_INIT;
    for (size_t i = 0; i < N(cases); i++)
        assert_string_equal(markdown_plain(&a, cases[i].text), cases[i].expected);
    arena_release(&a);
}

/* Cells of no marks are not given to cmark: with an escaped mark behind them they are. */
static void plain_is_the_same_without_marks(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "a",    "Z9.", "#",  "- ",      "1. ",    "+",        "=",    "--",       "~~",
        "\t",   " ",   "  ", "\v",      "\f",     ">",        "|",    "\"",       "'",
        "(",    ")",   ":",  "://x.y/", "吞吐量", "\xC2\xA0", "\xFF", "\xE4\xB8", "\xEF\xBB\xBF",
        "%",    "$",   "^",  "{",       "}",      "?",        ";",    "@",        "/",
        "\x01",
    };
    struct arena a = ARENA_INIT;
    uint32_t random = 1;
    for (int i = 0; i < 4000; i++) {
        const char *text = "";
        for (uint32_t k = 0; k <= (random >> 8) % 7; k++, random = random * 1664525 + 1013904223)
            text = arena_printf(&a, "%s%s", text, pieces[(random >> 16) % N(pieces)]);
        size_t n = strlen(markdown_plain(&a, text));
        const char *parsed = markdown_plain(&a, arena_printf(&a, "%s\\!", text));
        assert_memory_equal(parsed, markdown_plain(&a, text), n);
        assert_int_equal(strspn(parsed + n, " \t\v\f"), strlen(parsed + n) - 1);
        assert_string_equal(parsed + strlen(parsed) - 1, "!");
    }
    arena_release(&a);
}

static void beyond_a_cap_it_is_shown_unformatted(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct buf out;
    buf_init(&out, BUF_DEFAULT_MAX);
    char *large = arena_alloc(&a, MARKDOWN_TEXT_MAX + 2);
    memset(large, '\n', MARKDOWN_TEXT_MAX + 1);
    memcpy(large, "*a* <b>", 7);
    assert_false(markdown_html(&out, large));
    assert_memory_equal(out.data, "<pre><code>*a* &lt;b&gt;\n", 24);
    buf_clear(&out);
    memset(large, 'x', MARKDOWN_LINE_MAX + 1);
    large[MARKDOWN_LINE_MAX + 1] = '\0';
    large[0] = '<';
    assert_false(markdown_html(&out, large));
    assert_memory_equal(out.data, "<pre><code>&lt;", 15);
    buf_clear(&out);
    assert_false(markdown_inline_html(&out, large));
    assert_memory_equal(out.data, "&lt;xx", 6);
    buf_clear(&out);
    assert_string_equal(markdown_plain(&a, large), large);
    assert_false(markdown_html(&out, "> > > > > > > > > > > > > > > > > x"));
    buf_clear(&out);
    assert_true(markdown_html(&out, "> > > > > > > > > > > > > > > > x"));
    buf_clear(&out);
    assert_true(markdown_html(&out, "- - - - - - - - - - - - - - - - - - - -"));
    assert_string_equal(out.data, "<hr />\n");
    buf_release(&out);
    arena_release(&a);
}

/* Repeat `unit` until `size` bytes are full, with `head` before it. */
static char *repeat(struct arena *a, const char *head, const char *unit, size_t size)
{
    char *s = arena_alloc(a, size + 1);
    size_t at = strlen(head), n = strlen(unit);
    memcpy(s, head, at);
    for (; at + n <= size; at += n)
        memcpy(s + at, unit, n);
    return s;
}

/* What was quadratic, in time or in output, in one Markdown parser or another. Each line stays
 * below MARKDOWN_LINE_MAX because of the newline in its unit, or is refused. */
static void hostile_notes_cost_little(void **state)
{
    (void)state;
    static const struct pair cases[] = {
        {"", "[\n"},
        {"", "[a](\n"},
        {"", "![[]()\n"},
        {"", "*a_ \n"},
        {"", "**a *b\n"},
        {"", "`\n``\n"},
        {"", "<!--\n"},
        {"", "<?\n"},
        {"", "<![CDATA[\n"},
        {"", "<!A \n"},
        {"", "a**b\n"},
        {"", "\\\n"},
        {"", "&#\n"},
        {"", "> \n"},
        {"", "- a\n"},
        {"", "- - - - a\n"},
        {"", "1) 1) 1) a\n"},
        {"", "> > > > a\n"},
        {"- - - -", "\n\n"},
        {"", "* * * * *a\n"},
        {"", "[a][\n"},
        {"", "][\n"},
        {"", "[[[[]]]]\n"},
        {"", "<a \n"},
        {"", "<a b='\n"},
        {"", "a\n===\n"},
        {"", "```\n"},
        {"", "    a\n\n"},
        {"", "&quot\n"},
        {"", "_a__b_\n"},
        {"", "[a](<b\n"},
        {"", "![a\n"},
        {"", "***\n"},
        {"", "|a|\n"},
        {"", "<http://a \n"},
        {"", "[a](b\n"},
        {"[a]: /url-that-is-rather-long-and-used-often \"with a title\"\n\n", "[a]\n"},
        {"[a]: /url\n\n", "[a] [a] [a] [a]\n"},
        {"", "[x]: y\n"},
        {"", "- > - > - > x\n"},
    };
    struct arena a = ARENA_INIT;
    for (size_t i = 0; i < N(cases); i++) {
        struct buf out;
        buf_init(&out, (size_t)8 << 20);
        char *text = repeat(&a, cases[i].text, cases[i].expected, MARKDOWN_TEXT_MAX);
        clock_t begin = clock();
        markdown_html(&out, text);
        double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
        if (getenv("MARKDOWN_TIMES"))
            print_message("%6.3f s %8zu bytes  %.20s\n", seconds, out.len, cases[i].expected);
        assert_false(out.overflow);
        if (seconds > 2.0)
            fail_msg("%.2f s for %s", seconds, cases[i].expected);
        buf_release(&out);
    }
    arena_release(&a);
}

/* ---- blocks ---------------------------------------------------------------------------- */

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
    static const struct pair cases[] = {
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
    char *large = repeat(&a, "", "a\n", MARKDOWN_TEXT_MAX + 2);
    assert_int_equal(markdown_page_read(&page, "x.md", large, strlen(large), &a, &err), -1);
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
        cmocka_unit_test(urls_are_allowed_by_scheme),
        cmocka_unit_test(html_of_notes),
        cmocka_unit_test(html_of_one_line),
        cmocka_unit_test(plain_is_what_a_reader_sees),
        cmocka_unit_test(plain_is_the_same_without_marks),
        cmocka_unit_test(beyond_a_cap_it_is_shown_unformatted),
        cmocka_unit_test(hostile_notes_cost_little),
        cmocka_unit_test(blocks_have_exact_lines),
        cmocka_unit_test(nul_bytes_and_caps),
        cmocka_unit_test(soup_is_covered),
        cmocka_unit_test(real_pages_are_covered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
