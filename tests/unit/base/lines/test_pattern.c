/* pattern: what the language takes from lines, what it refuses, and how long it takes. */
#include "tests/unit/under_asan.h"
#include "tests/unit/unit.h"

#include "base/lines/pattern.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NUMBER, COUNT, READING, WORD, TEXT, OTHER, NAMES };

static const struct pattern_name rows[NAMES] = {
    {"number", PATTERN_NUMBER}, {"count", PATTERN_COUNT}, {"reading", PATTERN_READING},
    {"word", PATTERN_WORD},     {"text", PATTERN_TEXT},   {"other", PATTERN_NUMBER},
};
static const struct pattern_names names = {rows, NAMES};

static struct pattern *compiled(const char *text, struct arena *arena)
{
    struct pattern *p = NULL;
    struct err err = ERR_INIT;
    if (pattern_compile(text, &names, arena, &p, &err) < 0)
        print_error("%s\n", err.text);
    assert_non_null(p);
    return p;
}

/* What a field takes; NULL: the pattern does not describe the line. */
static const struct taken {
    const char *pattern, *line;
    int field;
    const char *text;
} taken[] = {
    /* literals, ends, stars */
    {"a {number}", "a 5", NUMBER, "5"},
    {"a {number}", "a 5 ", NUMBER, NULL}, /* lines are trimmed */
    {"a {number}", "b a 5", NUMBER, NULL},
    {"a {number}", "a 5 b", NUMBER, NULL},
    {"*a {number}", "b a 5", NUMBER, "5"},
    {"a {number}*", "a 5 b", NUMBER, "5"},
    {"*a {number}*", "a x a 5 a 6", NUMBER, "5"},
    {"*a {number}", "a 5 a 6", NUMBER, "6"}, /* the last part ends with the line */
    {"*a*b*c {number}*", "xaxbxc 7", NUMBER, "7"},
    {"*a*b*c {number}*", "xbxaxc 7", NUMBER, NULL},
    {"**{{ {number}}", "*{ 5}", NUMBER, "5"},
    /* blanks */
    {"a b {number}", "a \t  b\t5", NUMBER, "5"},
    {"a b {number}", "ab 5", NUMBER, NULL},
    {"| {number} |", "|5|", NUMBER, "5"},
    {"{number} / {other} MiB", "5/ 6 MiB", OTHER, "6"},
    {"*loss: {number} *", "loss: 2.5", NUMBER, "2.5"},
    {"* {count}C *", "33C 5W", COUNT, "33"},
    {"* {count}C *", "| 1x33C 44C |", COUNT, "44"},
    /* kinds */
    {"{number}", "-1.5e+3", NUMBER, "-1.5e+3"},
    {"{number}", "nan", NUMBER, "nan"},
    {"{count}", "-1", COUNT, NULL},
    {"{count}.*", "49.0C", COUNT, "49"},
    {"{reading}W", "12.5W", READING, "12.5"},
    {"{reading} W", "N/A W", READING, "N/A"},
    {"{reading} W", "[N/A] W", READING, "[N/A]"},
    {"{reading} W", "nan W", READING, NULL},
    {"*Version: {word} *", "| Driver Version: 535.1  x |", WORD, "535.1"},
    {"{word}, b", "a, b", WORD, "a"},
    {"{word}", "a|b", WORD, NULL},
    {"| {count} {text} |", "|  0  MetaX C500   |", TEXT, "MetaX C500"},
    {"| {count} {text} *", "|  0  NVIDIA H200      On | x |", TEXT, "NVIDIA H200"},
    {"{text:w} {word}", "a b", TEXT, "a"},
    /* ways of writing */
    {"{number:K}ms", "11.5Kms", NUMBER, "11.5K"},
    {"{number:,}/s", "45,538/s", NUMBER, "45,538"},
    {"{number:,}/s", "1.787e-06/s", NUMBER, "1.787e-06"},
    {"{number:,}/s", "45,53/s", NUMBER, NULL},
    {"{number:,}", "1,234,567.5", NUMBER, "1,234,567.5"},
    {"{number:,}", "12345.5", NUMBER, "12345.5"},
    /* passed over */
    {"{#} {-} {number}", "1 x 3", NUMBER, "3"},
    {"{#} {-} {number}", "y x 3", NUMBER, NULL},
    /* a field that begins a part begins where a number or word does */
    {"*{count} W", "a123 W", COUNT, "123"},
    {"*{word}b", "aab ab", WORD, "a"},
};

