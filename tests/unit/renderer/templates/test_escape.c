/* escape: what lands in a page is only what the name of the function says. */
#include "tests/unit/unit.h"

#include "renderer/templates/escape.h"

#include <string.h>

#define N(array) (sizeof(array) / sizeof *(array))
#define FFFD "\xEF\xBF\xBD"

struct pair {
    const char *text, *expected;
};

static void check(void (*escape)(struct buf *, const char *), const struct pair *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct buf out;
        buf_init(&out, 4096);
        escape(&out, cases[i].text);
        assert_string_equal(out.data, cases[i].expected);
        buf_release(&out);
    }
}

static void html(void **state)
{
    (void)state;
    static const struct pair cases[] = {
        {"", ""},
        {"a<b>&\"'|`", "a&lt;b&gt;&amp;&quot;&#39;|`"},
        {"&amp;", "&amp;amp;"},
        {"吞吐量\t1\n2\r", "吞吐量\t1\n2\r"},
        {"a\x01z\x7Fz", "a" FFFD "z" FFFD "z"},
        {"a\xC2\x85", "a" FFFD},
        {"\xE2\x80\xAEgnp.exe", FFFD "gnp.exe"},
        {"\xE2\x81\xA6x\xE2\x81\xA9\xD8\x9C", FFFD "x" FFFD FFFD},
        {"H200\xF3\xA0\x81\xA1\xF3\xA0\x84\x80", "H200" FFFD FFFD},    /* a tag, a selector */
        {"\xE3\x85\xA4z\xE1\x85\x9F\xEF\xBE\xA0", FFFD "z" FFFD FFFD}, /* fillers of Hangul */
        {"a\xCD\x8Fz\xE2\x81\xA5\xE1\xA0\x8E", "a" FFFD "z" FFFD FFFD},
        {"\xE2\x9D\xA4\xEF\xB8\x8F\xE2\x80\x8D",
         "\xE2\x9D\xA4\xEF\xB8\x8F\xE2\x80\x8D"}, /* ❤️ */
        {"\xFF\xC0\xAF<", FFFD FFFD FFFD "&lt;"},
        {"\xED\xA0\x80", FFFD FFFD FFFD},
        {"\xE5\x90", FFFD FFFD},
        {"\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"},
        {FFFD, FFFD},
    };
    check(escape_html, cases, N(cases));
}

static void html_joined(void **state)
{
    (void)state;
    static const struct pair cases[] = {
        {"", ""},
        {"tiny_llama", "tiny_llama"}, /* short */
        {"torch-2.0.0+mc2.19.2.23-cp38 x_y", "torch-<wbr>2.0.0+<wbr>mc2.19.2.23-<wbr>cp38 x_y"},
        {"references/tiny_llama.csv", "references/<wbr>tiny_<wbr>llama.<wbr>csv"},
        {"a__b<c>.d&e:f=-g_", "a__<wbr>b&lt;c&gt;.<wbr>d&amp;e:<wbr>f=-<wbr>g_"},
        {"-12.345678901", "-12.345678901"},
        {"25.433%-50.893%", "25.433%-<wbr>50.893%"},
        {"吞吐量.log:8", "吞吐量.<wbr>log:<wbr>8"},
    };
    check(escape_html_joined, cases, N(cases));
}

static const struct pair cells[] = {
    {"", ""},
    {"46.77\\*2", "46.77\\*2"},
    {"**x** `y` [z](u) <br>", "**x** `y` [z](u) <br>"},
    {"a|b", "a\\|b"},
    {"a\\|b", "a\\|b"},
    {"a\\\\|b", "a\\\\\\|b"},
    {"`a|b`", "`a\\|b`"},
    {"a\\", "a\\\\"},
    {"a\\\\", "a\\\\"},
    {"a\nb\r\nc\n\nd", "a b c d"},
    {"a\n| --- |\n", "a \\| --- \\| "},
    {"a\\\n|b", "a\\ \\|b"},
    {"a\\\x01|b", "a\\|b"},
    {"a\tb\x1B[31mc", "a\tb[31mc"},
    {"\xFFz\xE2\x80\xAE", FFFD "z" FFFD},
};

static void markdown_cell(void **state)
{
    (void)state;
    check(escape_markdown_cell, cells, N(cells));
}

static void markdown_cell_twice_is_once(void **state)
{
    (void)state;
    struct pair again[N(cells)];
    for (size_t i = 0; i < N(cells); i++)
        again[i] = (struct pair){cells[i].expected, cells[i].expected};
    check(escape_markdown_cell, again, N(again));
}

/* Whatever the text, a row of two cells has exactly the two borders that we wrote. */
static void markdown_cell_keeps_the_table(void **state)
{
    (void)state;
    static const char bits[] = {'|', '\\', '\n', '\r', 'a', '`', '\x02', '\xFF', ' '};
    for (unsigned seed = 0; seed < 59049; seed++) {
        char text[6] = "";
        unsigned rest = seed;
        for (int i = 0; i < 5; i++, rest /= 9)
            text[i] = bits[rest % 9];
        struct buf out;
        buf_init(&out, 4096);
        escape_markdown_cell(&out, text);
        buf_char(&out, '|');
        size_t borders = 0;
        for (size_t i = 0; i < out.len; i++) {
            assert_true(out.data[i] != '\n' && out.data[i] != '\r');
            if (out.data[i] == '\\')
                i++;
            else
                borders += out.data[i] == '|';
        }
        assert_int_equal(borders, 1);
        buf_release(&out);
    }
}

static void markdown_line(void **state)
{
    (void)state;
    static const struct pair cases[] = {
        {"a|b\\", "a|b\\"},
        {"a\r\n# b\n", "a # b "},
        {"\x02z\xFF", "z" FFFD},
    };
    check(escape_markdown_line, cases, N(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(html),
        cmocka_unit_test(html_joined),
        cmocka_unit_test(markdown_cell),
        cmocka_unit_test(markdown_cell_twice_is_once),
        cmocka_unit_test(markdown_cell_keeps_the_table),
        cmocka_unit_test(markdown_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
