/* decimal: numbers of logs, to the last bit. */
#include "tests/unit/unit.h"

#include "base/lines/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* decimal_read against strtod: what it reads, and to the last bit. */
static void decimals_are_those_of_strtod(void **state)
{
    (void)state;
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
    unsigned long long seed = 42;
    for (int i = 0; i < 400000; i++) {
        char text[64];
        double bits, value = 7, expected;
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        memcpy(&bits, &seed, sizeof bits);
        if (i < (int)(sizeof given / sizeof given[0]))
            strcpy(text, given[i]);
        else if (i % 4 == 0)
            sprintf(text, "%.17g", bits);
        else
            sprintf(text, "%.*f", (int)(seed % 21),
                    (double)(seed >> 11) / (double)(1ull << (seed % 61)));
        size_t n = decimal_read(text, strlen(text), &value);
        char *end;
        expected = strtod(text, &end);
        if (strcmp(text, "5.") == 0)
            end--;
        if (n == 0) {
            assert_true(value == 7 && (end == text || !isfinite(expected)));
            continue;
        }
        assert_int_equal(n, end - text);
        assert_memory_equal(&value, &expected, sizeof value);
    }
    double value;
    assert_int_equal(decimal_read("1e999", 5, &value), 0);
    assert_int_equal(decimal_read("123", 2, &value), 2);
    assert_true(value == 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals_are_those_of_strtod),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
