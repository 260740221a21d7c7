#include "base/json/json_parts.h"
#include "tests/unit/unit.h"

#include <string.h>

static struct json_parts parts_of(const char *text)
{
    return json_parts_of((struct bytes){text, strlen(text)});
}

static void is_text(struct bytes found, const char *expected)
{
    assert_int_equal(found.len, strlen(expected));
    assert_memory_equal(found.data, expected, found.len);
}

static void test_members_in_their_order(void **state)
{
    struct json_parts p = parts_of(" {\"a\": 1, \"b\" :[1, {\"}\": \"]\"}] ,\n\"c\":\"x\\\"y\"} ");
    struct json_part part;
    (void)state;
    assert_true(json_parts_next(&p, &part));
    assert_true(json_part_is(&part, "a"));
    is_text(part.value, "1");
    assert_true(json_parts_next(&p, &part));
    assert_true(json_part_is(&part, "b"));
    assert_false(json_part_is(&part, "bb"));
    is_text(part.value, "[1, {\"}\": \"]\"}]");
    assert_true(json_parts_next(&p, &part));
    is_text(part.value, "\"x\\\"y\"");
    assert_false(json_parts_next(&p, &part));
    assert_false(p.bad);
}

static void test_elements_have_no_key(void **state)
{
    struct json_parts p = parts_of("[true, \"a\", {\"k\": null}, -1.5e3]");
    const char *values[] = {"true", "\"a\"", "{\"k\": null}", "-1.5e3"};
    struct json_part part;
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        assert_true(json_parts_next(&p, &part));
        assert_null(part.key.data);
        assert_false(json_part_is(&part, ""));
        is_text(part.value, values[i]);
    }
    assert_false(json_parts_next(&p, &part));
    assert_false(p.bad);
}

static void test_empty_groups(void **state)
{
    static const char *const texts[] = {"{}", "[]", " [ \n] ", "{ }"};
    struct json_part part;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct json_parts p = parts_of(texts[i]);
        assert_false(json_parts_next(&p, &part));
        assert_false(p.bad);
    }
}

/* A value that is walked into is bytes within the first: nothing is copied. */
static void test_a_value_is_walked_in_turn(void **state)
{
    const char *text = "{\"runs\": [{\"id\": 7}]}";
    struct json_parts p = parts_of(text), runs, run;
    struct json_part part;
    (void)state;
    assert_true(json_parts_next(&p, &part));
    runs = json_parts_of(part.value);
    assert_true(json_parts_next(&runs, &part));
    run = json_parts_of(part.value);
    assert_true(json_parts_next(&run, &part));
    assert_true(json_part_is(&part, "id"));
    assert_ptr_equal(part.value.data, strchr(text, '7'));
}

static bool ends_badly(const char *text)
{
    struct json_parts p = parts_of(text);
    struct json_part part;
    while (json_parts_next(&p, &part))
        ;
    return p.bad;
}

static void test_what_is_cut_off_is_bad(void **state)
{
    const char *whole = "{\"a\": [1, \"b\\\"\"], \"c\": {\"d\": true}}";
    char text[64];
    (void)state;
    assert_false(ends_badly(whole));
    for (size_t n = 0; n < strlen(whole); n++) {
        memcpy(text, whole, n);
        text[n] = '\0';
        assert_true(ends_badly(text));
    }
}

static void test_what_is_no_group_is_bad(void **state)
{
    static const char *const texts[] = {"",       "7",          "\"a\"",     "[1 2]",
                                        "[1,]",   "[,1]",       "{\"a\"}",   "{\"a\" 1}",
                                        "{a: 1}", "{1: 2}",     "{\"a\": }", "{\"a\": 1 \"b\": 2}",
                                        "[\"a]",  "[{\"a\": 1]"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_true(ends_badly(texts[i]));
}

/* Bytes behind the end of the value are not looked at. */
static void test_the_length_counts(void **state)
{
    struct json_parts p = json_parts_of((struct bytes){"[12]3]", 3});
    struct json_part part;
    (void)state;
    assert_true(json_parts_next(&p, &part));
    is_text(part.value, "12");
    assert_false(json_parts_next(&p, &part));
    assert_true(p.bad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_in_their_order),
        cmocka_unit_test(test_elements_have_no_key),
        cmocka_unit_test(test_empty_groups),
        cmocka_unit_test(test_a_value_is_walked_in_turn),
        cmocka_unit_test(test_what_is_cut_off_is_bad),
        cmocka_unit_test(test_what_is_no_group_is_bad),
        cmocka_unit_test(test_the_length_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
