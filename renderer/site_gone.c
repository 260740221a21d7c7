/*
 * Results that were published and have no record any more. Their addresses were cited: the page
 * stays, with what the publications before hold of them, and so do their events. A result whose
 * record is there and cannot be read is not gone; its page says so.
 */
#include "renderer/site_index.h"

#include <string.h>
#include <strings.h>

static bool is_unread(const struct site *site, const char *id)
{
    for (size_t i = 0; i < site->n_unread; i++)
        if (strcmp(site->unread[i], id) == 0)
            return true;
    return false;
}

/* Its files would be those of another one where the case of letters is not told apart: a record
 * that was renamed so is the same result. */
static bool has_place(const struct site_index *x, const char *id)
{
    for (size_t i = 0; i < x->n_entries; i++)
        if (strcasecmp(x->entries[i].verdict->id, id) == 0)
            return false;
    for (size_t i = 0; i < x->n_gone; i++)
        if (strcasecmp(x->gone[i].verdict->id, id) == 0)
            return false;
    return true;
}

static const struct result *result_of(const struct site_was *was, struct arena *arena)
{
    struct result *r = arena_alloc(arena, sizeof *r);
    const char *slash = strchr(was->id, '/');
    r->vendor = arena_strndup(arena, was->id, (size_t)(slash - was->id));
    r->case_id = slash + 1;
    if (was->withdrawn) {
        r->withdrawn = arena_alloc(arena, sizeof *r->withdrawn);
        *r->withdrawn = *was->withdrawn;
    }
    return r;
}

static void add(struct site_index *x, const struct site_was *was, struct arena *arena)
{
    const struct site *site = x->site;
    struct verdict *v = arena_alloc(arena, sizeof *v);
    const struct site_moment *last = &was->history[was->n_history - 1];
    const struct result *r = result_of(was, arena);
    *v = (struct verdict){.id = was->id,
                          .state = last->state,
                          .result = r,
                          .reproductions = was->reproductions,
                          .n_reproductions = was->n_reproductions};
    struct site_entry *e = ARENA_PUSH(arena, x->gone, x->n_gone);
    *e = (struct site_entry){.result = r,
                             .verdict = v,
                             .case_record = project_case(site->project, r->case_id),
                             .model = project_result_model(site->project, r),
                             .vendor = project_vendor(site->project, r->vendor),
                             .was = site_previous_find(site->previous, was->id),
                             .gone = was,
                             .unread = is_unread(site, was->id),
                             .path = arena_printf(arena, "result/%s/%s/", r->vendor, r->case_id)};
    struct site_moment now = *last;
    now.figures = (struct site_figure_changes){0};
    if (!e->unread && !last->removed)
        now = (struct site_moment){.state = last->state,
                                   .removed = true,
                                   .tool = site->tool,
                                   .rules = site->rule_set,
                                   .date = site->settings ? site->settings->date : NULL};
    site_history_build(e, was, now, arena);
}

void site_gone_build(struct site_index *x, struct arena *arena)
{
    const struct site_previous *history = x->site->history;
    for (size_t i = 0; history && i < history->n; i++)
        if (!site_entry_find(x, history->items[i].id) && has_place(x, history->items[i].id))
            add(x, &history->items[i], arena);
}

static bool has_feed(const struct site_index *x, const char *vendor)
{
    for (size_t i = 0; i < x->n_feeds; i++)
        if (strcasecmp(x->feeds[i].id, vendor) == 0)
            return true;
    return false;
}

void site_feeds_build(struct site_index *x, struct arena *arena)
{
    x->feeds = arena_array(arena, x->n_vendors + x->n_gone, sizeof *x->feeds);
    for (; x->n_feeds < x->n_vendors; x->n_feeds++)
        x->feeds[x->n_feeds] = x->vendors[x->n_feeds];
    for (size_t i = 0; i < x->n_gone; i++)
        if (!has_feed(x, x->gone[i].result->vendor))
            x->feeds[x->n_feeds++] =
                (struct site_list){.id = x->gone[i].result->vendor, .record = x->gone[i].vendor};
}
