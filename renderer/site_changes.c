/* What happened when: changes of verdicts, and the feeds. All dates are those of records and runs.
 */
#include "renderer/site_sheet.h"

#include <stdlib.h>
#include <string.h>

/* Something that happened to a result. */
struct event {
    const struct site_entry *of;
    const char *date; /* "2026-11-20", or with a time behind it */
    const char *what; /* for people */
    const char *kind; /* for ids */
};

struct events {
    struct event *items;
    size_t n;
};

/* "2026-11-20" or "2026-11-20T22:42:21Z": what a run says of itself may be anything. */
static bool is_date(const char *text)
{
    static const char form[] = "dddd-dd-ddTdd:dd:ddZ";
    size_t n = strlen(text);
    if (n != 10 && n != sizeof form - 1)
        return false;
    for (size_t i = 0; i < n; i++)
        if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    return true;
}

static void add(struct sheet *s, struct events *events, const struct event *e)
{
    if (e->date && is_date(e->date))
        *(struct event *)ARENA_PUSH(s->arena, events->items, events->n) = *e;
}

static void add_runs(struct sheet *s, struct events *events, const struct site_entry *e)
{
    const char *latest = NULL;
    for (size_t i = 0; i < e->verdict->n_evidence; i++) {
        const char *date = e->verdict->evidence[i].finished;
        if (date && (!latest || strcmp(date, latest) > 0))
            latest = date;
    }
    add(s, events, &(struct event){e, latest, sheet_t(s, "event.run"), "run"});
}

static void add_verdicts(struct sheet *s, struct events *events, const struct site_entry *e)
{
    const struct withdrawal *w = e->result->withdrawn;
    for (size_t i = 0; i < e->verdict->n_reproductions; i++) {
        const struct verdict_reproduction *x = &e->verdict->reproductions[i];
        bool agrees = x->sound && reproduction_is_reproduced(x->record);
        add(s, events,
            &(struct event){e, x->record->date,
                            sheet_fill(s, agrees ? "event.reproduced" : "event.notreproduced",
                                       {"by", x->record->by}),
                            x->record->id});
    }
    if (w)
        add(s, events,
            &(struct event){e, w->date,
                            sheet_fill(s, "withdrawn.sentence", {"date", w->date}, {"by", w->by},
                                       {"reason", sheet_words(s, w->reason)}),
                            "withdrawn"});
}

/* The newest first; those of one day by name. */
static int newest_first(const void *x, const void *y)
{
    const struct event *a = x, *b = y;
    int c = strcmp(b->date, a->date);
    if (!c)
        c = strcmp(a->of->verdict->id, b->of->verdict->id);
    return c ? c : strcmp(a->kind, b->kind);
}

/* RFC 3339, as Atom wants it. */
static const char *stamp(struct sheet *s, const char *date)
{
    return strlen(date) > 10 ? date : arena_printf(s->arena, "%sT00:00:00Z", date);
}

static void set_events(struct sheet *s, struct events *events)
{
    struct view *list = view_set_list(s->view, "events");
    if (events->n > 0)
        qsort(events->items, events->n, sizeof *events->items, newest_first);
    for (size_t i = 0; i < events->n; i++) {
        const struct event *e = &events->items[i];
        struct view *v = view_push_object(list);
        view_set_text(v, "id", e->of->verdict->id);
        view_set_text(v, "event_kind", e->kind);
        view_set_text(v, "date", arena_strndup(s->arena, e->date, 10));
        view_set_text(v, "stamp", stamp(s, e->date));
        view_set_text(v, "what", e->what);
        view_set_text(v, "path", e->of->path);
        view_set_text(v, "vendor_name", sheet_vendor(s, e->of));
        view_set_text(v, "case", e->of->result->case_id);
        sheet_set_state(s, v, e->of->verdict->state);
    }
    view_set_flag(s->view, "any", events->n > 0);
    view_set_text(s->view, "updated",
                  events->n ? stamp(s, events->items[0].date) : "1970-01-01T00:00:00Z");
}

static void set_all_events(struct sheet *s,
                           void (*const *adders)(struct sheet *, struct events *,
                                                 const struct site_entry *),
                           size_t n)
{
    struct events events = {0};
    for (size_t i = 0; i < s->index->n_entries; i++)
        for (size_t a = 0; a < n; a++)
            adders[a](s, &events, &s->index->entries[i]);
    set_events(s, &events);
}

static void (*const all_events[])(struct sheet *, struct events *,
                                  const struct site_entry *) = {add_runs, add_verdicts};

/* ---- since the previous site --------------------------------------------------------------- */

static void push_change(struct sheet *s, struct view *list, const struct site_entry *e)
{
    struct view *v = view_push_object(list);
    view_set_text(v, "path", e->path);
    view_set_text(v, "vendor_name", sheet_vendor(s, e));
    view_set_text(v, "case", e->result->case_id);
    view_set_flag(v, "was", e->was != NULL);
    if (e->was)
        sheet_set_state(s, view_set_object(v, "was"), e->was->history[e->was->n_history - 1].state);
    sheet_set_state(s, view_set_object(v, "now"), e->verdict->state);
}

static bool is_changed(const struct site_entry *e)
{
    return !e->was || e->was->history[e->was->n_history - 1].state != e->verdict->state;
}

static void set_changes(struct sheet *s)
{
    const struct site_previous *previous = s->site->previous;
    struct view *changed = view_set_list(s->view, "changed");
    struct view *gone = view_set_list(s->view, "gone");
    view_set_flag(s->view, "previous", previous != NULL);
    if (!previous)
        return;
    for (size_t i = 0; i < s->index->n_entries; i++)
        if (is_changed(&s->index->entries[i]))
            push_change(s, changed, &s->index->entries[i]);
    for (size_t i = 0; i < previous->n; i++)
        if (!site_entry_find(s->index, previous->items[i].id))
            view_set_text(view_push_object(gone), "id", previous->items[i].id);
    view_set_flag(s->view, "has_gone", gone->n > 0);
    view_set_flag(s->view, "has_changed", changed->n > 0);
    view_set_text(
        s->view, "since",
        sheet_fill(s, "changes.since", {"tool", previous->tool}, {"rules", previous->rules}));
}

void sheet_changes(struct sheet *s, size_t i)
{
    (void)i;
    set_changes(s);
    sheet_set_title(s, sheet_t(s, "changes.title"), sheet_t(s, "changes.description"));
    set_all_events(s, all_events, 2);
}

void sheet_feed_results(struct sheet *s, size_t i)
{
    (void)i;
    sheet_set_title(s, sheet_t(s, "feed.results"), "");
    view_set_text(s->view, "feed", "results");
    set_all_events(s, all_events, 1);
}

void sheet_feed_verdicts(struct sheet *s, size_t i)
{
    (void)i;
    sheet_set_title(s, sheet_t(s, "feed.verdicts"), "");
    view_set_text(s->view, "feed", "verdicts");
    set_all_events(s, all_events + 1, 1);
}
