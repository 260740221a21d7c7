#include "base/calendar.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct timespec now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t;
}

double clock_seconds(void)
{
    struct timespec t = now();
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

long long clock_ms(void)
{
    struct timespec t = now();
    return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

int clock_source_date(long long *seconds, struct err *err)
{
    const char *text = getenv("SOURCE_DATE_EPOCH");
    *seconds = -1;
    if (!text || !*text)
        return 0;
    long long found = strspn(text, "0123456789") == strlen(text) ? strtoll(text, NULL, 10) : -1;
    if (found < 0 || found >= CLOCK_END)
        return err_set(err, ERR_USAGE, "SOURCE_DATE_EPOCH: found '%s', expected seconds since 1970",
                       text);
    *seconds = found;
    return 0;
}

/* Does `text` begin with this form ('d': a digit)? The numbers of its groups of digits go to
 * `numbers`. */
static bool read_form(const char *text, const char *form, int *numbers)
{
    int *n = numbers;
    *n = 0;
    for (size_t i = 0; form[i]; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9';
        if (form[i] == 'd' ? !digit : text[i] != form[i])
            return false;
        if (digit)
            *n = *n * 10 + (text[i] - '0');
        else
            *++n = 0;
    }
    return true;
}

static bool leaps(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static bool has_day(int year, int month, int day)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return year >= 1 && month >= 1 && month <= 12 && day >= 1 &&
           day <= days[month - 1] + (month == 2 && leaps(year));
}

/* Of the years before this one, since 0001-01-01. */
static long long days_before_year(int year)
{
    long long y = year - 1;
    return y * 365 + y / 4 - y / 100 + y / 400;
}

static long long days_since_1970(int year, int month, int day)
{
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    return days_before_year(year) - days_before_year(1970) + before[month - 1] +
           (month > 2 && leaps(year)) + day - 1;
}

bool calendar_is_date(const char *text)
{
    int n[3];
    return text && read_form(text, "dddd-dd-dd", n) && !text[10] && has_day(n[0], n[1], n[2]);
}

bool calendar_time(const char *text, long long *seconds)
{
    int n[7]; /* the last: behind the Z */
    if (!text || !read_form(text, "dddd-dd-ddTdd:dd:ddZ", n) || text[20] ||
        !has_day(n[0], n[1], n[2]) || n[3] > 23 || n[4] > 59 || n[5] > 59)
        return false;
    if (seconds)
        *seconds = days_since_1970(n[0], n[1], n[2]) * 86400 + n[3] * 3600 + n[4] * 60 + n[5];
    return true;
}
