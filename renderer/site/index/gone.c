/*
 * Results that were published and have no record any more. Their addresses were cited: the page
 * stays, with what the publications before hold of them, and so do their events. A result whose
 * record is there and cannot be read is not gone; its page says so.
 */
#include "base/lookup.h"
#include "base/text.h"
#include "renderer/site/index/index.h"

#include <string.h>

/*
 * Names whose files may lie on a system that does not tell the case of letters apart: those that
 * are taken first, then those that ask for a place. The i-th of these has one if nobody before has
 * its name.
 */
struct places {
    const char **names;
    size_t n, n_taken;
};

static void name_place(struct places *p, const char *name, struct arena *arena)
{
    char *folded = arena_strdup(arena, name);
    for (char *c = folded; *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c += 'a' - 'A';
    p->names[p->n++] = folded;
}

static bool has_place(const struct places *p, const struct lookup *known, size_t i)
{
    return lookup_find(known, p->names[p->n_taken + i]) == p->n_taken + i;
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

static void add_gone(struct site_index *x, const struct site_was *was, struct arena *arena)
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
    *e = (struct site_entry){
        .result = r,
        .verdict = v,
        .case_record = project_case(site->project, r->case_id),
        .model = project_result_model(site->project, r),
        .vendor = project_vendor(site->project, r->vendor),
        .was = site_previous_find(site->previous, was->id),
        .gone = was,
        .unread = text_find(site->unread, site->n_unread, sizeof *site->unread, was->id),
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

/* A record that was renamed in the case of letters only is the same result. */
void site_gone_build(struct site_index *x, struct arena *arena)
{
    const struct site_previous *history = x->site->history;
    size_t n = history ? history->n : 0;
    struct places p = {.names = arena_array(arena, x->n_entries + n, sizeof *p.names)};
    for (size_t i = 0; i < x->n_entries; i++)
        name_place(&p, x->entries[i].verdict->id, arena);
    p.n_taken = p.n;
    for (size_t i = 0; i < n; i++)
        name_place(&p, history->items[i].id, arena);
    const struct lookup known = lookup_of(p.names, p.n, sizeof *p.names, 0, arena);
    for (size_t i = 0; i < n; i++)
        if (has_place(&p, &known, i))
            add_gone(x, &history->items[i], arena);
}

void site_feeds_build(struct site_index *x, struct arena *arena)
{
    struct places p = {.names = arena_array(arena, x->n_vendors + x->n_gone, sizeof *p.names)};
    for (size_t i = 0; i < x->n_vendors; i++)
        name_place(&p, x->vendors[i].id, arena);
    p.n_taken = p.n;
    for (size_t i = 0; i < x->n_gone; i++)
        name_place(&p, x->gone[i].result->vendor, arena);
    const struct lookup known = lookup_of(p.names, p.n, sizeof *p.names, 0, arena);
    x->feeds = arena_array(arena, x->n_vendors + x->n_gone, sizeof *x->feeds);
    for (; x->n_feeds < x->n_vendors; x->n_feeds++)
        x->feeds[x->n_feeds] = x->vendors[x->n_feeds];
    for (size_t i = 0; i < x->n_gone; i++)
        if (has_place(&p, &known, i))
            x->feeds[x->n_feeds++] =
                (struct site_list){.id = x->gone[i].result->vendor, .record = x->gone[i].vendor};
}
