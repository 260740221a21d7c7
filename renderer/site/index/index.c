#include "renderer/site/index/index.h"

#include "base/parallel.h"
#include "base/text.h"
#include "renderer/site/index/row.h"

#include <stdlib.h>
#include <string.h>

static int compare_ids(const char *a, const char *b)
{
    return strcmp(text_or_empty(a), text_or_empty(b));
}

static const char *model_of_row(const struct site_row *row)
{
    return row->entry->model_id;
}

static const char *vendor_of(const struct site_row *row)
{
    return row->entry->result->vendor;
}

static const char *accelerator_of_row(const struct site_row *row)
{
    return row->card_id;
}

static int compare_site_rows(const struct site_row *a, const struct site_row *b)
{
    if (a->entry->place != b->entry->place)
        return a->entry->place < b->entry->place ? -1 : 1;
    int c = a->table - b->table;
    return c ? c : a->row - b->row;
}

static int order_entries(const void *x, const void *y)
{
    const struct site_entry *a = *(const struct site_entry *const *)x;
    const struct site_entry *b = *(const struct site_entry *const *)y;
    int c = (int)a->verdict->state - (int)b->verdict->state;
    if (!c)
        c = strcmp(a->result->vendor, b->result->vendor);
    return c ? c : strcmp(a->result->case_id, b->result->case_id);
}

static int compare_row_groups(const struct site_row *a, const struct site_row *b)
{
    int c = compare_ids(model_of_row(a), model_of_row(b));
    if (!c)
        c = strcmp(a->entry->result->case_id, b->entry->result->case_id);
    return c ? c : strcmp(a->group, b->group);
}

#define ORDER_BY(name, compare)                                        \
    static int name(const void *x, const void *y)                      \
    {                                                                  \
        const struct site_row *a = *(const struct site_row *const *)x; \
        const struct site_row *b = *(const struct site_row *const *)y; \
        int c = compare;                                               \
        return c ? c : compare_site_rows(a, b);                        \
    }
ORDER_BY(order_rows, 0)
ORDER_BY(order_vendors, strcmp(vendor_of(a), vendor_of(b)))
ORDER_BY(order_accelerators, compare_ids(accelerator_of_row(a), accelerator_of_row(b)))
ORDER_BY(order_groups, compare_row_groups(a, b))
ORDER_BY(order_cases, strcmp(a->entry->result->case_id, b->entry->result->case_id))

static int order_ids(const void *x, const void *y)
{
    const struct site_entry *a = *(const struct site_entry *const *)x;
    const struct site_entry *b = *(const struct site_entry *const *)y;
    return strcmp(a->verdict->id, b->verdict->id);
}

/* All rows, in each of the orders that lists need. */
enum { BY_PLACE, BY_VENDOR, BY_CARD, BY_GROUP, BY_CASE, N_ORDERS };

struct orders {
    const struct site_index *index;
    const struct site_row **rows[N_ORDERS];
};

static void sort_rows(void *context, size_t order, struct arena *arena)
{
    static int (*const by[N_ORDERS])(const void *, const void *) = {
        [BY_PLACE] = order_rows,   [BY_VENDOR] = order_vendors, [BY_CARD] = order_accelerators,
        [BY_GROUP] = order_groups, [BY_CASE] = order_cases,
    };
    struct orders *o = context;
    size_t n = o->index->n_rows;
    o->rows[order] = arena_array(arena, n, sizeof *o->rows[order]);
    for (size_t i = 0; i < n; i++)
        o->rows[order][i] = o->index->rows[i];
    qsort(o->rows[order], n, sizeof *o->rows[order], by[order]);
}

