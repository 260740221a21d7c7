/* columns: lines end within 80 columns, and no word is lost. */
#include "tests/unit/unit.h"

#include "base/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void width_is_what_a_terminal_shows(void **state)
{
    (void)state;
    assert_int_equal(columns_width("abc"), 3);
    assert_int_equal(columns_width("单机8卡"), 7);
    assert_int_equal(columns_width("a…b"), 3);
    assert_int_equal(columns_width("\xff!"), 2);
    assert_int_equal(columns_width("“a” ≤ → –"), 9);
    assert_int_equal(columns_width("（，）"), 6);
    assert_int_equal(columns_width("한글カナ"), 8);
    assert_int_equal(columns_width("é×π"), 3);
    assert_int_equal(columns_width("😀𠀀"), 4);
}

static void pads_by_width(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 100);
    columns_pad(&b, "卡", 4);
    columns_pad(&b, "longer", 2);
    assert_string_equal(b.data, "卡   longer ");
    buf_release(&b);
}

static void wraps_at_blanks(void **state)
{
    (void)state;
    struct buf b, words;
    buf_init(&b, 4096);
    buf_init(&words, 4096);
    for (int i = 0; i < 60; i++)
        buf_printf(&words, "%sword%d", i ? " " : "", i * i);
    columns_paragraph(&b, 2, 4, words.data);
    size_t lines = 0;
    char *joined = strdup("");
    for (char *line = strtok(b.data, "\n"); line; line = strtok(NULL, "\n"), lines++) {
        assert_true(columns_width(line) <= COLUMNS_MAX);
        assert_int_equal(strspn(line, " "), lines ? 4 : 2);
        char *more;
        assert_true(
            asprintf(&more, "%s%s%s", joined, *joined ? " " : "", line + strspn(line, " ")) >= 0);
        free(joined);
        joined = more;
    }
    assert_true(lines > 3);
    assert_string_equal(joined, words.data);
    free(joined);
    buf_release(&b);
    buf_release(&words);
}

static void a_long_word_stands_alone(void **state)
{
    (void)state;
    struct buf b;
    char word[121] = "";
    memset(word, 'x', 120);
    buf_init(&b, 4096);
    buf_printf(&b, "> ");
    columns_wrap(&b, 2, 2, word);
    assert_int_equal(b.len, 2 + 120 + 1);
    buf_clear(&b);
    columns_wrap(&b, 0, 0, "");
    assert_string_equal(b.data, "\n");
    buf_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(width_is_what_a_terminal_shows),
        cmocka_unit_test(pads_by_width),
        cmocka_unit_test(wraps_at_blanks),
        cmocka_unit_test(a_long_word_stands_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
