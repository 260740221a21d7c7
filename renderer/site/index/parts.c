/* Lists cut into pages: as many rows on each as a reader's machine shows at once. */
#include "renderer/site/index/index.h"

#include <string.h>

/* How many rows from `first` on fill a page. */
typedef size_t filler(const struct site_list *list, size_t first);

/* One row in 32, whatever stands around it. */
static bool may_end_page(const struct site_row *row)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (const char *p = row->entry->path; *p; p++)
        hash = (hash ^ (unsigned char)*p) * 16777619u;
    hash = (hash ^ (uint32_t)(row->table * 4096 + row->row)) * 16777619u;
    return hash >> 27 == 0;
}

/* A page ends where its rows say so: one that comes, goes or moves then changes the pages that it
 * is on, and not each page behind it. */
static size_t fill_rows(const struct site_list *list, size_t first)
{
    size_t n = list->n - first;
    if (n <= SITE_PAGE_ROWS)
        return n;
    for (n = SITE_PAGE_LEAST; n < SITE_PAGE_ROWS && !may_end_page(list->rows[first + n - 1]);)
        n++;
    return n;
}

/* Whole groups; only one that fills a page alone is cut. */
static size_t fill_groups(const struct site_list *list, size_t first)
{
    size_t n = 0, weight = 0;
    while (first + n < list->n) {
        const struct site_row **rows = list->rows + first + n;
        size_t group = 1; /* rows of the one that begins or goes on here */
        while (first + n + group < list->n && site_rows_compare(rows[0], rows[group]))
            group++;
        weight += group + SITE_GROUP_ROWS;
        if (n > 0 && weight > SITE_PAGE_ROWS)
            return n;
        n += group;
        if (n > SITE_PAGE_ROWS)
            return SITE_PAGE_ROWS;
    }
    return n;
}

/* A list without rows has a page that says so. */
static void cut(struct site_parts *parts, struct arena *arena, const struct site_list *lists,
                size_t n, filler *fill)
{
    for (size_t i = 0; i < n; i++) {
        const struct site_list *list = &lists[i];
        size_t begin = parts->n, first = 0;
        do {
            struct site_part *part = ARENA_PUSH(arena, parts->items, parts->n);
            *part = (struct site_part){.list = list,
                                       .rows = list->n ? list->rows + first : NULL,
                                       .n = fill(list, first),
                                       .number = parts->n - begin};
            first += part->n;
        } while (first < list->n);
        for (size_t p = begin; p < parts->n; p++)
            parts->items[p].of = parts->n - begin;
    }
}

void site_parts_build(struct site_index *x, struct arena *arena)
{
    cut(&x->result_parts, arena, &x->all, 1, fill_rows);
    cut(&x->vendor_parts, arena, x->vendors, x->n_vendors, fill_rows);
    cut(&x->accelerator_parts, arena, x->accelerators, x->n_accelerators, fill_rows);
    cut(&x->model_parts, arena, x->models, x->n_models, fill_groups);
    cut(&x->reference_parts, arena, x->references, x->n_references, fill_rows);
}

const char *site_part_path(const struct site_part *part, struct arena *arena)
{
    const char *id = *part->list->id ? arena_printf(arena, "%s/", part->list->id) : "";
    return part->number > 1 ? arena_printf(arena, "%s%zu/", id, part->number) : id;
}

const struct site_part *site_group_part(const struct site_index *index,
                                        const struct site_group *group)
{
    const struct site_parts *parts = &index->model_parts;
    for (size_t i = 0; i < parts->n; i++)
        if (group->rows >= parts->items[i].rows &&
            group->rows < parts->items[i].rows + parts->items[i].n)
            return &parts->items[i];
    return &parts->items[0];
}

bool site_rows_compare(const struct site_row *a, const struct site_row *b)
{
    return strcmp(a->entry->result->case_id, b->entry->result->case_id) == 0 &&
           strcmp(a->group, b->group) == 0;
}
