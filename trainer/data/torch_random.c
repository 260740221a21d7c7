#include "trainer/data/torch_random.h"

#define BEHIND 397
#define UPPER 0x80000000u
#define TWIST 0x9908b0dfu

void torch_random_seed(struct torch_random *r, uint64_t seed)
{
    r->words[0] = (uint32_t)seed;
    for (uint32_t i = 1; i < TORCH_RANDOM_WORDS; i++)
        r->words[i] = 1812433253u * (r->words[i - 1] ^ r->words[i - 1] >> 30) + i;
    r->at = TORCH_RANDOM_WORDS;
}

uint32_t torch_random_next(struct torch_random *r)
{
    if (r->at == TORCH_RANDOM_WORDS) {
        uint32_t *w = r->words;
        for (int i = 0; i < TORCH_RANDOM_WORDS; i++) {
            uint32_t next = w[(i + 1) % TORCH_RANDOM_WORDS];
            uint32_t joined = (w[i] & UPPER) | (next & ~UPPER);
            w[i] = w[(i + BEHIND) % TORCH_RANDOM_WORDS] ^ joined >> 1 ^ (next & 1 ? TWIST : 0);
        }
        r->at = 0;
    }
    uint32_t word = r->words[r->at++];
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c5680u;
    word ^= word << 15 & 0xefc60000u;
    return word ^ word >> 18;
}

void torch_random_permutation(struct torch_random *r, uint64_t *order, size_t n)
{
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t i = 0; i + 1 < n; i++) {
        size_t other = i + torch_random_next(r) % (n - i);
        uint64_t kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
}
