#include "renderer/site_figures.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static bool is_figure(const struct metric *m)
{
    return m->stated || m->recomputed;
}

/* A text with its end; what is not there is no empty text. */
static void put_text(struct buf *out, const char *text)
{
    buf_char(out, text ? '=' : '-');
    buf_add(out, text ? text : "", (text ? strlen(text) : 0) + 1);
}

/* The low byte first; of every build, so that printf would be most of the work. */
static void put_number(struct buf *out, unsigned number)
{
    for (int i = 0; i < 4; i++, number >>= 8)
        buf_char(out, (char)(number & 0xff));
}

const char *site_figures_sum(const struct verdict *v, struct buf *text, struct arena *arena)
{
    char hex[HASH_HEX_SIZE];
    buf_clear(text);
    for (size_t i = 0; i < v->n_metrics; i++) {
        const struct metric *m = &v->metrics[i];
        if (!is_figure(m))
            continue;
        put_number(text, (unsigned)m->table);
        put_number(text, (unsigned)m->row);
        put_text(text, m->name);
        put_text(text, m->stated);
        put_text(text, m->recomputed);
    }
    hash_sha256(text->data, text->len, hex);
    return arena_strdup(arena, hex);
}

size_t site_figures_count(const struct verdict *v)
{
    size_t n = 0;
    for (size_t i = 0; i < v->n_metrics; i++)
        n += is_figure(&v->metrics[i]);
    return n;
}

/* ---- what differs -------------------------------------------------------------------------- */

static int compare_places(const struct metric *a, const struct metric *b)
{
    if (a->table != b->table)
        return a->table < b->table ? -1 : 1;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* Those that are alike stay in their order: they lie in one array. */
static int by_place(const void *x, const void *y)
{
    const struct metric *a = *(const struct metric *const *)x,
                        *b = *(const struct metric *const *)y;
    int c = compare_places(a, b);
    return c ? c : (a > b) - (a < b);
}

static const struct metric **sorted(const struct metric *metrics, size_t n, struct arena *arena)
{
    const struct metric **order = arena_array(arena, n, sizeof *order);
    for (size_t i = 0; i < n; i++)
        order[i] = &metrics[i];
    if (n)
        qsort(order, n, sizeof *order, by_place);
    return order;
}

static const char *copy(struct arena *arena, const char *text)
{
    return text ? arena_strdup(arena, text) : NULL;
}

static void note(struct site_figure_changes *out, const struct metric *at, bool stated,
                 const char *before, const char *now, struct arena *arena)
{
    if ((!before && !now) || (before && now && strcmp(before, now) == 0))
        return;
    out->total++;
    if (out->n == SITE_FIGURES_TOLD)
        return;
    *(struct site_figure_change *)ARENA_PUSH(arena, out->items, out->n) =
        (struct site_figure_change){.table = at->table,
                                    .row = at->row,
                                    .name = copy(arena, at->name),
                                    .stated = stated,
                                    .before = copy(arena, before),
                                    .now = copy(arena, now)};
}

static void compare_one(struct site_figure_changes *out, const struct metric *old,
                        const struct metric *now, struct arena *arena)
{
    const struct metric *at = now ? now : old;
    note(out, at, true, old ? old->stated : NULL, now ? now->stated : NULL, arena);
    note(out, at, false, old ? old->recomputed : NULL, now ? now->recomputed : NULL, arena);
}

void site_figures_compare(const struct metric *old, size_t n_old, const struct metric *now,
                          size_t n_now, struct arena *arena, struct site_figure_changes *out)
{
    struct arena scratch = ARENA_INIT;
    const struct metric **a = sorted(old, n_old, &scratch), **b = sorted(now, n_now, &scratch);
    *out = (struct site_figure_changes){0};
    for (size_t i = 0, k = 0; i < n_old || k < n_now;) {
        int c = i == n_old ? 1 : k == n_now ? -1 : compare_places(a[i], b[k]);
        compare_one(out, c <= 0 ? a[i] : NULL, c >= 0 ? b[k] : NULL, arena);
        i += c <= 0;
        k += c >= 0;
    }
    arena_release(&scratch);
}
