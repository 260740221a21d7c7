/* mllog: which lines are records, and what of them is kept. */
#include "tests/unit/unit.h"

#include "base/arena.h"
#include "verifier/mlperf/log/mllog.h"

#include <string.h>

#define RECORD(key, value) \
    ":::MLLOG {\"time_ms\": 5, \"key\": \"" key "\", \"value\": " value ", \"metadata\": {}}"

static struct mllog read_text(const char *text, struct arena *arena)
{
    struct mllog_names names = {0};
    struct mllog log;
    static const char *const keys[] = {"a", "seed"};
    for (size_t i = 0; i < 2; i++)
        mllog_names_add(&names, span_of(keys[i]), arena);
    mllog_read((struct bytes){text, strlen(text)}, &names, arena, &log);
    return log;
}

static void lines_are_records_or_not(void **state)
{
    (void)state;
    const struct {
        const char *text;
        size_t records, broken, kept, doubled;
    } cases[] = {
        {"", 0, 0, 0, 0},
        {"nothing\n", 0, 0, 0, 0},
        {RECORD("a", "1"), 1, 0, 1, 0},
        {RECORD("a", "1") "\r\n" RECORD("b", "1") "\n", 2, 0, 1, 0},
        {"50 %\r0: " RECORD("a", "1") "\r100 %\r" RECORD("a", "2") "\n", 2, 0, 2, 0},
        {RECORD("a", "1") " \t\x85\xa0\n", 1, 0, 1, 0},
        {RECORD("a", "NaN") "\n" RECORD("a", "-Infinity") "\n", 2, 0, 2, 0},
        {RECORD("a", "1") " more\n", 0, 1, 0, 0},
        {RECORD("a", "01") "\n", 0, 1, 0, 0},
        {RECORD("a", "\"\t\"") "\n", 0, 1, 0, 0},
        {RECORD("a", "1") RECORD("seed", "2") "\n", 1, 0, 1, 1},
        {":::MLLOG{\"time_ms\": 1}\n", 0, 0, 0, 0},
        {":::MLLOG {}\n:::MLLOG []\n:::MLLOG ", 0, 3, 0, 0},
        {":::MLLOG {\"time_ms\": true, \"key\": \"a\", \"value\": 1, \"metadata\": 1}\n", 0, 1, 0,
         0},
        {":::MLLOG {\"time_ms\": \"7\", \"k\\u0065y\": \"\\u0061\", \"value\": 1, \"metadata\": "
         "\"\"}\n",
         1, 0, 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = ARENA_INIT;
        struct mllog log = read_text(cases[i].text, &arena);
        if (log.n_all != cases[i].records || log.n_broken != cases[i].broken ||
            log.n != cases[i].kept || log.n_doubled != cases[i].doubled)
            fail_msg("case %zu: %zu records, %zu broken, %zu kept, %zu doubled", i, log.n_all,
                     log.n_broken, log.n, log.n_doubled);
        arena_release(&arena);
    }
}

static void the_last_of_a_member_counts(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    struct mllog log = read_text(
        ":::MLLOG {\"value\": 1, \"time_ms\": 9, \"key\": \"a\", \"value\": 2, \"metadata\": {}}\n",
        &arena);
    assert_int_equal(log.n, 1);
    assert_true(mllog_value(log.records[0].value).number == 2);
    arena_release(&arena);
}

/* Noted or, of more than eight, walked again: the last of a name, in the last metadata. */
static void members_of_metadata_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *metadata, *found; /* of "b"; "": missing */
    } cases[] = {
        {"{}", ""},
        {"null", ""},
        {"{\"a\": 1}", ""},
        {"{\"a\": 1, \"b\": 2}", "2"},
        {"{\"b\": 1, \"b\": {\"b\": 2}, \"bb\": 3}", "{\"b\": 2}"},
        {"{\"\\u0062\": \"x\"}", "\"x\""},
        {"{\"b\": 1, \"1\": 0, \"2\": 0, \"3\": 0, \"4\": 0, \"5\": 0, \"6\": 0, \"7\": 0}", "1"},
        {"{\"1\": 0, \"2\": 0, \"3\": 0, \"4\": 0, \"5\": 0, \"6\": 0, \"7\": 0, \"8\": 0, \"b\": "
         "9}",
         "9"},
        {"{\"b\": 1}, \"metadata\": {}", ""},
        {"{\"b\": 1}, \"metadata\": 2", ""},
        {"{\"b\": 1}, \"metadata\": {\"a\": 1, \"b\": [3]}", "[3]"},
    };
    struct arena arena = ARENA_INIT;
    struct buf text;
    buf_init(&text, 10000);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        buf_printf(&text,
                   ":::MLLOG {\"time_ms\": 9, \"key\": \"a\", \"value\": 1, \"metadata\": %s}\n",
                   cases[i].metadata);
    struct mllog log = read_text(text.data, &arena);
    assert_int_equal(log.n, sizeof cases / sizeof *cases);
    for (size_t i = 0; i < log.n; i++) {
        struct span found = mllog_metadata_span(&log.records[i], "b");
        if (!span_is(found, cases[i].found))
            fail_msg("case %zu: %.*s", i, (int)found.n, found.p);
    }
    buf_release(&text);
    arena_release(&arena);
}

static void lines_are_counted_as_editors_do(void **state)
{
    (void)state;
    const char text[] = "a\nb\r\nc\rd\n\ne";
    const struct bytes bytes = {text, sizeof text - 1};
    const int lines[] = {1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6};
    for (uint32_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_int_equal(mllog_line(bytes, i), lines[i]);
}

static struct mllog_value value_of(const char *json)
{
    return mllog_value(span_of(json));
}

static void values_are_compared_as_by_python(void **state)
{
    (void)state;
    const struct {
        const char *a, *b;
        bool same;
    } cases[] = {
        {"1", "1.0", true},
        {"true", "1", true},
        {"false", "0.0", true},
        {"1", "\"1\"", false},
        {"null", "0", false},
        {"\"a\"", "\"\\u0061\"", true},
        {"NaN", "NaN", false},
        {"[1, 2]", "[1.0,2]", true},
        {"{\"a\": 1, \"b\": 2}", "{\"b\": 2, \"a\": 1}", true},
        {"{\"a\": 1}", "{\"a\": 1, \"b\": 2}", false},
        {"[1]", "[1, 2]", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mllog_value a = value_of(cases[i].a), b = value_of(cases[i].b);
        if (mllog_same(&a, &b) != cases[i].same)
            fail_msg("%s and %s", cases[i].a, cases[i].b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_records_or_not),
        cmocka_unit_test(the_last_of_a_member_counts),
        cmocka_unit_test(members_of_metadata_are_found),
        cmocka_unit_test(lines_are_counted_as_editors_do),
        cmocka_unit_test(values_are_compared_as_by_python),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
