#include "renderer/site/data/tables_events.h"

#include "base/figures/row_key.h"
#include "renderer/site/history/events.h"
#include "renderer/site/history/history.h"
#include "renderer/site/index/figures.h"
#include "renderer/words/ratio.h"

#include <string.h>

/* ---- since the publication before ----------------------------------------------------------- */

/* A result that was, or is, not there has a word for a state, too; no cell is empty. */
static const char *const change_columns[] = {"result", "before", "now",  "place",
                                             "figure", "value",  "unit", "configuration"};

static void add_state(struct data_table *t, const struct site_entry *e)
{
    const char *before = !e->was           ? "not listed"
                         : e->was->removed ? SITE_REMOVED
                                           : state_name(site_was_state(e->was));
    ROW(t, e->verdict->id, before, e->gone ? SITE_REMOVED : state_name(e->verdict->state), "result",
        "state", "verdict", NULL, NULL);
}

static const char *event_unit(const char *key, const struct figure *says, struct arena *arena)
{
    const struct metrics_column *column = metrics_by_key(key);
    return column ? data_text(ratio_unit(key, says, column->unit, arena)) : NULL;
}

/* "%", "ratio"; "% / ratio" where it became the other. */
static const char *unit_of_change(struct arena *arena, const struct site_figure_change *c)
{
    const char *was = event_unit(c->name, c->before ? c->said : c->says, arena);
    const char *is = event_unit(c->name, c->now ? c->says : c->said, arena);
    return !was || strcmp(was, is) == 0 ? is : arena_printf(arena, "%s / %s", was, is);
}

static void add_entry_figures(struct data_table *t, const struct site_entry *e)
{
    const struct site_moment *moments;
    size_t n = site_entry_revised(e, &moments);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < moments[i].figures.n; k++) {
            const struct site_figure_change *c = &moments[i].figures.items[k];
            ROW(t, e->verdict->id, c->before ? c->before : "not listed",
                c->now ? c->now : "not listed", data_place(t->arena, c->table, c->row), c->name,
                c->stated ? "stated" : "recomputed", unit_of_change(t->arena, c),
                i + 1 == n ? site_row_words(e->verdict->rows, e->verdict->n_rows, c->table, c->row)
                           : NULL);
        }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < moments[i].figures.n_rows; k++) {
            const struct site_row_change *c = &moments[i].figures.rows[k];
            const char *words = c->words && *c->words ? c->words : "listed";
            ROW(t, e->verdict->id, c->added ? "not listed" : words, c->added ? words : "not listed",
                row_name(c->table, c->row, c->key, t->arena), "row", "configuration", NULL,
                data_text(c->words));
        }
}

static void fill_changes_table(struct data_table *t, const struct site_index *x)
{
    const struct site_previous *previous = x->site->previous;
    for (size_t i = 0; previous && i < x->n_entries; i++)
        if (site_entry_changed(&x->entries[i]))
            add_state(t, &x->entries[i]);
    for (size_t i = 0; previous && i < x->n_gone; i++)
        if (site_entry_went(&x->gone[i]))
            add_state(t, &x->gone[i]);
    for (size_t i = 0; previous && i < x->n_entries; i++)
        add_entry_figures(t, &x->entries[i]);
}

/* ---- at any time ---------------------------------------------------------------------------- */

static const char *const event_columns[] = {"date", "result", "event", "state", "by"};
static void fill_events(struct data_table *t, const struct site_index *x)
{
    const struct site_events events =
        site_events_of(x, EVENTS_OF_RESULTS | EVENTS_OF_VERDICTS, &x->all, t->arena);
    for (size_t i = 0; i < events.n; i++) {
        const struct site_event *e = &events.items[i];
        const struct withdrawal *w = e->kind == EVENT_WITHDRAWN ? e->of->result->withdrawn : NULL;
        ROW(t, *e->date ? e->date : NULL, e->of->verdict->id, site_event_name(e->kind),
            e->kind == EVENT_REMOVED ? SITE_REMOVED
            : e->judged              ? state_name(e->state)
                                     : NULL,
            e->reproduction ? e->reproduction->by
            : w             ? w->by
                            : NULL);
    }
}

static void add_withdrawal(struct data_table *t, const struct site_entry *e)
{
    const struct withdrawal *w = e->result->withdrawn;
    if (w)
        ROW(t, e->verdict->id, w->date, w->by, data_text(w->reason.zh), data_text(w->reason.en));
}

static const char *const withdrawn_columns[] = {"result", "date", "by", "reason_zh", "reason_en"};
static void fill_withdrawn_table(struct data_table *t, const struct site_index *x)
{
    for (size_t i = 0; i < x->n_withdrawn; i++)
        add_withdrawal(t, x->withdrawn[i]);
    for (size_t i = 0; i < x->n_gone; i++)
        add_withdrawal(t, &x->gone[i]);
}

static const char *const removed_columns[] = {
    "result", "removed", "last_published", "last_state", "place",
    "figure", "stated",  "recomputed",     "unit",       "configuration"};
static void add_removed(struct data_table *t, const struct site_entry *e)
{
    const struct site_was *was = e->gone;
    const char *date = e->history[e->n_history - 1].date, *state = state_name(e->verdict->state);
    for (size_t i = 0; i < was->n_figures; i++) {
        const struct metric *m = &was->figures[i];
        ROW(t, was->id, date, was->last, state, data_place(t->arena, m->table, m->row), m->name,
            m->stated, figure_print(m->found, t->arena), event_unit(m->name, m->says, t->arena),
            site_row_words(was->rows, was->n_rows, m->table, m->row));
    }
    if (!was->n_figures)
        ROW(t, was->id, date, was->last, state, NULL, NULL, NULL, NULL, NULL, NULL);
}

static void fill_removed(struct data_table *t, const struct site_index *x)
{
    for (size_t i = 0; i < x->n_gone; i++)
        if (!x->gone[i].unread)
            add_removed(t, &x->gone[i]);
}

/* By which the next publication knows whose figures are others. */
static const char *const sum_columns[] = {"result", "figures", "sha256"};
static void fill_sums(struct data_table *t, const struct site_index *x)
{
    struct buf work = BUF_INIT(BUF_DEFAULT_MAX);
    for (size_t i = 0; i < x->n_entries; i++) {
        const struct verdict *v = x->entries[i].verdict;
        ROW(t, v->id, arena_printf(t->arena, "%zu", site_figures_count(v)),
            site_figures_sum(v, &work, t->arena));
    }
    buf_release(&work);
}

const struct site_data_table *site_event_tables(size_t *n)
{
    static const struct site_data_table tables[] = {
        SITE_TABLE("changes", change_columns, fill_changes_table, false),
        SITE_TABLE("events", event_columns, fill_events, false),
        SITE_TABLE("withdrawn", withdrawn_columns, fill_withdrawn_table, false),
        SITE_TABLE("removed", removed_columns, fill_removed, false),
        SITE_TABLE("figures", sum_columns, fill_sums, true),
    };
    *n = sizeof tables / sizeof *tables;
    return tables;
}
