#include "renderer/site/history/events.h"

#include "base/signing/hash.h"
#include "base/text.h"
#include "renderer/site/index/dates.h"

#include <stdlib.h>
#include <string.h>

const char *site_event_name(enum site_event_kind kind)
{
    static const char *const names[SITE_EVENTS] = {
        [EVENT_RUN] = "run",
        [EVENT_LISTED] = "listed",
        [EVENT_STATE] = "state",
        [EVENT_FIGURES] = "figures",
        [EVENT_REMOVED] = "removed",
        [EVENT_REPRODUCED] = "reproduced",
        [EVENT_NOT_REPRODUCED] = "not reproduced",
        [EVENT_WITHDRAWN] = "withdrawn",
    };
    return names[kind];
}

/* ---- events ------------------------------------------------------------------------------ */

struct collector {
    const struct site_index *index;
    struct site_events events;
    unsigned kinds;
    struct arena *arena;
};

static void add_event(struct collector *c, struct site_event e, const char *date)
{
    if (!(c->kinds & 1u << e.kind))
        return;
    e.judged = e.kind >= EVENT_STATE && !e.reproduction;
    e.date = date ? date : "";
    *(struct site_event *)ARENA_PUSH(c->arena, c->events.items, c->events.n) = e;
}

static void add_entry_events(struct collector *c, const struct site_entry *e)
{
    const char *run = site_last_run_date(c->index, e, c->arena);
    const char *first = site_date(e->history[0].date, c->arena);
    bool runs = e->gone ? e->gone->n_runs > 0 : e->verdict->n_evidence > 0;
    struct site_event listed = {
        .of = e, .kind = runs ? EVENT_RUN : EVENT_LISTED, .state = e->verdict->state};
    add_event(c, listed, run ? run : first);
    for (size_t i = 0; i < e->n_history; i++) {
        const struct site_moment *m = &e->history[i];
        const char *date = site_date(m->date, c->arena);
        struct site_event event = {.of = e, .state = m->state, .moment = i};
        event.kind = m->removed ? EVENT_REMOVED : EVENT_STATE;
        if (m->removed || i == 0 || m->state != m[-1].state || m[-1].removed)
            add_event(c, event, date);
        event.kind = EVENT_FIGURES;
        if (site_any_change(&m->figures))
            add_event(c, event, date);
    }
    for (size_t i = 0; i < e->verdict->n_reproductions; i++) {
        const struct verdict_reproduction *x = &e->verdict->reproductions[i];
        bool agrees = x->sound && reproduction_is_reproduced(x->record);
        add_event(c,
                  (struct site_event){.of = e,
                                      .kind = agrees ? EVENT_REPRODUCED : EVENT_NOT_REPRODUCED,
                                      .state = e->verdict->state,
                                      .reproduction = x->record},
                  site_date(x->record->date, c->arena));
    }
    if (e->result->withdrawn)
        add_event(c,
                  (struct site_event){.of = e, .kind = EVENT_WITHDRAWN, .state = STATE_WITHDRAWN},
                  site_date(e->result->withdrawn->date, c->arena));
}

/* Those of one moment by name, kind and place. */
static int newest_first(const void *x, const void *y)
{
    const struct site_event *a = x, *b = y;
    int c = strcmp(b->date, a->date);
    if (!c)
        c = strcmp(a->of->verdict->id, b->of->verdict->id);
    if (!c)
        c = (int)a->kind - (int)b->kind;
    if (!c)
        c = (b->moment > a->moment) - (b->moment < a->moment);
    if (!c && a->reproduction)
        c = strcmp(a->reproduction->id, b->reproduction->id);
    return c;
}

struct site_events site_events_of(const struct site_index *index, unsigned kinds,
                                  const struct site_list *of, struct arena *arena)
{
    struct collector c = {.index = index, .kinds = kinds, .arena = arena};
    for (size_t i = 0; i < of->n; i++) /* rows of one result stand together */
        if (i == 0 || of->rows[i]->entry != of->rows[i - 1]->entry)
            add_entry_events(&c, of->rows[i]->entry);
    for (size_t i = 0; i < index->n_gone; i++)
        if (!*of->id || strcmp(of->id, index->gone[i].result->vendor) == 0)
            add_entry_events(&c, &index->gone[i]);
    if (c.events.n > 0)
        qsort(c.events.items, c.events.n, sizeof *c.events.items, newest_first);
    return c.events;
}

/* ---- ids --------------------------------------------------------------------------------- */

/* A name-based UUID of our own (RFC 9562, version 8): the first bits of a SHA-256. */
const char *site_urn(const struct site *site, const char *name, struct arena *arena)
{
    char hex[HASH_HEX_SIZE];
    const char *url = site->settings && site->settings->url ? site->settings->url : "";
    const char *whole = arena_printf(arena, "%s\n%s", url, name);
    hash_sha256(whole, strlen(whole), hex);
    hex[12] = '8';
    hex[16] = "89ab"[hex[16] & 3];
    return arena_printf(arena, "urn:uuid:%.8s-%.4s-%.4s-%.4s-%.12s", hex, hex + 8, hex + 12,
                        hex + 16, hex + 20);
}

/* The same state, given on one day by one program? */
static bool moments_are_alike(const struct site_moment *a, const struct site_moment *b)
{
    return a->state == b->state && a->removed == b->removed &&
           text_equal_or_empty(a->date, b->date) && text_equal_or_empty(a->tool, b->tool) &&
           text_equal_or_empty(a->rules, b->rules);
}

/* What was given when, not its place: a history that becomes longer loses lines in its middle, and
 * may get older ones in front. */
static const char *moment_name(const struct site_event *e, struct arena *arena)
{
    const struct site_moment *h = e->of->history, *m = &h[e->moment];
    size_t nth = 0;
    for (size_t i = 0; i < e->moment; i++)
        nth += moments_are_alike(&h[i], m);
    return arena_printf(arena, "%s %s %s %s %zu", state_name(m->state), m->date ? m->date : "",
                        m->tool, m->rules, nth);
}

const char *site_event_id(const struct site *site, const struct site_event *e, const char *lang,
                          struct arena *arena)
{
    bool is_moment = e->kind == EVENT_STATE || e->kind == EVENT_FIGURES || e->kind == EVENT_REMOVED;
    const char *which = e->reproduction ? e->reproduction->id
                        : is_moment     ? moment_name(e, arena)
                                        : "";
    /* What was listed and has a run later is the same entry. */
    enum site_event_kind kind = e->kind == EVENT_LISTED ? EVENT_RUN : e->kind;
    return site_urn(site,
                    arena_printf(arena, "%s\n%s\n%s\n%s", lang, e->of->verdict->id,
                                 site_event_name(kind), which),
                    arena);
}
