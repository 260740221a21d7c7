/* decimal: numbers of logs, to the last bit. */
#include "tests/unit/unit.h"

#include "base/lines/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const given[] = {"0",
                                    "-0",
                                    "1",
                                    "-1.5",
                                    ".5",
                                    "5.",
                                    "1e5",
                                    "1E-5",
                                    "1e",
                                    "1e+",
                                    "9007199254740993",
                                    "9007199254740992.5",
                                    "18446744073709551615",
                                    "18446744073709551616",
                                    "0.1234567890123456789",
                                    "9007199254740991.5",
                                    "4503599627370497.5",
                                    "4503599627370496.5",
                                    "1e22",
                                    "1e23",
                                    "1e-22",
                                    "1e-23",
                                    "1e308",
                                    "2.2250738585072014e-308",
                                    "4.9e-324",
                                    "1e-400",
                                    "0.00029999971389770508",
                                    "0.000000000000000000000000000",
                                    "0.0000000000000000000000000",
                                    "0e-25",
                                    "2.9999971389770508e-05",
                                    "9999999999999999999e-27",
                                    "18446744073709551615e-27",
                                    "1.234567890123456789e+18",
                                    "0.9999999999999999999",
                                    "0.10009999999999999999",
                                    "1e-27",
                                    "1e-28",
                                    "0.30000000000000004",
                                    "00000000000000000000000000012.5",
                                    "0.00000000000000000000000012",
                                    "1e-99999999999",
                                    "123456789012345678901234567890",
                                    "8.5899345920000001e9",
                                    "1669034171032",
                                    "- 1",
                                    "e5",
                                    "."};

/* decimal_read against strtod: what it reads, and to the last bit. */
static void expect_as_strtod(const char *text, size_t more)
{
    char padded[200];
    double value = 7, expected;
    char *end;
    memset(padded, ',', sizeof padded);
    memcpy(padded, text, strlen(text));
    size_t n = decimal_read(padded, strlen(text) + more, &value);
    expected = strtod(text, &end);
    if (strcmp(text, "5.") == 0)
        end--;
    if (n == 0) {
        assert_true(value == 7 && (end == text || !isfinite(expected)));
        return;
    }
    assert_int_equal(n, end - text);
    assert_memory_equal(&value, &expected, sizeof value);
}

/* The same where nothing stands behind the number, and where a window can be read. */
static void expect_both(const char *text)
{
    expect_as_strtod(text, 0);
    expect_as_strtod(text, DECIMAL_WINDOW);
}

static unsigned long long next_bits(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return *seed ^ *seed >> 29;
}

static void decimals_are_those_of_strtod(void **state)
{
    (void)state;
    unsigned long long seed = 42;
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        expect_both(given[i]);
    for (int i = 0; i < 400000; i++) {
        char text[64];
        double any;
        unsigned long long bits = next_bits(&seed);
        memcpy(&any, &bits, sizeof any);
        if (i % 4 == 0)
            sprintf(text, "%.17g", any);
        else
            sprintf(text, "%.*f", (int)(seed % 21),
                    (double)(seed >> 11) / (double)(1ull << (seed % 61)));
        expect_both(text);
    }
    double value;
    assert_int_equal(decimal_read("1e999", 5, &value), 0);
    assert_int_equal(decimal_read("123", 2, &value), 2);
    assert_true(value == 12);
}

/* As Python prints them: 17 digits, zeros in front or an exponent of two digits. */
static void decimals_of_python_are_those_of_strtod(void **state)
{
    (void)state;
    unsigned long long seed = 7;
    for (int i = 0; i < 400000; i++) {
        char text[64];
        double x = (double)(next_bits(&seed) >> 11) * ldexp(1, -(int)(next_bits(&seed) % 120));
        int digits = (int)(next_bits(&seed) % 5) + 14;
        if (i % 2)
            sprintf(text, "%.*e", digits, x);
        else
            sprintf(text, "%.*f", digits + (int)(next_bits(&seed) % 11), x);
        expect_both(text);
    }
}

/* The decimals of 19 or 20 digits about the middle between two doubles, with every power of ten
 * that has a fast way. */
static void middles_between_doubles_are_those_of_strtod(void **state)
{
    (void)state;
    unsigned long long seed = 3;
    for (int i = 0; i < 200000; i++) {
        int power = i % 29;
        unsigned long long middle = (next_bits(&seed) >> 10 | 1ull << 53) | 1;
        long double scaled = (long double)middle;
        for (int k = 0; k < power; k++)
            scaled *= 10;
        unsigned long long digits = (unsigned long long)ldexpl(frexpl(scaled, &(int){0}), 64);
        for (unsigned long long k = digits - 1; k != digits + 2; k++) {
            char text[64];
            sprintf(text, "%llue-%02d", k, power);
            expect_both(text);
            sprintf(text, "%llu.%0*llue-%02d", k / 10000, 4, k % 10000, power > 4 ? power - 4 : 0);
            expect_both(text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals_are_those_of_strtod),
        cmocka_unit_test(decimals_of_python_are_those_of_strtod),
        cmocka_unit_test(middles_between_doubles_are_those_of_strtod),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