static void fields_are_taken(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        struct arena arena = ARENA_INIT;
        struct pattern_found f;
        /* A copy of its size, so that the sanitizer sees reads beyond it. */
        size_t n = strlen(taken[i].line);
        char *line = memcpy(malloc(n), taken[i].line, n);
        bool fits = pattern_match(compiled(taken[i].pattern, &arena), (struct span){line, n}, &f);
        if (fits != (taken[i].text != NULL))
            print_error("row %zu: %s\n", i, taken[i].pattern);
        assert_int_equal(fits, taken[i].text != NULL);
        if (fits && !span_is(f.text[taken[i].field], taken[i].text))
            print_error("row %zu: %.*s\n", i, (int)f.text[taken[i].field].n,
                        f.text[taken[i].field].p);
        assert_true(!fits || span_is(f.text[taken[i].field], taken[i].text));
        free(line);
        arena_release(&arena);
    }
}

static void numbers_have_their_values(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *line;
        double value;
    } values[] = {
        {"{number:K}", "11.4K", 11400},     {"{number:K}", "2M", 2e6},
        {"{number:K}", "1.5T", 1.5e12},     {"{number:K}", "3G", 3e9},
        {"{number:K}", "12", 12},           {"{number:,}", "1,234,567.5", 1234567.5},
        {"{number:,}", "12345.5", 12345.5}, {"{number:,}", "-1.5", -1.5},
        {"{number:,}", "999", 999},
    };
    struct arena arena = ARENA_INIT;
    struct pattern_found f;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        assert_true(
            pattern_match(compiled(values[i].pattern, &arena), span_of(values[i].line), &f));
        assert_true(pattern_number(&f, NUMBER) == values[i].value);
    }
    assert_true(pattern_match(compiled("{reading}", &arena), span_of("N/A"), &f));
    assert_true(f.has == 1u << READING && isnan(pattern_number(&f, READING)));
    assert_true(isnan(pattern_number(&f, NUMBER))); /* not taken */
    arena_release(&arena);
}

