#include "verifier/runs/run_numbers.h"

#include <stdlib.h>
#include <string.h>

#define MISSING_SHOWN 200 /* bytes; what is behind them is only said to be there */

static int compare_run_numbers(const void *a, const void *b)
{
    const struct run_number *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->file > y->file) - (x->file < y->file);
}

void run_numbers_sort(struct run_numbers *all)
{
    if (all->n > 1)
        qsort(all->items, all->n, sizeof *all->items, compare_run_numbers);
}

const struct run_number *run_numbers_first(const struct run_numbers *all, long number)
{
    size_t low = 0, high = all->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all->items[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < all->n && all->items[low].number == number ? &all->items[low] : NULL;
}

static const char *range(size_t from, size_t end, struct arena *arena)
{
    return end - from == 1 ? arena_printf(arena, "%zu", from)
                           : arena_printf(arena, "%zu-%zu", from, end - 1);
}

const char *run_numbers_missing(const struct run_numbers *all, size_t n, struct arena *arena)
{
    const char *text = NULL;
    size_t next = 0; /* the lowest that may be missing */
    for (size_t i = 0; i <= all->n && next < n; i++) {
        size_t there = i < all->n ? (size_t)all->items[i].number : n;
        if (there > next) {
            const char *gap = range(next, there, arena);
            text = text ? arena_printf(arena, "%s, %s", text, gap) : gap;
        }
        if (there >= next)
            next = there + 1;
        if (text && strlen(text) > MISSING_SHOWN)
            return arena_printf(arena, "%s, …", text);
    }
    return text;
}