/* One list for each id of rows that are sorted by it; rows without one are in none. */
static struct site_list *lists_of_rows(const struct site_row **rows, size_t n_rows,
                                       struct arena *arena,
                                       const char *(*id)(const struct site_row *), size_t *n)
{
    struct site_list *lists = NULL;
    *n = 0;
    for (size_t i = 0; i < n_rows; i++) {
        const char *name = id(rows[i]);
        if (!name)
            continue;
        if (*n == 0 || strcmp(lists[*n - 1].id, name) != 0)
            *(struct site_list *)ARENA_PUSH(arena, lists, *n) =
                (struct site_list){.id = name, .rows = rows + i};
        lists[*n - 1].n++;
    }
    return lists;
}

/* Models and groups share one order, so that a group is a part of its model's rows. */
static void build_lists(struct site_index *x, const struct orders *orders, struct arena *arena)
{
    const struct site_row **by_vendor = orders->rows[BY_VENDOR];
    const struct site_row **by_card = orders->rows[BY_CARD];
    const struct site_row **by_group = orders->rows[BY_GROUP];
    x->all = (struct site_list){.id = "", .rows = x->rows, .n = x->n_rows};
    x->vendors = lists_of_rows(by_vendor, x->n_rows, arena, vendor_of, &x->n_vendors);
    x->accelerators =
        lists_of_rows(by_card, x->n_rows, arena, accelerator_of_row, &x->n_accelerators);
    x->models = lists_of_rows(by_group, x->n_rows, arena, model_of_row, &x->n_models);
    for (size_t i = 0; i < x->n_vendors; i++)
        x->vendors[i].record = x->vendors[i].rows[0]->entry->vendor;
    for (size_t i = 0; i < x->n_accelerators; i++) {
        struct site_list *card = &x->accelerators[i];
        card->called = card->rows[0]->card;
        for (size_t r = 0; r < card->n && !card->record; r++)
            card->record = card->rows[r]->accelerator;
    }
    for (size_t i = 0; i < x->n_models; i++) {
        const struct site_entry *e = x->models[i].rows[0]->entry;
        x->models[i].record = e->model;
        x->models[i].called = e->model_called;
    }
    for (size_t i = 0; i < x->n_rows; i++) {
        if (i == 0 || compare_row_groups(by_group[i - 1], by_group[i]) != 0)
            *(struct site_group *)ARENA_PUSH(arena, x->groups, x->n_groups) =
                (struct site_group){.of = by_group[i]->entry, .rows = by_group + i};
        x->groups[x->n_groups - 1].n++;
    }
    for (size_t g = 0; g < x->n_groups; g++)
        if (x->groups[g].n > 1)
            *(const struct site_group **)ARENA_PUSH(arena, x->comparable, x->n_comparable) =
                &x->groups[g];
}

static bool is_same_moment(const struct site_moment *a, const struct site_moment *b)
{
    return a->state == b->state && a->removed == b->removed && !site_any_change(&b->figures) &&
           (a->removed || strcmp(a->rules, b->rules) == 0);
}

void site_history_build(struct site_entry *e, const struct site_was *known, struct site_moment now,
                        struct arena *arena)
{
    size_t n = known ? known->n_history : 0;
    struct site_moment *history = arena_array(arena, n + 1, sizeof *history);
    for (size_t i = 0; i < n; i++)
        history[i] = known->history[i];
    bool same = n > 0 && is_same_moment(&history[n - 1], &now);
    if (!same && n == SITE_HISTORY_MAX)
        memmove(&history[1], &history[2], (--n - 1) * sizeof *history); /* the first stays */
    if (!same)
        history[n++] = now;
    /* Of older moments only the number of changed figures is kept. */
    size_t shown = 0;
    for (size_t i = n; i-- > 0;)
        if (history[i].figures.n + history[i].figures.n_rows && ++shown > SITE_REVISIONS_SHOWN)
            history[i].figures.n = history[i].figures.n_rows = 0;
    e->history = history;
    e->n_history = n;
    e->revisions = (known ? known->revisions : 0) + site_any_change(&now.figures);
}

