/* What happened when: changes of verdicts, and the feeds. All dates are those of records and runs.
 */
#include "renderer/site/history/events.h"
#include "renderer/site/history/history.h"
#include "renderer/site/sheet/kind.h"

#include <string.h>

/* More than a reader follows: the data files have all. */
#define EVENTS_MAX 1000
#define FEED_MAX 100
#define DAY_BYTES 10 /* of "2026-11-20" */

/* What a sentence of ours says of it. */
static const char *sentence(struct sheet *s, const struct site_event *e)
{
    static const char *const plain[SITE_EVENTS] = {
        [EVENT_RUN] = "event.run",
        [EVENT_LISTED] = "event.listed",
        [EVENT_STATE] = "event.first",
        [EVENT_REMOVED] = "event.removed",
        [EVENT_REPRODUCED] = "event.reproduced",
        [EVENT_NOT_REPRODUCED] = "event.notreproduced",
    };
    const struct withdrawal *w = e->of->result->withdrawn;
    if (e->kind == EVENT_WITHDRAWN)
        return sheet_fill(s, "withdrawn.sentence", {"date", w->date}, {"by", w->by},
                          {"reason", sheet_words(s, w->reason)});
    if (e->reproduction)
        return sheet_fill(s, plain[e->kind], {"by", e->reproduction->by});
    if (e->kind == EVENT_REMOVED && w)
        return sheet_t(s, "event.left");
    if (e->kind == EVENT_FIGURES)
        return sheet_changed_text(s, &e->of->history[e->moment].figures);
    if (e->kind != EVENT_STATE || e->moment == 0)
        return sheet_t(s, plain[e->kind]);
    if (e->of->history[e->moment - 1].removed)
        return sheet_t(s, "event.returned");
    return sheet_fill(s, "event.state",
                      {"was", sheet_state_word(s, e->of->history[e->moment - 1].state)});
}

static void push_event(struct sheet *s, struct view *list, const struct site_event *e)
{
    struct view *v = view_push_object(list);
    view_set_text(v, "id", site_event_id(s->site, e, page_lang_name(s->lang), s->arena));
    view_set_text(v, "date", arena_strndup(s->arena, e->date, DAY_BYTES));
    view_set_text(v, "stamp", e->date);
    view_set_text(v, "arrived", "");
    const char *what = sentence(s, e);
    view_set_text(v, "what", what);
    sheet_set_pieces(s, v, "said", what);
    sheet_set_of(s, v, e->of);
    view_set_flag(v, "judged", e->judged);
    if (e->kind == EVENT_REMOVED)
        sheet_set_removed(s, v);
    else
        sheet_set_state(s, v, e->state);
}

/* Those with a date. */
static void set_events(struct sheet *s, const struct site_events *events, size_t most)
{
    struct view *list = view_set_list(s->view, "events");
    size_t left = 0;
    for (size_t i = 0; i < events->n && *events->items[i].date; i++) {
        if (list->n < most)
            push_event(s, list, &events->items[i]);
        else
            left++;
    }
    view_set_flag(s->view, "any", list->n > 0);
    view_set_text(s->view, "more",
                  left ? sheet_fill(s, "changes.more", {"n", sheet_number(s, left)}) : "");
}

static bool has_line(const struct site_event *events, size_t n, const struct site_entry *of)
{
    for (size_t i = 0; i < n; i++)
        if (events[i].of == of)
            return true;
    return false;
}

static struct view *push_of(struct sheet *s, struct view *list, const struct site_entry *e)
{
    struct view *v = view_push_object(list);
    sheet_set_of(s, v, e);
    return v;
}

/* Results of which no event has a day: {"undated"}, how many, and the first `most` of them in
 * {"without_day"}. */
static void set_undated(struct sheet *s, size_t most)
{
    const struct site_index *x = s->index;
    const struct site_events events =
        site_events_of(x, EVENTS_OF_RESULTS | EVENTS_OF_VERDICTS, &x->all, s->arena);
    struct view *list = view_set_list(s->view, "without_day");
    bool *dated = arena_array(s->arena, x->n_entries, sizeof *dated);
    size_t n = 0;
    for (size_t i = 0; i < events.n; i++) {
        const struct site_event *e = &events.items[i];
        if (*e->date && !e->of->gone)
            dated[e->of - x->entries] = true;
    }
    for (size_t i = 0; i < x->n_entries; i++) {
        const struct site_entry *e = &x->entries[i];
        if (dated[i] || n++ >= most)
            continue;
        struct view *v = push_of(s, list, e);
        sheet_set_state(s, v, e->verdict->state);
    }
    view_set_text(s->view, "undated",
                  n ? sheet_fill(s, "changes.undated", {"n", sheet_number(s, n)}) : "");
}

