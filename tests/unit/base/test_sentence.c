/* sentence: the values of a format, as the texts that they become, and how texts keep them. */
#include "tests/unit/unit.h"

#include "base/err.h"
#include "base/sentence.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

struct made {
    struct arena arena;
    struct sentence sentence;
    bool known;
};

static void make(struct made *m, const char *fmt, ...)
{
    va_list ap;
    *m = (struct made){.arena = ARENA_INIT};
    va_start(ap, fmt);
    m->known = sentence_values(&m->sentence, fmt, ap, &m->arena);
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

static void texts_are_found_by_their_addresses(void **state)
{
    struct arena a = ARENA_INIT, b = ARENA_INIT;
    (void)state;
    const char *inner = sentence_say(&a, "%d rows", 3);
    const char *text = sentence_say(&a, "%s: %s, %.3s", inner, "theirs", inner);
    const struct sentence *made = sentence_of(&a, text);
    assert_string_equal(text, "3 rows: theirs, 3 r");
    assert_string_equal(made->format, "%s: %s, %.3s");
    assert_string_equal(made->values[0].format, "%d rows");
    assert_string_equal(made->values[0].values[0].text, "3");
    assert_null(made->values[1].format);
    assert_null(made->values[2].format);
    assert_ptr_equal(sentence_say(&a, "%s", text), text);
    assert_null(sentence_of(&a, sentence_say(&a, "no values")));
    assert_null(sentence_of(&b, text));
    const char *copy = sentence_carry(&b, &a, text);
    arena_release(&a);
    assert_null(sentence_of(&a, text));
    assert_string_equal(sentence_of(&b, copy)->values[0].values[0].text, "3");
    arena_release(&b);
}

/* What an error keeps: its format and its values, with or without what stands in front of it. */
static void errors_are_kept(void **state)
{
    struct arena a = ARENA_INIT;
    struct err err = ERR_INIT;
    (void)state;
    err_set(&err, ERR_INPUT, "%s: 100%% of %d %s", "x.log", 7, "rows");
    const struct sentence *whole = sentence_of(&a, err_keep(&err, NULL, &a));
    assert_string_equal(whole->format, "%s: 100%% of %d %s");
    assert_string_equal(whole->values[0].text, "x.log");
    assert_string_equal(whole->values[2].text, "rows");
    const struct sentence *bare = sentence_of(&a, err_keep(&err, "x.log", &a));
    assert_string_equal(bare->text, "100% of 7 rows");
    assert_string_equal(bare->format, "100%% of %d %s");
    assert_string_equal(bare->values[0].text, "7");
    assert_int_equal(bare->n_values, 2);
    err_prefix(&err, "of %s", "y");
    const struct sentence *behind = sentence_of(&a, err_keep(&err, NULL, &a));
    assert_string_equal(behind->text, "of y: x.log: 100% of 7 rows");
    assert_string_equal(behind->values[0].text, "of y");
    assert_string_equal(behind->values[1].values[1].text, "7");
    errno = ENOENT;
    err_errno(&err, ERR_INPUT, "cannot read %s", "z");
    const struct sentence *of_system = sentence_of(&a, err_keep(&err, NULL, &a));
    assert_string_equal(of_system->format, "cannot read %s: %s");
    assert_string_equal(of_system->values[1].text, strerror(ENOENT));
    err_errno(&err, ERR_INPUT, "%s", "z");
    assert_string_equal(err_keep(&err, "z", &a), strerror(ENOENT));
    arena_release(&a);
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
        cmocka_unit_test(texts_are_found_by_their_addresses),
        cmocka_unit_test(errors_are_kept),
        cmocka_unit_test(what_no_message_has_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