static void build_entry(void *context, size_t i, struct arena *arena)
{
    struct site_index *index = context;
    const struct site *site = index->site;
    const struct result *r = &site->project->results[i];
    struct site_entry *e = &index->entries[i];
    *e = (struct site_entry){.result = r,
                             .verdict = &site->verdicts[i],
                             .case_record = project_case(site->project, r->case_id),
                             .model = project_result_model(site->project, r),
                             .vendor = project_vendor(site->project, r->vendor),
                             .path = arena_printf(arena, "result/%s/%s/", r->vendor, r->case_id)};
    e->places = site_places_of(e->verdict, arena);
    site_name_model(site->project, e, arena);
    /* What the site before knew, and the present verdict where it or a figure is another. */
    const struct site_was *known = site_previous_find(site->history, e->verdict->id);
    struct site_moment now = {.state = e->verdict->state,
                              .tool = site->tool,
                              .rules = site->rule_set,
                              .date = site->settings ? site->settings->date : NULL};
    if (known)
        now.figures = known->changed;
    e->was = site_previous_find(site->previous, e->verdict->id);
    site_history_build(e, known, now, arena);
    e->n_rows = site_rows_of(site->project, e, arena, &e->rows);
}

static const char *case_of_row(const struct site_row *row)
{
    return row->entry->result->case_id;
}

const struct site_list *site_list_find(const struct site_list *lists, size_t n, const char *id)
{
    return n ? bsearch(&id, lists, n, sizeof *lists, text_by_bytes) : NULL;
}

const struct site_list *site_maker_page(const struct site_index *x, const struct site_list *card)
{
    const struct accelerator *a = card->record;
    return a ? site_list_find(x->vendors, x->n_vendors, a->vendor) : NULL;
}

static void build_references(struct site_index *index, const struct site_row **rows,
                             struct arena *arena)
{
    const struct project *p = index->site->project;
    size_t n_lists;
    const struct site_list *lists =
        lists_of_rows(rows, index->n_rows, arena, case_of_row, &n_lists);
    for (size_t i = 0; i < p->n_cases; i++) {
        const struct case_record *c = &p->cases[i];
        if (!c->alignment || !c->alignment->reference)
            continue;
        const struct site_list *found = site_list_find(lists, n_lists, c->id);
        struct site_list *list = ARENA_PUSH(arena, index->references, index->n_references);
        *list = found ? *found : (struct site_list){.id = c->id};
        list->record = c;
    }
}

/* Ids may have '-' in them: where two pairs would have one name, the later has '~' between vendor
 * and case. */
static const char *pair_name(const struct site_index *x, const struct site_compared *pair,
                             struct arena *arena)
{
    const struct result *a = pair->a->result, *b = pair->b->result;
    const char *name =
        arena_printf(arena, "%s-%s..%s-%s", a->vendor, a->case_id, b->vendor, b->case_id);
    for (size_t i = 0; i < x->n_pairs; i++)
        if (strcmp(x->pairs[i].name, name) == 0)
            return arena_printf(arena, "%s~%s..%s~%s", a->vendor, a->case_id, b->vendor,
                                b->case_id);
    return name;
}

static bool has_pair(const struct site_index *x, const struct site_compared *pair)
{
    for (size_t i = 0; i < x->n_pairs; i++)
        if (x->pairs[i].a == pair->a && x->pairs[i].b == pair->b)
            return true;
    return false;
}

/* By "vendor/case"; NULL. */
static const struct site_entry *entry_named(const struct site_index *index, const char *name)
{
    const struct verdict verdict = {.id = name};
    const struct site_entry wanted = {.verdict = &verdict}, *key = &wanted;
    const struct site_entry **found =
        index->n_entries
            ? bsearch(&key, index->by_id, index->n_entries, sizeof *index->by_id, order_ids)
            : NULL;
    return found ? *found : NULL;
}

