/* The date that a line bears, in the forms of loggers. */
#include "tests/unit/unit.h"

#include "verifier/logs/log_dates.h"

#define RUN 1795786176.0   /* 2026-11-27T13:29:36Z */
#define MARCH 1709287200.0 /* 2024-03-01T10:00:00Z */

static void dates_are_those_of_loggers(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        double at; /* 0: it bears none */
    } lines[] = {
        {"2024-03-01T10:00:00Z INFO training", MARCH},
        {"[2024-03-01 10:00:00,123] [INFO] x", MARCH},
        {"2024/03/01 10:00:00 INFO x", MARCH},
        {"03/01/2024 10:00:00 - INFO - __main__ - x", MARCH},
        {"24/03/01 10:00:00 INFO x", MARCH},
        {"01.03.2024 10:00:00 x", MARCH},
        {"20240301 10:00:00 x", MARCH},
        {"Fri Mar  1 10:00:00 2024 x", MARCH},
        {"01 Mar 2024 10:00:00 x", MARCH},
        {"I1127 13:29:36.123456 1234 trainer.cc:1] x", RUN},
        {"Nov 27 13:29:36 host x", RUN},
        {"[rank0]: 2024-03-01 10:00:00 x", MARCH},
        {"3: [2024-03-01 10:00:00] x", MARCH},
        {"[before the start of training step] datetime: 2024-03-01 10:00:00 ", MARCH},
        {"{\"level\": \"info\", \"timestamp\": \"2024-03-01T10:00:00Z\"}", MARCH},
        {"{\"level\": \"info\", \"ts\": 1709287200.123}", MARCH},
        {"timestamp=1709287200000 step", MARCH},
        {"wandb: saved in wandb/run-20240301_100000-abc", MARCH},
        {"the model of 2024-03-01 10:00:00 is read", 0},
        {"saved in run-20240301_100000-abc", 0},
        {"build_time: 2024-03-01 10:00:00", 0},
        {"elapsed time: 1234.5", 0},
        {"time: 170928720", 0},
        {"2024-13-01 10:00:00 x", 0},
        {"2024-03-01 10:00:000", 0},
        {"Iteration 12 of 1709287200", 0},
        {"", 0},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        double dates[LOG_DATES_MAX] = {0};
        size_t n = log_dates(span_of(lines[i].line), RUN, dates), same = 0;
        for (size_t k = 0; k < n; k++)
            same += dates[k] == lines[i].at;
        if (lines[i].at > 0 ? !same : n)
            fail_msg("'%s' gave %zu dates, the first %.3f", lines[i].line, n, dates[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dates_are_those_of_loggers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
