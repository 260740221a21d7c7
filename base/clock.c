#include "base/clock.h"

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