/* Does it only say that a result came to the site? Of many that came on one day one line says so.
 */
static bool is_arrival(const struct site_event *e)
{
    return !e->of->gone && (e->kind == EVENT_LISTED || (e->kind == EVENT_STATE && e->moment == 0));
}

/* How many results came on the day of events[from], each counted once; they are marked. */
static size_t arrivals_of_day(const struct sheet *s, const struct site_events *all, size_t from,
                              bool *marked)
{
    size_t n = 0;
    for (size_t i = from; i < all->n; i++) {
        const struct site_event *e = &all->items[i];
        if (strncmp(e->date, all->items[from].date, DAY_BYTES) != 0)
            break;
        size_t at = is_arrival(e) ? (size_t)(e->of - s->index->entries) : 0;
        if (!is_arrival(e) || marked[at])
            continue;
        marked[at] = true;
        n++;
    }
    return n;
}

/* Lines of the first page: of each result the latest event, of each day its arrivals together. */
static size_t push_latest(struct sheet *s, struct view *list, const struct site_events *all,
                          size_t most)
{
    struct site_event *shown = arena_array(s->arena, most, sizeof *shown);
    bool *marked = arena_array(s->arena, s->index->n_entries, sizeof *marked);
    for (size_t i = 0; i < all->n && list->n < most && *all->items[i].date; i++) {
        const struct site_event *e = &all->items[i];
        if (has_line(shown, list->n, e->of) || (is_arrival(e) && marked[e->of - s->index->entries]))
            continue;
        size_t came = is_arrival(e) ? arrivals_of_day(s, all, i, marked) : 0;
        shown[list->n] = came > 1 ? (struct site_event){.of = NULL} : *e;
        if (came > 1) {
            struct view *v = view_push_object(list);
            view_set_text(v, "date", arena_strndup(s->arena, e->date, DAY_BYTES));
            view_set_text(v, "stamp", e->date);
            view_set_text(v, "arrived",
                          sheet_fill(s, "home.arrived", {"n", sheet_number(s, came)}));
        } else
            push_event(s, list, e);
    }
    return list->n;
}

void sheet_set_latest(struct sheet *s, size_t most)
{
    const struct site_events all =
        site_events_of(s->index, EVENTS_OF_RESULTS | EVENTS_OF_VERDICTS, &s->index->all, s->arena);
    size_t n = push_latest(s, view_set_list(s->view, "events"), &all, most);
    view_set_flag(s->view, "any", n > 0);
    set_undated(s, 0);
    view_set_text(s->view, "until", n ? arena_strndup(s->arena, all.items[0].date, DAY_BYTES) : "");
}

/* ---- since the previous site --------------------------------------------------------------- */

static void push_change(struct sheet *s, struct view *list, const struct site_entry *e)
{
    struct view *v = push_of(s, list, e);
    view_set_flag(v, "was", e->was != NULL);
    if (e->was && e->was->removed)
        sheet_set_removed(s, view_set_object(v, "was"));
    else if (e->was)
        sheet_set_state(s, view_set_object(v, "was"), site_was_state(e->was));
    if (e->gone)
        sheet_set_removed(s, view_set_object(v, "now"));
    else
        sheet_set_state(s, view_set_object(v, "now"), e->verdict->state);
}

static void push_revised(struct sheet *s, struct view *list, const struct site_entry *e)
{
    const struct site_moment *moments;
    size_t n = site_entry_revised(e, &moments);
    for (size_t i = 0; i < n; i++) {
        const struct site_figure_changes *of = &moments[i].figures;
        if (!site_any_change(of))
            continue;
        struct view *v = push_of(s, list, e);
        sheet_set_state(s, v, e->verdict->state);
        sheet_push_changed(s, view_set_list(v, "figures"), of, i + 1 == n ? e->verdict : NULL);
        view_set_text(v, "more", sheet_changed_more(s, of));
    }
}

