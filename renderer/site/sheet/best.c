#include "renderer/site/sheet/best.h"

#include "base/figures/figure.h"
#include "renderer/site/sheet/difference.h"

bool site_drawn_value(const struct metric *m, struct arena *arena, double *value)
{
    struct site_value one;
    if (m && m->found && metrics_is_extra(m->name)) /* no page states it */
        return (*value = figure_has_value(m->found) ? m->found->value : 0) > 0;
    bool is_one = site_value(m, arena, &one);
    if (!is_one && !(m && figure_has_value(m->says)))
        return false;
    *value = is_one ? one.value : m->says->value;
    return *value > 0;
}

static int standing_of(const struct site_row *row)
{
    const struct verdict *v = row->entry->verdict;
    return v->state == STATE_VERIFIED               ? 0
           : v->state == STATE_PARTIAL              ? 1
           : row->place && row->place->contradicted ? 3
                                                    : 2;
}

struct site_best site_best_of_row(const struct site_row *row, const char *const *names, size_t n,
                                  struct arena *arena)
{
    struct site_best best = {.row = row, .standing = standing_of(row), .name = n};
    for (size_t i = 0; i < n && !best.figure; i++) {
        const struct metric *m = site_row_metric(row, names[i]);
        if (!site_drawn_value(m, arena, &best.value))
            continue;
        best.figure = m;
        best.name = i;
        best.standing = site_metric_wrong(m) ? 3 : best.standing;
    }
    return best;
}

bool site_best_before(const struct site_best *a, const struct site_best *b)
{
    if (!a->figure != !b->figure)
        return a->figure != NULL;
    if (a->standing != b->standing)
        return a->standing < b->standing;
    return a->name != b->name ? a->name < b->name : a->value > b->value;
}

struct site_best site_best_of(const struct site_row *const *rows, size_t n,
                              const char *const *names, size_t n_names, struct arena *arena)
{
    struct site_best best = {.row = NULL};
    for (size_t i = 0; i < n; i++) {
        if (rows[i]->entry->verdict->state == STATE_WITHDRAWN)
            continue;
        const struct site_best one = site_best_of_row(rows[i], names, n_names, arena);
        if (!best.row || site_best_before(&one, &best))
            best = one;
    }
    return best;
}

static bool is_mfu(const struct site_best *best)
{
    const struct metrics_column *c = metrics_by_key(best->figure->name);
    return c && c->kind == COLUMN_MFU;
}

const char *sheet_best_text(struct sheet *s, const struct site_best *best)
{
    return is_mfu(best)         ? arena_printf(s->arena, "%.1f %% MFU", best->value)
           : best->value >= 100 ? sheet_grouped(s, best->value)
                                : arena_printf(s->arena, "%.3g", best->value);
}

const char *sheet_best_unit(struct sheet *s, const struct site_best *best)
{
    return is_mfu(best) ? "" : sheet_unit(s, best->figure->unit);
}
