/* What launchers and loggers put in front of a line. */
#include "tests/unit/unit.h"

#include "verifier/logs/log.h"
#include "verifier/logs/log_prefix.h"

/* Seventy-nine bytes: a word may have one more. */
#define LONG79 "abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghi"

static void prefixes_are_dropped_one_by_one(void **state)
{
    (void)state;
    static const struct {
        const char *line, *rest;
        short rank;
    } lines[] = {
        {"[default15]:x", "x", 15},
        {"[default4095]:x", "x", 4095},
        {"[default4096]:x", "x", LOG_RANK_NONE},
        {"[default1e9]:x", "x", LOG_RANK_NONE},
        {"[defaultnan]:x", "x", LOG_RANK_NONE},
        {"[rank9999]: x", "x", LOG_RANK_NONE},
        {"[rank7]: x", "x", 7},
        {"[1,12]<stdout>:x", "x", 12},
        {"3: x", "x", 3},
        {"node12: x", "x", LOG_RANK_NONE},
        {"(Train pid=77) x", "x", LOG_RANK_NONE},
        {"2023-05-01 12:00:00,123 - root - INFO - x", "x", LOG_RANK_NONE},
        {"2024-01-01 00:00:00.000 | INFO     | __main__:train:120 - x", "x", LOG_RANK_NONE},
        {"[INFO|trainer.py:1234] 2023-05-01 12:00:00,123 >> x", ">> x", LOG_RANK_NONE},
        {"INFO:root:x", "root:x", LOG_RANK_NONE},
        {"[rank]: x", "x", LOG_RANK_NONE},
        {"[rank00001]: x", "x", LOG_RANK_NONE},
        {"[3]<stdout>:x", "x", LOG_RANK_NONE},
        {"[1,x]<stderr>: x", "x", LOG_RANK_NONE},
        {"[1,2]<stdin>: x", "<stdin>: x", 2},
        {"WARN|x", "|x", LOG_RANK_NONE},
        {"| x", "x", LOG_RANK_NONE},
        {"__main__:<module>:120 - x", "x", LOG_RANK_NONE},
        {LONG79 "1: x", "x", LOG_RANK_NONE},
        {LONG79 "11: x", LONG79 "11: x", LOG_RANK_NONE},
        {LONG79 ": - x", "x", LOG_RANK_NONE},
        {LONG79 ":: - x", LONG79 ":: - x", LOG_RANK_NONE},
        {"plain words", "plain words", LOG_RANK_NONE},
        {"[never closed", "[never closed", LOG_RANK_NONE},
        {"", "", LOG_RANK_NONE},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct span s = span_of(lines[i].line);
        short rank = LOG_RANK_NONE;
        while (log_prefix_drop(&s, &rank))
            ;
        if (!span_is(s, lines[i].rest) || rank != lines[i].rank)
            fail_msg("'%s' gave '%.*s' and rank %d", lines[i].line, (int)s.n, s.p, rank);
    }
    struct span zero = {"12:00:00\0 x", 11}; /* a NUL belongs to no time */
    short rank = LOG_RANK_NONE;
    assert_true(log_prefix_drop(&zero, &rank));
    assert_memory_equal(zero.p, "\0 x", 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(prefixes_are_dropped_one_by_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
