#include "trainer/data/order.h"

#include "trainer/device/rng.h"

void order_shuffle(uint64_t *order, size_t n, uint64_t seed, uint64_t epoch)
{
    struct rng rng;
    rng_init(&rng, seed, RNG_ORDER, epoch);
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t k = n - 1; k > 0; k--) {
        size_t other = rng_below(&rng, k + 1);
        uint64_t kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
}
