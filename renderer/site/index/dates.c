#include "renderer/site/index/dates.h"

#include "base/calendar.h"

#include <string.h>

/* Clocks that were never set stand at 0001-01-01 or at 1970-01-01: that is no date of anything. */
#define CLOCKS_ARE_SET "1971"

const char *site_date(const char *text, struct arena *arena)
{
    long long seconds;
    if (text && strcmp(text, CLOCKS_ARE_SET) < 0)
        return NULL;
    if (text && calendar_is_date(text))
        return arena_printf(arena, "%sT00:00:00Z", text);
    return text && calendar_time(text, &seconds) ? text : NULL;
}

static const char *later(const char *a, const char *b)
{
    return !a ? b : !b ? a : strcmp(a, b) >= 0 ? a : b;
}

#define DAY strlen("2026-11-20")

const char *site_run_date(const struct site_index *x, const struct site_entry *e,
                          const struct row_evidence *run, struct arena *arena)
{
    const char *until = x->site->settings ? x->site->settings->date : NULL;
    const char *date = e->verdict->state == STATE_FAILED ? NULL : site_date(run->finished, arena);
    return date && (!until || strncmp(date, until, DAY) <= 0) ? date : NULL;
}

const char *site_last_run_date(const struct site_index *x, const struct site_entry *e,
                               struct arena *arena)
{
    const char *latest = NULL;
    for (size_t i = 0; i < e->verdict->n_evidence; i++)
        latest = later(latest, site_run_date(x, e, &e->verdict->evidence[i], arena));
    for (size_t i = 0; e->gone && i < e->gone->n_runs; i++) /* as it was published */
        latest = later(latest, site_date(e->gone->runs[i].date, arena));
    return latest;
}

const char *site_row_day(const struct site_index *index, const struct site_row *row,
                         struct arena *arena, bool *ran)
{
    const struct site_entry *e = row->entry;
    const char *run = row->evidence ? site_run_date(index, e, row->evidence, arena) : NULL;
    const char *date = run ? run : site_date(e->history[0].date, arena);
    *ran = run != NULL;
    return date ? arena_strndup(arena, date, DAY) : NULL;
}

static const char *newest_of(const struct site_index *index, const struct site_entry *e,
                             const char *newest, struct arena *arena)
{
    const struct verdict *v = e->verdict;
    if (v->state == STATE_VERIFIED) /* else what a run says of itself dates what is of others */
        newest = later(newest, site_last_run_date(index, e, arena));
    for (size_t k = 0; k < v->n_reproductions; k++)
        newest = later(newest, site_date(v->reproductions[k].record->date, arena));
    if (e->result->withdrawn)
        newest = later(newest, site_date(e->result->withdrawn->date, arena));
    for (size_t k = 0; k < e->n_history; k++)
        newest = later(newest, site_date(e->history[k].date, arena));
    return newest;
}

const char *site_newest_date(const struct site_index *index, struct arena *arena)
{
    const char *newest = NULL;
    for (size_t i = 0; i < index->n_gone; i++)
        newest = newest_of(index, &index->gone[i], newest, arena);
    for (size_t i = 0; i < index->n_entries; i++)
        newest = newest_of(index, &index->entries[i], newest, arena);
    const struct site_settings *says = index->site->settings;
    return newest || !says ? newest : site_date(says->date, arena);
}
