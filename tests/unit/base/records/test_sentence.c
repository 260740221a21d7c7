/* sentence: the values of a format, as the texts that they become. */
#include "tests/unit/unit.h"

#include "base/records/sentence.h"

#include <stdint.h>
#include <string.h>

struct made {
    struct arena arena;
    struct sentence sentence;
    bool known;
};

static const char quoted[] = "a text of ours";

static const struct sentence *find_quoted(void *context, const char *value)
{
    return value == quoted ? context : NULL;
}

static void make(struct made *m, const char *fmt, ...)
{
    static const struct sentence ours = {.text = quoted, .en = quoted, .zh = "我们的文字"};
    va_list ap;
    *m = (struct made){.arena = ARENA_INIT};
    va_start(ap, fmt);
    m->known =
        sentence_values(&m->sentence, fmt, ap, find_quoted, (void *)(uintptr_t)&ours, &m->arena);
    va_end(ap);
}

/* The values with bars between them. */
static void expect(struct made *m, const char *values)
{
    const char *text = "";
    for (size_t i = 0; i < m->sentence.n_values; i++)
        text = arena_printf(&m->arena, "%s%s|", text, m->sentence.values[i].text);
    assert_true(m->known);
    assert_string_equal(text, values);
    arena_release(&m->arena);
}

static void each_type_is_taken(void **state)
{
    struct made m;
    (void)state;
    make(&m, "nothing, 5 %% of it");
    expect(&m, "");
    make(&m, "%d %s %zu", -3, "rows", (size_t)7);
    expect(&m, "-3|rows|7|");
    make(&m, "%ld %lld %jd %i", -4000000000L, 5000000000LL, (intmax_t)6, 7);
    expect(&m, "-4000000000|5000000000|6|7|");
    make(&m, "%u %lu %llu %x %#x", 4000000000U, 5UL, 6ULL, 255U, 16U);
    expect(&m, "4000000000|5|6|ff|0x10|");
    make(&m, "%.2f %g %.17g %.*f", 1.005, 1e20, 0.5, 1, 2.25);
    expect(&m, "1.00|1e+20|0.5|2.2|");
    make(&m, "%.3s %.*s %-5s%c", "abcdef", 2, "xyz", "ab", 'c');
    expect(&m, "abc|xy|ab   |c|");
    make(&m, "%d%%, %.0f %%", 5, 2.0);
    expect(&m, "5|2|");
}

static void texts_of_ours_keep_their_rows(void **state)
{
    struct made m;
    (void)state;
    make(&m, "%s: %s, %.3s", quoted, "theirs", quoted);
    assert_string_equal(m.sentence.values[0].zh, "我们的文字");
    assert_null(m.sentence.values[1].zh);
    assert_null(m.sentence.values[2].zh);
    expect(&m, "a text of ours|theirs|a t|");
}

static void what_no_message_has_is_refused(void **state)
{
    static const char *const formats[] = {"%p", "%n", "%Lf", "%hd", "%", "%d %", "%5", "% of it"};
    struct made m;
    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        make(&m, formats[i], 1);
        if (m.known)
            fail_msg("\"%s\" was taken", formats[i]);
        arena_release(&m.arena);
    }
    make(&m, "%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
         15, 16, 17);
    assert_false(m.known);
    arena_release(&m.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_type_is_taken),
        cmocka_unit_test(texts_of_ours_keep_their_rows),
        cmocka_unit_test(what_no_message_has_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
