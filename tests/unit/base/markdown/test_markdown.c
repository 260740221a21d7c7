/* markdown: hostile text becomes harmless HTML, and costs little. */
#include "tests/unit/pace.h"
#include "tests/unit/unit.h"

#include "base/foreign.h"
#include "base/markdown/markdown.h"

#include <stdlib.h>
#include <string.h>

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

/* "A|B" in each line: cells as they stand in a row of a table. */
#define HEAD(cells) "<table>\n<thead>\n<tr>" cells "</tr>\n</thead>\n<tbody>\n"
#define TH(text) "<th scope=\"col\">" text "</th>"
#define TD(text) "<td>" text "</td>"
#define ROW(cells) "<tr>" cells "</tr>\n"
#define END "</tbody>\n</table>\n"

typedef bool writer(struct buf *out, const char *text);

static void are_written(const struct pair *cases, size_t n, writer *write)
{
    for (size_t i = 0; i < n; i++) {
        struct buf out;
        buf_init(&out, BUF_DEFAULT_MAX);
        assert_true(write(&out, cases[i].text));
        assert_string_equal(out.data, cases[i].expected);
        buf_release(&out);
    }
}

static void tables_in_notes(void **state)
{
    (void)state;
    static const struct pair cases[] = {
        {"|a|b|\n|-|-|\n|1|2|", HEAD(TH("a") TH("b")) ROW(TD("1") TD("2")) END},
        {"a | b\n--|:-:\n`1` | **2**\r\n",
         HEAD(TH("a") TH("b")) ROW(TD("<code>1</code>") TD("<strong>2</strong>")) END},
        {"|a|\n|-|\n|1\\|2|", HEAD(TH("a")) ROW(TD("1|2")) END},
        {"above\n|a|\n|-|\n|1|2|\n||\nbelow *x*",
         "<p>above</p>\n" HEAD(TH("a")) ROW(TD("1") TD("2")) ROW(TD("")) END
         "<p>below <em>x</em></p>\n"},
        {"|a|b|\n|-|-|\n|1|2|\n|c|d|\n|-|-|", /* rules are no rows of a second head */
         HEAD(TH("a") TH("b")) ROW(TD("1") TD("2")) ROW(TD("c") TD("d")) ROW(TD("-") TD("-")) END},
        {"- x\n\n  |a|\n  |-|\n  |1|\n", /* in lists and quotes, too */
         "<ul>\n<li>\n<p>x</p>\n" HEAD(TH("a")) ROW(TD("1")) END "</li>\n</ul>\n"},
        {"> |a|\n> |-|\n> |1|", "<blockquote>\n" HEAD(TH("a")) ROW(TD("1")) END "</blockquote>\n"},
        {"|<script>|[x](javascript:a)|\n|-|-|\n|\xE2\x80\xAE|<br>|",
         HEAD(TH("&lt;script&gt;") TH("x")) ROW(TD("\xEF\xBF\xBD") TD("<br />\n")) END},
        {"|a|b|\n|-|", "<p>|a|b|\n|-|</p>\n"},
        {"    |a|\n    |-|", "<pre><code>|a|\n|-|\n</code></pre>\n"},
        {"x | y - z\n\nnone", "<p>x | y - z</p>\n<p>none</p>\n"},
    };
    are_written(cases, N(cases), markdown_html);
}

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
    are_written(cases, N(cases), markdown_html);
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
    are_written(cases, N(cases), markdown_inline_html);
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
    struct buf html, parsed_html;
    uint32_t random = 1;
    buf_init(&html, BUF_DEFAULT_MAX);
    buf_init(&parsed_html, BUF_DEFAULT_MAX);
    for (int i = 0; i < 4000; i++) {
        const char *text = "";
        for (uint32_t k = 0; k <= (random >> 8) % 7; k++, random = random * 1664525 + 1013904223)
            text = arena_printf(&a, "%s%s", text, pieces[(random >> 16) % N(pieces)]);
        size_t n = strlen(markdown_plain(&a, text));
        const char *parsed = markdown_plain(&a, arena_printf(&a, "%s\\!", text));
        assert_memory_equal(parsed, markdown_plain(&a, text), n);
        assert_int_equal(strspn(parsed + n, " \t\v\f"), strlen(parsed + n) - 1);
        assert_string_equal(parsed + strlen(parsed) - 1, "!");
        buf_clear(&html);
        buf_clear(&parsed_html);
        markdown_inline_html(&html, text);
        markdown_inline_html(&parsed_html, arena_printf(&a, "%s\\!", text));
        assert_true(html.len < parsed_html.len);
        assert_memory_equal(parsed_html.data, html.data, html.len);
    }
    buf_release(&html);
    buf_release(&parsed_html);
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
        {"| a | b |\n| - | - |\n| 1 | 2 |\n", "a\n"},
    };
    struct arena a = ARENA_INIT;
    double pace = pace_seconds();
    for (size_t i = 0; i < N(cases); i++) {
        struct buf out;
        buf_init(&out, (size_t)8 << 20);
        char *text = repeat(&a, cases[i].text, cases[i].expected, MARKDOWN_TEXT_MAX);
        clock_t begin = clock();
        markdown_html(&out, text);
        double seconds = pace_since(begin);
        if (getenv("MARKDOWN_TIMES"))
            print_message("%6.3f s %8zu bytes  %.20s\n", seconds, out.len, cases[i].expected);
        assert_false(out.overflow);
        if (seconds > 25 * pace)
            fail_msg("%.2f s for %s", seconds, cases[i].expected);
        buf_release(&out);
    }
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(urls_are_allowed_by_scheme),
        cmocka_unit_test(html_of_notes),
        cmocka_unit_test(tables_in_notes),
        cmocka_unit_test(html_of_one_line),
        cmocka_unit_test(plain_is_what_a_reader_sees),
        cmocka_unit_test(plain_is_the_same_without_marks),
        cmocka_unit_test(beyond_a_cap_it_is_shown_unformatted),
        cmocka_unit_test(hostile_notes_cost_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
