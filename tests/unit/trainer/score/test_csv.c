/* csv: what RFC 4180 says of fields, as Python's csv reads them, and texts that are none. */
#include "tests/unit/unit.h"

#include "trainer/score/csv.h"

#include <stdio.h>
#include <string.h>

struct parsed {
    struct arena arena;
    struct csv_row *rows;
    size_t n;
    struct err err;
    int rc;
};

static struct parsed parse_bytes(const char *text, size_t len)
{
    struct parsed p = {.err = ERR_INIT};
    arena_init(&p.arena);
    p.rc = csv_parse("q.csv", (struct bytes){text, len}, &p.arena, &p.rows, &p.n, &p.err);
    return p;
}

static struct parsed parse(const char *text)
{
    return parse_bytes(text, strlen(text));
}

static void rows_and_fields(void **state)
{
    (void)state;
    struct parsed p = parse("a,\"b, \"\"c\"\"\nd\",\r\n\n\"\",e\"f,\xe4\xb8\xad");
    assert_int_equal(p.rc, 0);
    assert_int_equal(p.n, 2);
    assert_int_equal(p.rows[0].n, 3);
    assert_string_equal(p.rows[0].fields[0], "a");
    assert_string_equal(p.rows[0].fields[1], "b, \"c\"\nd");
    assert_string_equal(p.rows[0].fields[2], "");
    assert_int_equal(p.rows[0].line, 1);
    assert_int_equal(p.rows[1].n, 3);
    assert_string_equal(p.rows[1].fields[0], "");
    assert_string_equal(p.rows[1].fields[1], "e\"f");
    assert_string_equal(p.rows[1].fields[2], "\xe4\xb8\xad");
    assert_int_equal(p.rows[1].line, 4);
    arena_release(&p.arena);
}

static void nothing_is_no_row(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "\n", "\r\n\n\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct parsed p = parse(texts[i]);
        assert_int_equal(p.rc, 0);
        assert_int_equal(p.n, 0);
        arena_release(&p.arena);
    }
}

static void refused_with(struct parsed p, const char *message)
{
    assert_int_equal(p.rc, -1);
    assert_int_equal(p.err.kind, ERR_INPUT);
    assert_string_equal(p.err.text, message);
    arena_release(&p.arena);
}

static void other_texts_are_refused(void **state)
{
    (void)state;
    static char many[CSV_ROWS_MAX * 2 + 3];
    refused_with(parse("a\n\"b\nc"),
                 "q.csv:2: found a quote that is not closed, expected another quote");
    refused_with(
        parse("\"a\nb\"c\n"),
        "q.csv:2: found text behind a closed quote, expected a comma or the end of the line");
    refused_with(parse("a,,,,,,,,,,,,,,,,"), "q.csv:1: found more than 16 fields, expected fewer");
    refused_with(parse("a\xff"), "q.csv: found bytes that are not UTF-8, expected a CSV file");
    refused_with(parse_bytes("a\0b", 3),
                 "q.csv: found bytes that are not UTF-8, expected a CSV file");
    for (int i = 0; i <= CSV_ROWS_MAX; i++)
        memcpy(many + 2 * i, "x\n", 2);
    refused_with(parse(many), "q.csv:100001: found more than 100000 rows");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_fields),
        cmocka_unit_test(nothing_is_no_row),
        cmocka_unit_test(other_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
