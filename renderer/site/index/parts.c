/* Lists cut into pages: as many rows on each as a reader's machine shows at once. */
#include "renderer/site/index/index.h"

#include <string.h>

/* Adds one part, with its number within its list. */
static struct site_part *add_list_part(struct site_parts *parts, struct arena *arena,
                                       const struct site_list *list, size_t first, size_t number)
{
    struct site_part *part = ARENA_PUSH(arena, parts->items, parts->n);
    *part = (struct site_part){.list = list, .number = number};
    if (list->n > 0)
        part->rows = list->rows + first;
    return part;
}

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

/* Rows of the group that begins at `first`, or goes on there. */
static size_t group_rows(const struct site_list *list, size_t first)
{
    size_t n = 1;
    while (first + n < list->n && site_rows_compare(list->rows[first], list->rows[first + n]))
        n++;
    return n;
}

/* Whole groups; only one that fills a page alone is cut. */
static size_t fill_groups(const struct site_list *list, size_t first)
{
    size_t n = 0, weight = 0;
    while (first + n < list->n) {
        size_t group = group_rows(list, first + n);
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
static void cut(struct site_parts *parts, struct arena *arena, const struct site_list *list,
                filler *fill)
{
    size_t begin = parts->n, first = 0;
    do {
        struct site_part *part = add_list_part(parts, arena, list, first, parts->n - begin + 1);
        part->n = fill(list, first);
        first += part->n;
    } while (first < list->n);
    for (size_t i = begin; i < parts->n; i++)
        parts->items[i].of = parts->n - begin;
}

static void cut_all(struct site_parts *parts, struct arena *arena, const struct site_list *lists,
                    size_t n, filler *fill)
{
    for (size_t i = 0; i < n; i++)
        cut(parts, arena, &lists[i], fill);
}

void site_parts_build(struct site_index *x, struct arena *arena)
{
    cut_all(&x->result_parts, arena, &x->all, 1, fill_rows);
    cut_all(&x->vendor_parts, arena, x->vendors, x->n_vendors, fill_rows);
    cut_all(&x->accelerator_parts, arena, x->accelerators, x->n_accelerators, fill_rows);
    cut_all(&x->model_parts, arena, x->models, x->n_models, fill_groups);
    cut_all(&x->reference_parts, arena, x->references, x->n_references, fill_rows);
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
