/* rivals: what the table finds is what looking at every file of every result finds. */
#include "tests/unit/unit.h"

#include "base/pack.h"
#include "base/signing/hash.h"
#include "verifier/proofs/rivals.h"

#include <string.h>

#define RESULTS 12
#define FILES 9  /* of a result */
#define KINDS 15 /* contents that there are */

struct ground {
    struct arena arena;
    struct result results[RESULTS];
    struct evidence evidence[RESULTS];
    int files[RESULTS][FILES];
    char sums[KINDS][HASH_HEX_SIZE];
    struct rivals all;
};

/* Three cases of four vendors, with files that many of them, some or none have. */
static void plant(struct ground *g, unsigned seed)
{
    static const char *const cases[] = {"a", "b", "c"}, *const vendors[] = {"k", "l", "m", "n"};
    *g = (struct ground){.arena = ARENA_INIT};
    for (int i = 0; i < KINDS; i++)
        hash_sha256(&i, sizeof i, g->sums[i]);
    for (size_t i = 0; i < RESULTS; i++) {
        g->results[i] = (struct result){.case_id = cases[i % 3], .vendor = vendors[i / 3]};
        for (size_t k = 0; k < FILES; k++) {
            seed = seed * 1103515245u + 12345u;
            g->files[i][k] = (int)((seed >> 16) % (k < 5 ? KINDS : 3));
        }
    }
}

/* In an order that is not that of the places, as workers come to their end; the first are sorted
 * by themselves, as those are that were found before. */
static void add_all(struct ground *g, size_t first, bool shared)
{
    size_t sorted = 0;
    for (size_t j = 0; j < RESULTS; j++) {
        if (j == first) {
            rivals_sort(&g->all, 0);
            sorted = g->all.n;
        }
        for (size_t k = 0, i = (j * 5) % RESULTS; k < FILES; k++)
            rivals_add(&g->all,
                       (struct rival){.place = (uint32_t)i,
                                      .result = &g->results[i],
                                      .evidence = &g->evidence[i]},
                       g->sums[g->files[i][k]], &g->arena);
    }
    rivals_sort(&g->all, sorted);
    if (shared)
        rivals_keep_shared(&g->all, &g->arena);
}

static bool has(const struct ground *g, size_t result, int file)
{
    for (size_t k = 0; k < FILES; k++)
        if (g->files[result][k] == file)
            return true;
    return false;
}

/* Of results of this case in their order, as often as each has it; where `shared`, only files of
 * two. */
static void compare(const struct ground *g, const char *case_id, int file, bool shared)
{
    size_t n, at = 0, who = 0;
    const struct rival *found = rivals_with(&g->all, case_id, g->sums[file], &n);
    for (size_t i = 0; i < RESULTS; i++)
        who += strcmp(g->results[i].case_id, case_id) == 0 && has(g, i, file);
    if (shared && who < 2)
        who = 0;
    for (size_t i = 0; who && i < RESULTS; i++)
        for (size_t k = 0; strcmp(g->results[i].case_id, case_id) == 0 && k < FILES; k++)
            if (g->files[i][k] == file) {
                assert_true(at < n);
                assert_ptr_equal(found[at].result, &g->results[i]);
                assert_ptr_equal(found[at++].evidence, &g->evidence[i]);
            }
    assert_int_equal(at, n);
}

static void all_is_found_and_nothing_else(void **state)
{
    (void)state;
    struct ground g;
    for (unsigned seed = 0; seed < 200; seed++) {
        bool shared = seed % 2;
        plant(&g, seed);
        add_all(&g, seed % (RESULTS + 1), shared);
        for (int file = 0; file < KINDS; file++) {
            compare(&g, "a", file, shared);
            compare(&g, "b", file, shared);
            compare(&g, "c", file, shared);
        }
        arena_release(&g.arena);
    }
}

/* An answer of that many sums, the last of which may be none, and what stands behind them. */
static bool take(struct ground *g, size_t n, const char *last, const char *behind)
{
    struct buf answer;
    buf_init(&answer, BUF_DEFAULT_MAX);
    pack_number(&answer, n);
    for (size_t i = 0; i < n; i++)
        pack_text(&answer, i + 1 < n ? g->sums[i] : last);
    buf_str(&answer, behind);
    struct unpack u = unpack_answer(answer.data, answer.len);
    bool good =
        rivals_take(&g->all, (struct rival){.result = &g->results[0], .evidence = &g->evidence[0]},
                    &u, &g->arena);
    buf_release(&answer);
    return good;
}

static void of_an_answer_that_cannot_be_nothing_is_taken(void **state)
{
    (void)state;
    struct ground g;
    plant(&g, 1);
    assert_true(take(&g, 0, NULL, ""));
    assert_true(take(&g, 3, g.sums[2], ""));
    assert_int_equal(g.all.n, 3);
    assert_false(take(&g, 9, g.sums[8], "x"));
    assert_false(take(&g, 9, "0123", ""));
    assert_false(take(&g, 9, NULL, ""));
    assert_int_equal(g.all.n, 3);
    assert_true(take(&g, 9, g.sums[8], ""));
    assert_int_equal(g.all.n, 12);
    arena_release(&g.arena);
}

static void nothing_is_in_an_empty_table(void **state)
{
    (void)state;
    size_t n = 1;
    char sum[HASH_HEX_SIZE];
    struct arena arena = ARENA_INIT;
    struct rivals none = {0};
    hash_sha256("", 0, sum);
    rivals_sort(&none, 0);
    rivals_keep_shared(&none, &arena);
    assert_null(rivals_with(&none, "a", sum, &n));
    assert_int_equal(n, 0);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_found_and_nothing_else),
        cmocka_unit_test(of_an_answer_that_cannot_be_nothing_is_taken),
        cmocka_unit_test(nothing_is_in_an_empty_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
