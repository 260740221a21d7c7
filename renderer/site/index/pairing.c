#include "renderer/site/index/pairing.h"

#include <string.h>
#include <strings.h>

/* How much alike two rows are that may be compared; more is more. */
enum likeness { LIKE_NOT, LIKE_GROUP, LIKE_CARDS, LIKE_PRECISION, LIKE_SETTINGS };

static enum likeness likeness_of(const struct site_row *a, const struct site_row *b)
{
    if (!site_rows_compare(a, b))
        return LIKE_NOT;
    if (!a->cards || a->nodes != b->nodes || a->cards != b->cards)
        return LIKE_GROUP;
    if (strcasecmp(a->precision, b->precision) != 0)
        return LIKE_CARDS;
    return strcmp(a->plan, b->plan) == 0 && strcmp(a->changed, b->changed) == 0 ? LIKE_SETTINGS
                                                                                : LIKE_PRECISION;
}

void site_pairing_of(const struct site_compared *pair, struct arena *arena,
                     struct site_pairing *out)
{
    struct arena own = ARENA_INIT;
    size_t n = pair->a->n_rows, m = pair->b->n_rows;
    enum likeness *a = arena_array(&own, n, sizeof *a), *b = arena_array(&own, m, sizeof *b);
    *out = (struct site_pairing){.unequal = true};
    /* The best that each row of both sides has. */
    for (size_t x = 0; x < pair->a->n_rows; x++)
        for (size_t y = 0; y < pair->b->n_rows; y++) {
            enum likeness like = likeness_of(pair->a->rows[x], pair->b->rows[y]);
            a[x] = like > a[x] ? like : a[x];
            b[y] = like > b[y] ? like : b[y];
            out->comparable += like != LIKE_NOT;
            out->unequal &= like <= LIKE_GROUP;
        }
    for (size_t x = 0; x < n; x++)
        for (size_t y = 0; y < m && out->n < SITE_PAIRING_MAX; y++) {
            enum likeness like = likeness_of(pair->a->rows[x], pair->b->rows[y]);
            bool best = like >= a[x] && like >= b[y];
            if (like != LIKE_NOT && best && (like > LIKE_GROUP || out->unequal))
                *(struct site_rows_beside *)ARENA_PUSH(arena, out->items, out->n) =
                    (struct site_rows_beside){pair->a->rows[x], pair->b->rows[y]};
        }
    arena_release(&own);
}
