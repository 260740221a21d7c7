/* Where results may be compared: the pairs that were asked for, and the groups of rows. */
#include "renderer/site/index/pairing.h"
#include "renderer/site/sheet/kind.h"

#include "base/arena.h"

#include <string.h>

/* What its page has: rows side by side, or what keeps them apart. */
static const char *pair_shows(struct sheet *s, const struct site_compared *pair, size_t compared)
{
    if (compared)
        return sheet_fill(s, "compare.pair.rows", {"n", sheet_number(s, compared)});
    bool one_case = strcmp(pair->a->result->case_id, pair->b->result->case_id) == 0;
    return sheet_t(s, one_case ? "compare.pair.apart" : "compare.pair.cases");
}

static void set_pairs(struct sheet *s)
{
    size_t comparable = 0;
    struct view *pairs = view_set_list(s->view, "pairs");
    for (size_t p = 0; p < s->index->n_pairs; p++) {
        const struct site_compared *pair = &s->index->pairs[p];
        struct view *v = view_push_object(pairs);
        struct site_pairing beside;
        site_pairing_of(pair, s->arena, &beside);
        comparable += beside.n > 0;
        view_set_text(v, "name", pair->name);
        view_set_text(v, "shows", pair_shows(s, pair, beside.n));
        view_set_text(
            v, "a",
            arena_printf(s->arena, "%s · %s", sheet_vendor(s, pair->a), pair->a->result->case_id));
        view_set_text(
            v, "b",
            arena_printf(s->arena, "%s · %s", sheet_vendor(s, pair->b), pair->b->result->case_id));
    }
    view_set_flag(s->view, "has_pairs", pairs->n > 0);
    view_set_flag(s->view, "only_apart", comparable == 0);
}

/* Who has rows in a group: "MetaX, NVIDIA". */
static const char *vendors_of(struct sheet *s, const struct site_group *g)
{
    size_t n;
    const struct site_entry **vendors = site_group_vendors(g, s->arena, &n);
    struct buf all = BUF_INIT(BUF_DEFAULT_MAX);
    for (size_t i = 0; i < n; i++)
        buf_printf(&all, "%s%s", i ? sheet_t(s, "list.and") : "", sheet_vendor(s, vendors[i]));
    return buf_text(&all, s->arena);
}

/* Groups in which there is something to compare. */
static void fill_compare_page(struct sheet *s, size_t i)
{
    size_t n = s->index->n_comparable, first = i * SITE_PAGE_ROWS;
    set_pairs(s);
    struct view *groups = view_set_list(s->view, "groups");
    for (size_t g = first; g < n && g < first + SITE_PAGE_ROWS; g++) {
        const struct site_group *group = s->index->comparable[g];
        struct view *v = view_push_object(groups);
        const struct site_part *page = site_group_part(s->index, group);
        view_set_text(v, "model", site_part_path(page, s->arena));
        view_set_text(v, "model_name", sheet_model(s, group->of));
        view_set_text(v, "case", group->of->result->case_id);
        view_set_text(v, "class_id", group->rows[0]->group);
        view_set_text(v, "class", sheet_group(s, group->rows[0]));
        view_set_text(v, "vendors", vendors_of(s, group));
        view_set_printf(v, "count", "%zu", group->n);
    }
    view_set_flag(s->view, "has_groups", groups->n > 0);
    view_set_text(s->view, "all_rows",
                  s->index->n_rows
                      ? sheet_fill(s, "home.all", {"n", sheet_number(s, s->index->n_rows)})
                      : "");
    sheet_set_pages(s, "compare/", i + 1, (n + SITE_PAGE_ROWS - 1) / SITE_PAGE_ROWS);
}

static size_t count_groups(const struct site_index *index)
{
    size_t n = index->n_comparable;
    return n ? (n + SITE_PAGE_ROWS - 1) / SITE_PAGE_ROWS : 1;
}

/* The first page has no number. */
static const char *name_groups(const struct site_index *index, size_t i, struct arena *arena)
{
    (void)index;
    return i ? arena_printf(arena, "%zu/", i + 1) : "";
}

const struct site_kind site_kind_compare = {
    .name = "compare",
    .path = "compare/{name}index.html",
    .template = "site/compare.html",
    .title = "compare.title",
    .description = "compare.description",
    .data = "data/compare",
    .nav = "nav.compare",
    .count = count_groups,
    .name_of = name_groups,
    .fill = fill_compare_page,
    .depends = SITE_ON_OUTLINE,
};