static void build_pairs(struct site_index *index, struct arena *arena)
{
    const struct site_settings *settings = index->site->settings;
    for (size_t i = 0; settings && i < settings->n_compare; i++) {
        struct site_compared pair = {.a = entry_named(index, settings->compare[i].a),
                                     .b = entry_named(index, settings->compare[i].b)};
        if (!pair.a || !pair.b || pair.a == pair.b || has_pair(index, &pair))
            continue;
        pair.name = pair_name(index, &pair, arena);
        *(struct site_compared *)ARENA_PUSH(arena, index->pairs, index->n_pairs) = pair;
    }
}

void site_index_build(struct site_index *index, const struct site *site, struct arena *arena)
{
    *index = (struct site_index){.site = site, .n_entries = site->n_verdicts};
    index->entries = arena_array(arena, index->n_entries, sizeof *index->entries);
    index->by_id = arena_array(arena, index->n_entries, sizeof *index->by_id);
    parallel_each(index->n_entries, build_entry, index, arena);
    /* What all entries have, in their order. */
    for (size_t i = 0; i < index->n_entries; i++) {
        const struct site_entry *e = &index->entries[i];
        index->by_id[i] = e;
        for (size_t k = 0; k < e->n_rows; k++)
            *(const struct site_row **)ARENA_PUSH(arena, index->rows, index->n_rows) = e->rows[k];
        if (e->verdict->state == STATE_WITHDRAWN)
            *(const struct site_entry **)ARENA_PUSH(arena, index->withdrawn, index->n_withdrawn) =
                e;
    }
    /* Files stand as their names do: x-4.json before x.json. */
    qsort(index->by_id, index->n_entries, sizeof *index->by_id, order_ids);
    site_gone_build(index, arena);
    /* Rows are sorted by it several times, entries once. */
    struct site_entry **order = arena_array(arena, index->n_entries, sizeof *order);
    for (size_t i = 0; i < index->n_entries; i++)
        order[i] = &index->entries[i];
    qsort(order, index->n_entries, sizeof *order, order_entries);
    for (size_t i = 0; i < index->n_entries; i++)
        order[i]->place =
            i > 0 && order_entries(&order[i - 1], &order[i]) == 0 ? order[i - 1]->place : i;
    struct orders orders = {.index = index};
    parallel_each_long(N_ORDERS, sort_rows, &orders, arena);
    index->rows = orders.rows[BY_PLACE];
    build_lists(index, &orders, arena);
    site_feeds_build(index, arena);
    build_references(index, orders.rows[BY_CASE], arena);
    build_pairs(index, arena);
    site_parts_build(index, arena);
}

const struct site_entry **site_group_vendors(const struct site_group *group, struct arena *arena,
                                             size_t *n)
{
    const struct site_row **rows = arena_array(arena, group->n, sizeof *rows);
    const struct site_entry **vendors = arena_array(arena, group->n, sizeof *vendors);
    memcpy(rows, group->rows, group->n * sizeof *rows);
    qsort(rows, group->n, sizeof *rows, order_vendors);
    *n = 0;
    for (size_t i = 0; i < group->n; i++)
        if (i == 0 || strcmp(vendor_of(rows[i]), vendor_of(rows[i - 1])) != 0)
            vendors[(*n)++] = rows[i]->entry;
    return vendors;
}

bool site_entry_changed(const struct site_entry *e)
{
    return !e->was || e->was->removed || site_was_state(e->was) != e->verdict->state;
}

bool site_entry_went(const struct site_entry *gone)
{
    return !gone->unread && gone->was && !gone->was->removed;
}

/* Not all of the older ones say which figures they were. */
size_t site_entry_revised(const struct site_entry *e, const struct site_moment **out)
{
    size_t before = e->was ? e->was->revisions : e->revisions, from = e->n_history;
    size_t left = e->revisions > before ? e->revisions - before : 0;
    while (left > 0 && from > 0)
        left -= site_any_change(&e->history[--from].figures);
    *out = e->history + from;
    return e->n_history - from;
}
