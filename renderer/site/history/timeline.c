#include "renderer/site/history/timeline.h"

#include "base/text.h"
#include "renderer/charts/stacks.h"

#include <stdlib.h>
#include <string.h>

#define DAY_CHARS 10 /* "2026-11-27" */

/* The results of a list, each once: their rows stand together or not. */
static size_t entries_of(struct sheet *s, const struct site_list *list,
                         const struct site_entry ***out)
{
    bool *seen = arena_array(s->arena, s->index->n_entries + 1, sizeof *seen);
    const struct site_entry **all = arena_array(s->arena, list->n + 1, sizeof *all);
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        const struct site_entry *e = list->rows[i]->entry;
        size_t at = (size_t)(e - s->index->entries);
        if (!seen[at])
            all[n++] = e;
        seen[at] = true;
    }
    *out = all;
    return n;
}

/* The days that any history has, ascending, each once. */
static size_t publication_days(struct sheet *s, const struct site_entry *const *entries, size_t n,
                               const char ***out)
{
    const char **days = NULL;
    size_t all = 0, kept = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < entries[i]->n_history; k++) {
            const char *date = entries[i]->history[k].date;
            if (date && strlen(date) >= DAY_CHARS)
                *(const char **)ARENA_PUSH(s->arena, days, all) =
                    arena_strndup(s->arena, date, DAY_CHARS);
        }
    if (all > 1)
        qsort(days, all, sizeof *days, text_by_bytes);
    for (size_t i = 0; i < all; i++)
        if (kept == 0 || strcmp(days[kept - 1], days[i]) != 0)
            days[kept++] = days[i];
    *out = days;
    return kept;
}

/* What it was on this day; NULL: it was not there. */
static const struct site_moment *moment_on(const struct site_entry *e, const char *day)
{
    const struct site_moment *last = NULL;
    for (size_t k = 0; k < e->n_history; k++) {
        const struct site_moment *m = &e->history[k];
        if (m->date && strncmp(m->date, day, DAY_CHARS) <= 0)
            last = m->removed ? NULL : m;
    }
    return last;
}

void sheet_set_timeline(struct sheet *s, const struct site_list *list)
{
    const struct site_entry **entries;
    const char **days;
    size_t n = entries_of(s, list, &entries), n_days = publication_days(s, entries, n, &days);
    struct chart_stack *stacks = arena_array(s->arena, n_days + 1, sizeof *stacks);
    for (size_t d = 0; d < n_days; d++) {
        stacks[d] = (struct chart_stack){.label = days[d]};
        for (size_t i = 0; i < n; i++) {
            const struct site_moment *m = moment_on(entries[i], days[d]);
            if (m)
                stacks[d].counts[m->state]++;
        }
    }
    const char **words = arena_array(s->arena, SITE_STATES, sizeof *words);
    for (int i = 0; i < SITE_STATES; i++)
        words[i] = sheet_state_word(s, (enum state)i);
    const struct chart_stacks chart = {.id = "timeline",
                                       .title = sheet_t(s, "timeline.title"),
                                       .description = sheet_t(s, "timeline.description"),
                                       .state_words = words,
                                       .stacks = stacks,
                                       .n = n_days};
    struct buf svg = BUF_INIT(BUF_DEFAULT_MAX);
    if (n_days > 1)
        chart_stacks_write(&svg, &chart, CHART_BOTH);
    view_set_raw(s->view, "timeline", svg.len ? svg.data : "");
    buf_release(&svg);
}
