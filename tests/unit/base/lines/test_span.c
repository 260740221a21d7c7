/* span and decimal: what looks at sixteen bytes at once says what one byte at a time says. */
#include "tests/unit/unit.h"

#include "base/lines/decimal.h"
#include "base/lines/span.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned draw(uint64_t *seed, unsigned n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*seed >> 33) % n;
}

/* Few different letters, so that words are nearly met all the time. In memory of its own, so that
 * the sanitizer sees each byte that is read beyond it. */
static struct span random_text(uint64_t *seed, size_t n)
{
    char *text = malloc(n + 1);
    for (size_t i = 0; i < n; i++)
        text[i] = "aab\0b|[\x1b"[draw(seed, 8)];
    return (struct span){realloc(text, n ? n : 1), n};
}

static void words_are_found_as_memmem_finds_them(void **state)
{
    (void)state;
    static const char *const words[] = {"a", "ab", "aab", "abab", "aabaabaab", "b|[", "zz"};
    uint64_t seed = 1;
    for (int i = 0; i < 200000; i++) {
        struct span s = random_text(&seed, draw(&seed, 90));
        const char *word = words[draw(&seed, sizeof words / sizeof words[0])];
        const char *hit = s.n ? memmem(s.p, s.n, word, strlen(word)) : NULL;
        assert_int_equal(span_find(s, word), hit ? (size_t)(hit - s.p) : s.n);
        free((char *)s.p);
    }
    assert_int_equal(span_find((struct span){"abc", 3}, ""), 0);
    assert_true(span_starts((struct span){NULL, 0}, "") && span_starts(SPAN("ab"), "a"));
    assert_false(span_starts(SPAN("a"), "ab") || span_starts((struct span){NULL, 0}, "a"));
}

static void marks_are_those_of_memchr(void **state)
{
    (void)state;
    static const char bytes[SPAN_MARKS] = {'\0', '\x1b', '[', '|'};
    uint64_t seed = 2;
    for (int i = 0; i < 100000; i++) {
        struct span s = random_text(&seed, draw(&seed, 50));
        unsigned expected = 0;
        for (int k = 0; k < SPAN_MARKS; k++)
            expected |= (unsigned)(s.n && memchr(s.p, bytes[k], s.n)) << k;
        assert_int_equal(span_marks(s, bytes), expected);
        free((char *)s.p);
    }
}

/* A number of any shape, with what may stand behind it in a log. */
static void make_number(uint64_t *seed, char *text)
{
    static const char *const ends[] = {",", "}", " |", "e",   "E+",  ".",
                                       "-", ":", "y",  "e+1", "E-03"};
    uint64_t bits = (uint64_t)draw(seed, 1u << 31) << 31 | draw(seed, 1u << 31);
    int digits = (int)draw(seed, 20);
    bits >>= draw(seed, 62);
    switch (draw(seed, 4)) {
    case 0:
        sprintf(text, "%llu", (unsigned long long)bits);
        break;
    case 1:
        sprintf(text, "%.*f", digits, (double)bits / (double)(1ull << draw(seed, 60)));
        break;
    case 2:
        sprintf(text, "%.*E", digits, (double)bits / (double)(1ull << draw(seed, 60)));
        break;
    default:
        sprintf(text, "%llu.%0*u", (unsigned long long)bits, digits, draw(seed, 1u << 20));
    }
    strcat(text, ends[draw(seed, sizeof ends / sizeof ends[0])]);
}

static void windows_read_what_strtod_reads(void **state)
{
    (void)state;
    uint64_t seed = 3;
    size_t taken = 0;
    for (int i = 0; i < 1000000; i++) {
        char text[200];
        double fast = 7, slow = 7;
        make_number(&seed, text);
        size_t n = strlen(text);
        memset(text + n, "0,}.e"[draw(&seed, 5)], sizeof text - n);
        size_t end = decimal_read_window(text, &fast);
        if (end == 0)
            continue;
        taken++;
        text[sizeof text - 1] = '\0';
        char *behind;
        slow = strtod(text, &behind);
        assert_memory_equal(&fast, &slow, sizeof fast);
        assert_int_equal(end, behind - text);
    }
    assert_true(taken > 500000 ||
                decimal_read_window("1                                       ", &(double){0}) == 0);
}

/* Between two doubles, right in the middle and one digit beside it. */
static void halves_are_rounded_to_even(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int i = 0; i < 200000; i++) {
        char text[80];
        double value, expected;
        uint64_t odd = ((uint64_t)1 << 53 | ((uint64_t)draw(&seed, 1u << 31) << 21)) + 1;
        int power = 1 + (int)draw(&seed, 2);
        sprintf(text, "%llu.%s", (unsigned long long)(odd >> power),
                power == 1 ? (odd & 1 ? "5" : "0") : (odd & 1 ? "25" : "75"));
        if (draw(&seed, 2))
            strcat(text, draw(&seed, 2) ? "01" : "00");
        expected = strtod(text, NULL);
        size_t n = strlen(text);
        memset(text + n, ',', sizeof text - n);
        assert_int_equal(decimal_read(text, sizeof text, &value), n);
        assert_memory_equal(&value, &expected, sizeof value);
        assert_int_equal(decimal_read(text, n, &value), n);
        assert_memory_equal(&value, &expected, sizeof value);
    }
}

static void runs_are_counted_and_checked(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 200000; i++) {
        char text[DECIMAL_WINDOW];
        for (size_t k = 0; k < sizeof text; k++)
            text[k] = "0123456789:.-+eE,};| \n\"/"[draw(&seed, 400) % (i % 3 ? 16 : 24)];
        text[draw(&seed, sizeof text)] = ',';
        size_t run = decimal_run(text, sizeof text);
        run = run < 32 ? run : 32;
        assert_int_equal(decimal_run_window(text), run);
        for (size_t n = 0; n < 40; n++)
            assert_true(decimal_runs_window(text, n) == (n == run && n < 32));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_found_as_memmem_finds_them),
        cmocka_unit_test(marks_are_those_of_memchr),
        cmocka_unit_test(windows_read_what_strtod_reads),
        cmocka_unit_test(halves_are_rounded_to_even),
        cmocka_unit_test(runs_are_counted_and_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
