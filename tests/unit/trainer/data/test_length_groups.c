/* length_groups: orders of tests/data/length_groups.py, which has LLaVA's own functions. */
#include "tests/unit/unit.h"

#include "base/signing/hash.h"
#include "trainer/data/conversations.h"
#include "trainer/data/length_groups.h"
#include "trainer/data/picture_corpus.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum kind { MIXED, PICTURES, TEXTS };

static const struct {
    enum kind kind;
    size_t n;
    int ranks, micro_batch;
    uint64_t seed;
    const char *sha256;
} cases[] = {
    {MIXED, 1, 1, 1, UINT64_C(7),
     "af5570f5a1810b7af78caf4bc70a660f0df51e42baf91d4de5b2328de0e83dfc"},
    {MIXED, 97, 1, 4, UINT64_C(1),
     "1292b1a2c2a059ad1b5182f91ad0e5f09b89cdb52289a19425215cf2ca5ccdda"},
    {MIXED, 500, 4, 8, UINT64_C(42),
     "d8b056e1ed20190c4b36257afe333946887fed581b6720eec5184e59f3b44649"},
    {MIXED, 512, 3, 5, UINT64_C(1099511627785),
     "402d907bedb3dc920375f963483467b5b7269a4a6b9685ffbfc5bb0432c89aae"},
    {MIXED, 30, 8, 16, UINT64_C(3),
     "394a42f05d4ef71e6c3270cc4fb38075f42683eb24255ab033cbf89ecccf5143"},
    {PICTURES, 333, 4, 4, UINT64_C(5),
     "20e14711e08b1a21a27c7f9d7f02efe250273ed9d1f0f7e0b8a8a97698345665"},
    {TEXTS, 333, 4, 4, UINT64_C(5),
     "72ae63eda3625e3fbc2ba41f790315a88f478fee015d2fe0891281633d623d7c"},
    {TEXTS, 64, 4, 4, UINT64_C(6),
     "4b316aa7323eafa14ac42fffe755fc1c6fb112f159b51ed3e6f01f62af54546d"},
    {MIXED, 5000, 16, 16, UINT64_C(8),
     "8e579b804e0421602c3f456933914566a8a541f3fbe68319622d0e312cd5f623"},
};

static void make_lengths(enum kind kind, int32_t *lengths, size_t n)
{
    uint32_t x = 12345;
    for (size_t i = 0; i < n; i++) {
        x = (x * 1103515245u + 12345u) % (1u << 31);
        int32_t length = 1 + (int32_t)((x >> 16) % 60);
        lengths[i] = kind == TEXTS || (kind == MIXED && (x >> 8) % 3 == 0) ? -length : length;
    }
}

static void orders_are_those_of_llava(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = cases[i].n;
        int32_t *lengths = malloc(n * sizeof *lengths);
        uint64_t *order = malloc(n * sizeof *order);
        char hex[HASH_HEX_SIZE];
        make_lengths(cases[i].kind, lengths, n);
        /* the seed is that of the epoch */
        length_groups_order(order, lengths, n, cases[i].ranks, cases[i].micro_batch,
                            cases[i].seed - i, i);
        hash_sha256(order, n * sizeof *order, hex);
        if (strcmp(hex, cases[i].sha256) != 0)
            fail_msg("case %zu: order %s, expected %s", i, hex, cases[i].sha256);
        free(order);
        free(lengths);
    }
}

/* torch.manual_seed(0); torch.randperm(10) */
static void permutations_are_those_of_torch(void **state)
{
    (void)state;
    static const uint64_t expected[] = {4, 1, 7, 5, 3, 9, 0, 8, 6, 2};
    struct torch_random random;
    uint64_t order[10];
    torch_random_seed(&random, 0);
    torch_random_permutation(&random, order, 10);
    assert_memory_equal(order, expected, sizeof expected);
}

/* The 10,000th of the seed that C++ begins with, as its standard says ([rand.predef]). */
static void draws_are_those_of_the_standard(void **state)
{
    (void)state;
    struct torch_random random;
    torch_random_seed(&random, 5489);
    for (int i = 1; i < 10000; i++)
        torch_random_next(&random);
    assert_true(torch_random_next(&random) == 4123659995u);
}

/* What ranks train at once is alike: of a mega-batch no two ranks' sums differ by more than the
 * longest, and no sample is there twice. */
static void ranks_get_like_sums(void **state)
{
    (void)state;
    enum { N = 2400, RANKS = 4, MICRO = 6 };
    int32_t lengths[N];
    uint64_t order[N];
    bool seen[N] = {false};
    make_lengths(PICTURES, lengths, N);
    length_groups_order(order, lengths, N, RANKS, MICRO, 11, 0);
    for (size_t at = 0; at < N; at += RANKS * MICRO) {
        int32_t least = INT32_MAX, most = 0;
        for (size_t r = 0; r < RANKS; r++) {
            int32_t sum = 0;
            for (size_t i = 0; i < MICRO; i++)
                sum += lengths[order[at + r * MICRO + i]];
            least = sum < least ? sum : least;
            most = sum > most ? sum : most;
        }
        assert_true(most - least <= 60);
    }
    for (size_t i = 0; i < N; i++) {
        assert_true(order[i] < N && !seen[order[i]]);
        seen[order[i]] = true;
    }
}

/* Mega-batches are of one kind, but for the samples that are left of both; each epoch has an order
 * of its own. */
static void conversations_are_grouped(void **state)
{
    (void)state;
    enum { RANKS = 2, MICRO = 4, MEGA = RANKS * MICRO };
    const struct conversations_wish wish = {.vocabulary = PICTURE_CORPUS_VOCABULARY,
                                            .side = 28,
                                            .picture_rows = 4,
                                            .length = 80,
                                            .round = 1,
                                            .questions = true,
                                            .grouped = true,
                                            .ranks = RANKS,
                                            .micro_batch = MICRO,
                                            .seed = 1};
    struct conversations *c;
    struct err err = ERR_INIT;
    size_t mixed = 0, same = 0, first[PICTURE_CORPUS_SAMPLES];
    if (conversations_open(&c, &wish, &err) < 0)
        fail_msg("%s", err.text);
    for (size_t at = 0; at + MEGA <= c->samples; at += MEGA) {
        size_t pictures = 0;
        for (size_t i = 0; i < MEGA; i++)
            pictures += c->groups[conversations_sample(c, at + i)] > 0;
        mixed += pictures > 0 && pictures < MEGA;
    }
    assert_in_range(mixed, 0, 2);
    for (size_t i = 0; i < c->samples; i++)
        first[i] = conversations_sample(c, i);
    for (size_t i = 0; i < c->samples; i++)
        same += first[i] == conversations_sample(c, c->samples + i);
    assert_true(same < c->samples / 2);
    conversations_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_those_of_llava),
        cmocka_unit_test(permutations_are_those_of_torch),
        cmocka_unit_test(draws_are_those_of_the_standard),
        cmocka_unit_test(ranks_get_like_sums),
        cmocka_unit_test(conversations_are_grouped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