static void what_is_no_pattern_is_refused(void **state)
{
    (void)state;
    char longest[PATTERN_MAX + 2];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    const struct {
        const char *pattern, *message;
    } bad[] = {
        {"", "found an empty pattern, expected the pattern of a line"},
        {longest, "found a pattern of more than 400 bytes"},
        {"a {nmber}", "byte 3 of the pattern \"a {nmber}\": found an unknown field, expected {#}, "
                      "{-}, {number}, "
                      "{count}, {reading}, {word}, {text}, {other}"},
        {"a {number", "byte 3 of the pattern \"a {number\": found a field without an end, expected "
                      "'}', or \"{{\" for a brace"},
        {"{number}x{number}", "byte 10 of the pattern \"{number}x{number}\": found a field for the "
                              "second time, expected each field once"},
        {"{number}{count}", "byte 9 of the pattern \"{number}{count}\": found a field behind a "
                            "field, expected a byte between them"},
        {"a\tb",
         "byte 2 of the pattern \"a\tb\": found a control character, expected printable text"},
        {"{count:K}", "byte 1 of the pattern \"{count:K}\": found a way of writing that this field "
                      "has not, expected {number:K}, {number:,} or {text:w}"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct arena arena = ARENA_INIT;
        struct pattern *p = NULL;
        struct err err = ERR_INIT;
        int rc = pattern_compile(bad[i].pattern, &names, &arena, &p, &err);
        assert_int_equal(rc, -1);
        assert_int_equal(err.kind, ERR_INPUT);
        assert_string_equal(err.text, bad[i].message);
        arena_release(&arena);
    }
}

/* The first pattern counts, whatever words the line has; long lines are tried, too. */
static void of_a_set_the_first_counts(void **state)
{
    (void)state;
    static const char *const texts[] = {"*alpha {number}*", "*beta {number}*", "*a*{number}*"};
    struct arena arena = ARENA_INIT;
    struct pattern_set *set;
    struct pattern_found f;
    struct err err = ERR_INIT;
    assert_int_equal(pattern_set_new(texts, 3, &names, &arena, &set, &err), 0);
    assert_int_equal(pattern_set_match(set, SPAN("beta 2 alpha 1"), 0, &f), 0);
    assert_true(pattern_number(&f, NUMBER) == 1);
    assert_int_equal(pattern_set_match(set, SPAN("beta 2 alpha 1"), 1, &f), 1);
    assert_int_equal(pattern_set_match(set, SPAN("beta 2 alpha 1"), 2, &f), 2);
    assert_true(pattern_set_match(set, SPAN("gamm 3"), 0, &f) == 2);
    assert_true(pattern_set_match(set, SPAN("x"), 0, &f) == PATTERN_NONE);
    assert_true(pattern_set_match(set, (struct span){"", 0}, 0, &f) == PATTERN_NONE);
    char *line = arena_printf(&arena, "%5000s alpha 4", "x");
    assert_int_equal(pattern_set_match(set, span_trim(span_of(line)), 0, &f), 0);
    line = arena_printf(&arena, "%5000s alpha 4", " ");
    memset(line, '.', 5000);
    assert_int_equal(pattern_set_match(set, span_of(line), 0, &f), 0);
    arena_release(&arena);
}

static double seconds_for(const struct pattern *p, const char *line, size_t n)
{
    struct timespec from, to;
    struct pattern_found f;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    pattern_match(p, (struct span){line, n}, &f);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

/* Sixteen times the bytes take about sixteen times as long, and not 256, whatever stands there. */
static void time_is_linear(void **state)
{
    (void)state;
    if (UNDER_ASAN)
        skip(); /* times are measured in the build without sanitizers */
    static const struct {
        const char *pattern, *unit;
    } hostile[] = {
        {"*a*a*a*a*a*a*b", "a"},
        {"*1{count}x*", "1"},
        {"*a{word}|*", "a"},
        {"*a {text}|*", "a "},
        {"*| {word} {-} {-} {-} {#} |*", "| a "},
        {"* {word} {-} {-} {-} {#} |*", " "},
        {"*{number} {count}C*", "7"},
        {"*a b c d e f*", "a b c d e  "},
        {"*{number:,}x*", "1,111,"},
    };
    const size_t few = 1 << 16, many = 1 << 20;
    char *line = malloc(many);
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        struct arena arena = ARENA_INIT;
        struct pattern *p = compiled(hostile[i].pattern, &arena);
        size_t unit = strlen(hostile[i].unit);
        double least = 1, ratio = 1e9;
        for (size_t at = 0; at < many; at++)
            line[at] = hostile[i].unit[at % unit];
        /* The best of a few rounds: other processes only make it slower. */
        for (int round = 0; round < 7 && ratio > 40; round++) {
            least = fmin(least, seconds_for(p, line, few));
            ratio = fmin(ratio, seconds_for(p, line, many) / least);
        }
        if (getenv("PATTERN_TIMES") || ratio > 40)
            print_error("%s: %g times\n", hostile[i].pattern, ratio);
        assert_true(ratio <= 40);
        arena_release(&arena);
    }
    free(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_taken),
        cmocka_unit_test(numbers_have_their_values),
        cmocka_unit_test(what_is_no_pattern_is_refused),
        cmocka_unit_test(of_a_set_the_first_counts),
        cmocka_unit_test(time_is_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