static void set_changes(struct sheet *s)
{
    const struct site_previous *previous = s->site->previous;
    const struct site_index *x = s->index;
    struct view *changed = view_set_list(s->view, "changed");
    struct view *revised = view_set_list(s->view, "revised");
    view_set_flag(s->view, "previous", previous != NULL);
    if (!previous)
        return;
    for (size_t i = 0; i < x->n_entries; i++)
        if (site_entry_changed(&x->entries[i]))
            push_change(s, changed, &x->entries[i]);
    for (size_t i = 0; i < x->n_gone; i++)
        if (site_entry_went(&x->gone[i]))
            push_change(s, changed, &x->gone[i]);
    for (size_t i = 0; i < x->n_entries; i++)
        push_revised(s, revised, &x->entries[i]);
    view_set_flag(s->view, "has_revised", revised->n > 0);
    view_set_flag(s->view, "has_changed", changed->n > 0);
    view_set_text(
        s->view, "since",
        sheet_fill(s, "changes.since", {"tool", previous->tool}, {"rules", previous->rules}));
}

static void fill_changes_page(struct sheet *s, size_t i)
{
    (void)i;
    const struct site_events events =
        site_events_of(s->index, 1u << EVENT_RUN | EVENTS_OF_VERDICTS, &s->index->all, s->arena);
    set_changes(s);
    set_events(s, &events, EVENTS_MAX);
    set_undated(s, EVENTS_MAX);
}

const struct site_kind site_kind_changes = {
    .name = "changes",
    .path = "changes/index.html",
    .template = "site/changes.html",
    .title = "changes.title",
    .description = "changes.description",
    .fill = fill_changes_page,
    .depends = SITE_ON_OUTLINE,
};

/* ---- feeds --------------------------------------------------------------------------------- */

static void set_feed(struct sheet *s, const char *path, const char *title, unsigned kinds,
                     const struct site_list *of)
{
    struct site_events events = site_events_of(s->index, kinds, of, s->arena);
    sheet_set_title(s, title, "");
    const char *slash = strrchr(path, '/');
    view_set_text(s->view, "feed", path);
    view_set_text(s->view, "urn",
                  site_urn(s->site,
                           arena_printf(s->arena, "%s/feed/%s", page_lang_name(s->lang), path),
                           s->arena));
    view_set_text(s->view, "file", slash ? slash + 1 : path);
    /* A feed has to have a date: nothing that a rule set found was found before its year. */
    view_set_text(s->view, "updated",
                  events.n && *events.items[0].date ? events.items[0].date
                  : s->index->newest
                      ? s->index->newest
                      : arena_printf(s->arena, "%.4s-01-01T00:00:00Z", s->site->rule_set));
    set_events(s, &events, FEED_MAX);
}

static void fill_feed_results(struct sheet *s, size_t i)
{
    (void)i;
    set_feed(s, "results", sheet_t(s, "feed.results"), EVENTS_OF_RESULTS, &s->index->all);
}

static void fill_feed_verdicts(struct sheet *s, size_t i)
{
    (void)i;
    set_feed(s, "verdicts", sheet_t(s, "feed.verdicts"), EVENTS_OF_VERDICTS, &s->index->all);
}

static void fill_feed_vendor(struct sheet *s, size_t i)
{
    const struct site_list *list = &s->index->feeds[i];
    const struct vendor *vendor = list->record;
    const char *name = vendor ? sheet_short(s, sheet_words(s, vendor->name)) : list->id;
    set_feed(s, arena_printf(s->arena, "vendor/%s", list->id),
             sheet_fill(s, "feed.vendor", {"name", name}), EVENTS_OF_RESULTS | EVENTS_OF_VERDICTS,
             list);
}

const struct site_kind site_kind_feed_results = {
    .name = "feed",
    .path = "feed/results.atom",
    .template = "site/feed.xml",
    .fill = fill_feed_results,
    .depends = SITE_ON_OUTLINE,
};

const struct site_kind site_kind_feed_verdicts = {
    .name = "feed",
    .path = "feed/verdicts.atom",
    .template = "site/feed.xml",
    .fill = fill_feed_verdicts,
    .depends = SITE_ON_OUTLINE,
};

static const char *name_feed(const struct site_index *index, size_t i, struct arena *arena)
{
    (void)arena;
    return index->feeds[i].id;
}

const struct site_kind site_kind_feed_vendor = {
    .name = "feed",
    .path = "feed/vendor/{name}.atom",
    .template = "site/feed.xml",
    .counted = SITE_COUNT(n_feeds),
    .name_of = name_feed,
    .fill = fill_feed_vendor,
    .depends = SITE_ON_OUTLINE,
};
