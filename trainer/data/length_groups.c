#include "trainer/data/length_groups.h"

#include "base/arena.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

struct grouping {
    const int32_t *lengths;
    size_t ranks, mega; /* samples of a mega-batch */
    bool by_magnitude;  /* of lengths; where all are of one kind they are taken as they are */
    struct torch_random random;
};

/* A sample of a mega-batch. */
struct member {
    int64_t length;
    size_t place; /* as shuffled */
    uint64_t sample;
};

/* The longest first, equals as they were. */
static int by_length(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->length != y->length)
        return x->length > y->length ? -1 : 1;
    return x->place < y->place ? -1 : 1;
}

/* ---- to ranks ------------------------------------------------------------------------------- */

struct hand {
    int64_t sum;
    size_t n;
};

static size_t least_hand(const struct hand *hands, size_t ranks, size_t full)
{
    size_t least = ranks;
    for (size_t r = 0; r < ranks; r++)
        if (hands[r].n < full && (least == ranks || hands[r].sum < hands[least].sum))
            least = r;
    return least;
}

static void deal(const struct grouping *g, const struct member *m, size_t n, uint64_t *out)
{
    if (n % g->ranks == 0) {
        struct hand *hands = memory_alloc(g->ranks * sizeof *hands);
        size_t each = n / g->ranks;
        for (size_t i = 0; i < n; i++) {
            size_t r = least_hand(hands, g->ranks, each);
            out[r * each + hands[r].n++] = m[i].sample;
            hands[r].sum += m[i].length;
        }
        free(hands);
        return;
    }
    for (size_t r = 0; r < g->ranks; r++)
        for (size_t i = r; i < n; i += g->ranks)
            *out++ = m[i].sample;
}

/* ---- one kind of samples -------------------------------------------------------------------- */

/* samples[n] in the order of their mega-batches. */
static void group_samples(struct grouping *g, uint64_t *samples, size_t n)
{
    uint64_t *order = memory_alloc((n + 1) * sizeof *order);
    struct member *members = memory_alloc((n + 1) * sizeof *members);
    torch_random_permutation(&g->random, order, n);
    for (size_t i = 0; i < n; i++) {
        int64_t length = g->lengths[samples[order[i]]];
        members[i] =
            (struct member){g->by_magnitude ? llabs(length) : length, i, samples[order[i]]};
    }
    for (size_t from = 0; from < n; from += g->mega) {
        size_t some = n - from < g->mega ? n - from : g->mega;
        qsort(members + from, some, sizeof *members, by_length);
        deal(g, members + from, some, samples + from);
    }
    free(members);
    free(order);
}

/* ---- both ----------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Mega-batches without the last one. */
static size_t whole_batches(const struct grouping *g, size_t n)
{
    return (n - 1) / g->mega;
}

/* Shuffled mega-batches of both kinds, then what is left of each. */
static void join_kinds(struct grouping *g, const uint64_t *with, size_t n_with,
                       const uint64_t *without, size_t n_without, uint64_t *order)
{
    size_t whole_with = whole_batches(g, n_with), whole_without = whole_batches(g, n_without);
    size_t whole = whole_with + whole_without;
    uint64_t *batches = memory_alloc((whole + 1) * sizeof *batches), *out = order;
    torch_random_permutation(&g->random, batches, whole);
    for (size_t i = 0; i < whole; i++, out += g->mega)
        memcpy(out,
               batches[i] < whole_with ? with + batches[i] * g->mega
                                       : without + (batches[i] - whole_with) * g->mega,
               g->mega * sizeof *out);
    size_t last_with = n_with - whole_with * g->mega;
    size_t last_without = n_without - whole_without * g->mega;
    memcpy(out, with + whole_with * g->mega, last_with * sizeof *out);
    memcpy(out + last_with, without + whole_without * g->mega, last_without * sizeof *out);
    qsort(out, last_with + last_without, sizeof *out, by_number);
    free(batches);
}

void length_groups_order(uint64_t *order, const int32_t *lengths, size_t n, int ranks,
                         int micro_batch, uint64_t seed, uint64_t epoch)
{
    struct grouping g = {
        .lengths = lengths, .ranks = (size_t)ranks, .mega = (size_t)ranks * (size_t)micro_batch};
    uint64_t *with = memory_alloc((2 * n + 1) * sizeof *with), *without = with + n;
    size_t n_with = 0, n_without = 0;
    torch_random_seed(&g.random, seed + epoch);
    for (size_t i = 0; i < n; i++)
        if (lengths[i] > 0)
            with[n_with++] = i;
        else
            without[n_without++] = i;
    g.by_magnitude = n_with && n_without;
    group_samples(&g, with, n_with);
    group_samples(&g, without, n_without);
    if (g.by_magnitude)
        join_kinds(&g, with, n_with, without, n_without, order);
    else
        memcpy(order, n_with ? with : without, n * sizeof *order);
    free(with);
}
