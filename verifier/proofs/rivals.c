#include "verifier/proofs/rivals.h"

#include "base/sealed/archive.h"
#include "base/signing/hash.h"

#include <stdlib.h>
#include <string.h>

static unsigned digit(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static void sum_of(const char *sha256, unsigned char sum[RIVAL_BYTES])
{
    for (size_t i = 0; i < RIVAL_BYTES; i++)
        sum[i] = (unsigned char)(digit(sha256[2 * i]) << 4 | digit(sha256[2 * i + 1]));
}

void rivals_add(struct rivals *all, struct rival of, const char *sha256, struct arena *arena)
{
    sum_of(sha256, of.sum);
    *(struct rival *)ARENA_PUSH(arena, all->items, all->n) = of;
}

bool rivals_take(struct rivals *all, struct rival of, struct unpack *u, struct arena *arena)
{
    size_t before = all->n;
    bool good = true;
    size_t n = unpack_list(u, HASH_HEX_SIZE, ARCHIVE_ENTRIES_MAX, sizeof(struct rival));
    for (size_t i = 0; i < n && good; i++) {
        const char *sum = unpack_text(u);
        good = hash_is_hex(sum);
        if (good)
            rivals_add(all, of, sum, arena);
    }
    good = good && unpack_end(u);
    if (!good)
        all->n = before;
    return good;
}

/* By file, then by case. */
static int compare_rival_groups(const struct rival *x, const struct rival *y)
{
    int order = memcmp(x->sum, y->sum, RIVAL_BYTES);
    return order ? order : strcmp(x->result->case_id, y->result->case_id);
}

static int compare_rivals(const void *a, const void *b)
{
    const struct rival *x = a, *y = b;
    int order = compare_rival_groups(x, y);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

/* From the end, so that nothing is moved twice. */
static void merge(struct rival *items, size_t sorted, const struct rival *added, size_t n)
{
    while (n) {
        bool is_old = sorted && compare_rivals(&items[sorted - 1], &added[n - 1]) > 0;
        items[sorted + n - 1] = is_old ? items[sorted - 1] : added[n - 1];
        *(is_old ? &sorted : &n) -= 1;
    }
}

void rivals_sort(struct rivals *all, size_t sorted)
{
    struct arena own = ARENA_INIT;
    size_t n = all->n - sorted;
    if (n == 0)
        return;
    struct rival *added = arena_copy(&own, all->items + sorted, n, sizeof *added);
    qsort(added, n, sizeof *added, compare_rivals);
    merge(all->items, sorted, added, n);
    arena_release(&own);
}

/* How many from here on are of one file and case. */
static size_t group_at(const struct rivals *all, size_t from)
{
    size_t n = 1;
    while (from + n < all->n && compare_rival_groups(&all->items[from], &all->items[from + n]) == 0)
        n++;
    return n;
}

static bool has_two_vendors(const struct rival *items, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (strcmp(items[i].result->vendor, items[0].result->vendor) != 0)
            return true;
    return false;
}

void rivals_keep_shared(struct rivals *all, struct arena *arena)
{
    struct rivals kept = *all;
    kept.items = NULL;
    kept.n = 0;
    for (size_t from = 0, n; from < all->n; from += n) {
        n = group_at(all, from);
        bool shared = has_two_vendors(&all->items[from], n);
        for (size_t i = 0; i < n && shared; i++)
            *(struct rival *)ARENA_PUSH(arena, kept.items, kept.n) = all->items[from + i];
    }
    *all = kept;
}

const struct rival *rivals_with(const struct rivals *all, const char *case_id, const char *sha256,
                                size_t *n)
{
    const struct result of_case = {.case_id = case_id};
    struct rival key = {.result = &of_case};
    size_t from = 0, to = all->n;
    sum_of(sha256, key.sum);
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (compare_rival_groups(&all->items[middle], &key) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    bool found = from < all->n && compare_rival_groups(&all->items[from], &key) == 0;
    *n = found ? group_at(all, from) : 0;
    return found ? &all->items[from] : NULL;
}
