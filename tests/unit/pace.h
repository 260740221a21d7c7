/*
 * pace: limits on processor time that hold on any machine. A test compares its own time with that
 * of a fixed loop measured beside it: `took < 20 * pace_seconds()`.
 */
#pragma once

#include <stdint.h>
#include <time.h>

/* Processor time since `begin`, in seconds. */
static inline double pace_since(clock_t begin)
{
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

/* Processor time of 64 million dependent multiplications: 0.08 s at 3 GHz. */
static inline double pace_seconds(void)
{
    clock_t begin = clock();
    volatile uint64_t kept;
    uint64_t x = 1;
    for (int i = 0; i < 64000000; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    kept = x;
    (void)kept;
    return pace_since(begin);
}
