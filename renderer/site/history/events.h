/*
 * site_events: what happened to results, and when (private to renderer/site/): for the page of
 * changes, the feeds and the data files.
 *
 * Dates are those of runs and records, and of verdicts that were published at a known time
 * (renderer/site/index/previous.h). What has none has no date of anything else either: it is in no
 * feed, and pages list it apart. No clock is asked.
 */
#pragma once

#include "renderer/site/index/index.h"

enum site_event_kind {
    EVENT_RUN,    /* a run was sealed as evidence */
    EVENT_LISTED, /* a result without a run came to the site */
    EVENT_STATE,  /* a verdict, the first or another than before, or one of a result that is back */
    EVENT_FIGURES, /* figures are others than before */
    EVENT_REMOVED, /* its record was taken away */
    EVENT_REPRODUCED,
    EVENT_NOT_REPRODUCED,
    EVENT_WITHDRAWN,
    SITE_EVENTS
};

const char *site_event_name(enum site_event_kind kind); /* "run", "state" … */

struct site_event {
    const struct site_entry *of;
    enum site_event_kind kind;
    bool judged; /* `state` is of its time: of a run, a listing or a reproduction it is today's */
    const char *date; /* "2026-11-20T22:42:21Z", by records or by who published it; "": not known */
    enum state state; /* EVENT_STATE: that it was given */
    size_t moment;    /* EVENT_STATE, EVENT_FIGURES, EVENT_REMOVED: its place in the history */
    const struct reproduction *reproduction; /* NULL: it is not about one */
};

struct site_events {
    struct site_event *items; /* the newest first, those without a date last */
    size_t n;
};

/* Which ones: bits (1 << kind). */
#define EVENTS_OF_RESULTS (1u << EVENT_RUN | 1u << EVENT_LISTED)
#define EVENTS_OF_VERDICTS                                                                    \
    (1u << EVENT_STATE | 1u << EVENT_FIGURES | 1u << EVENT_REMOVED | 1u << EVENT_REPRODUCED | \
     1u << EVENT_NOT_REPRODUCED | 1u << EVENT_WITHDRAWN)

/* Of all results (index->all), or of one vendor's; those that are gone among them. */
struct site_events site_events_of(const struct site_index *index, unsigned kinds,
                                  const struct site_list *of, struct arena *arena);

/* "urn:uuid:…", the same in every build: of the site's address, the result and what happened, in
 * one language, for those who follow both. */
const char *site_event_id(const struct site *site, const struct site_event *e, const char *lang,
                          struct arena *arena);
const char *site_urn(const struct site *site, const char *name, struct arena *arena);
