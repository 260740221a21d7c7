#include "trainer/rng.h"

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
