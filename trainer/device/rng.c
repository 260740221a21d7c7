#include "trainer/device/rng.h"

#include <string.h>

/* Steele, Lea and Flood 2014: a counter by the golden ratio, then two multiply-xorshift rounds. */
static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

void rng_init(struct rng *r, uint64_t seed, enum rng_stream stream, uint64_t index)
{
    uint64_t state = seed;
    state = splitmix(&state) ^ (uint64_t)stream;
    state = splitmix(&state) ^ index;
    for (int i = 0; i < 4; i++)
        r->state[i] = splitmix(&state);
}

static uint64_t turn_left(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

uint64_t rng_next(struct rng *r)
{
    uint64_t *s = r->state, result = turn_left(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = turn_left(s[3], 45);
    return result;
}

/* ---- leaps ---------------------------------------------------------------------------------- */

static void map_apply(uint64_t state[4], const struct rng_leap *map)
{
    uint64_t sum[4] = {0};
    for (int word = 0; word < 4; word++)
        for (uint64_t left = state[word]; left; left &= left - 1) {
            const uint64_t *column = map->column[word * 64 + __builtin_ctzll(left)];
            for (int i = 0; i < 4; i++)
                sum[i] ^= column[i];
        }
    memcpy(state, sum, sizeof sum);
}

/* map = map after other */
static void map_follow(struct rng_leap *map, const struct rng_leap *other)
{
    for (int bit = 0; bit < 256; bit++)
        map_apply(map->column[bit], other);
}

void rng_leap_init(struct rng_leap *l, uint64_t n)
{
    struct rng_leap power, square; /* one draw to the power of 1, 2, 4 … */
    for (int bit = 0; bit < 256; bit++) {
        struct rng r = {{0}};
        r.state[bit / 64] = (uint64_t)1 << bit % 64;
        rng_next(&r);
        memcpy(power.column[bit], r.state, sizeof r.state);
    }
    memset(l, 0, sizeof *l);
    for (int bit = 0; bit < 256; bit++)
        l->column[bit][bit / 64] = (uint64_t)1 << bit % 64;
    for (; n; n >>= 1) {
        if (n & 1)
            map_follow(l, &power);
        square = power;
        map_follow(&power, &square);
    }
}

void rng_leap(struct rng *r, const struct rng_leap *l)
{
    map_apply(r->state, l);
}

/* ---- what is made of draws ------------------------------------------------------------------ */

uint64_t rng_below(struct rng *r, uint64_t n)
{
    uint64_t uneven = -n % n; /* 2^64 mod n: that many values at the bottom are one too many */
    uint64_t x;
    do
        x = rng_next(r);
    while (x < uneven);
    return x % n;
}

float rng_bell(struct rng *r)
{
    int64_t sum = 0; /* of twelve uniforms in units of 2^-32, each from half a draw */
    for (int i = 0; i < 6; i++) {
        uint64_t x = rng_next(r);
        sum += (int64_t)(x >> 32) + (int64_t)(x & 0xffffffffu);
    }
    return (float)((double)(sum - ((int64_t)6 << 32)) / 4294967296.0);
}
