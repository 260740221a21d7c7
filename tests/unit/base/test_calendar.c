/* calendar: every day of 400 years and more against the C library's, and what is no day. */
#include "tests/unit/unit.h"

#include "base/calendar.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static void every_day_is_the_librarys(void **state)
{
    (void)state;
    long days = 0;
    char date[32], moment[48];
    for (int year = 1; year <= 9999; year += year > 1895 && year < 2405 ? 1 : 101)
        for (int month = 0; month <= 13; month++)
            for (int day = 0; day <= 32; day++) {
                struct tm t = {.tm_year = year - 1900,
                               .tm_mon = month - 1,
                               .tm_mday = day,
                               .tm_hour = 23,
                               .tm_min = 59,
                               .tm_sec = 58};
                struct tm back = t;
                long long at = 0, theirs = (long long)timegm(&back);
                bool is = back.tm_mon == month - 1 && back.tm_mday == day;
                snprintf(date, sizeof date, "%04d-%02d-%02d", year, month, day);
                snprintf(moment, sizeof moment, "%sT23:59:58Z", date);
                if (calendar_is_date(date) != is || calendar_time(moment, &at) != is ||
                    (is && at != theirs))
                    fail_msg("%s: %lld, expected %d, %lld", moment, at, is, theirs);
                days += is;
            }
    assert_true(days > 180000);
}

static void other_texts_are_none(void **state)
{
    (void)state;
    static const char *const dates[] = {
        "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31", "2026-11-30",
    };
    static const char *const no_dates[] = {
        "",           "2026",       "2026-1-1",          "2026-02-29",  "2026-02-31",
        "1900-02-29", "2026-04-31", "0000-01-01",        "9999-99-99",  "2026-00-10",
        "2026-13-01", "2026-11-00", "2026-11-20 ",       " 2026-11-20", "2026-11-20T00:00:00Z",
        "2026/11/20", "+026-11-20", "2026-11-2\xC3\xA9", "12026-11-20",
    };
    static const char *const no_times[] = {
        "2026-11-20",
        "2026-11-20T24:00:00Z",
        "2026-11-20T23:60:00Z",
        "2016-12-31T23:59:60Z",
        "9999-99-99T99:99:99Z",
        "2026-11-20T22:42:21",
        "2026-11-20T22:42:21z",
        "2026-11-20T22:42:21+00:00",
        "2026-11-20T22:42:21.5Z",
        "2026-11-20t22:42:21Z",
        "2026-02-30T00:00:00Z",
        "2026-11-20T7:42:21Z",
        "",
        "2026-11-20T22:42:21Z ",
    };
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++)
        if (!calendar_is_date(dates[i]))
            fail_msg("%s is a date", dates[i]);
    for (size_t i = 0; i < sizeof no_dates / sizeof *no_dates; i++)
        if (calendar_is_date(no_dates[i]))
            fail_msg("'%s' is no date", no_dates[i]);
    long long at = 7;
    for (size_t i = 0; i < sizeof no_times / sizeof *no_times; i++)
        if (calendar_time(no_times[i], &at))
            fail_msg("'%s' is no time", no_times[i]);
    assert_int_equal(at, 7);
    assert_false(calendar_is_date(NULL) || calendar_time(NULL, &at));
    assert_true(calendar_time("1969-12-31T23:59:59Z", &at));
    assert_int_equal(at, -1);
    assert_true(calendar_time("2026-11-20T22:42:21Z", NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_day_is_the_librarys),
        cmocka_unit_test(other_texts_are_none),
    };
    return cmocka_run_group_tests_name("calendar", tests, NULL, NULL);
}
