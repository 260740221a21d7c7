#include "base/clock.h"

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
