#include "renderer/site/history/history.h"

#include "base/markdown/markdown.h"
#include "renderer/site/index/dates.h"
#include "renderer/site/sheet/kind.h"
#include "renderer/words/ratio.h"

#include <string.h>

#define NAMED 3 /* figures in a sentence */

static const char *figure_name(const struct sheet *s, const char *key)
{
    const struct metrics_column *column = metrics_by_key(key);
    return column ? sheet_words(s, column->label) : sheet_short(s, key);
}

static const char *published_date(struct sheet *s, const char *text)
{
    return text ? sheet_short(s, markdown_plain(s->arena, text)) : sheet_t(s, "figure.nothing");
}

/* {"unit", "arrow", "direction"} of a figure. */
static void set_unit(struct sheet *s, struct view *v, const char *key)
{
    const struct metrics_column *column = metrics_by_key(key);
    view_set_text(v, "unit", column ? sheet_unit(s, column->unit) : "");
    sheet_set_direction(s, v, column ? column->better : DIRECTION_NONE);
}

/* As it stands alone: a ratio with what it is read as. */
static const char *figure_text(struct sheet *s, const char *key, const char *text,
                               const struct figure *says)
{
    return published_date(s, text ? ratio_read(key, sheet_flag(s, text), says, s->arena) : NULL);
}

/* The same with its unit behind it, which percentages bring along. */
static const char *with_unit(struct sheet *s, const char *key, const char *text,
                             const struct figure *says)
{
    const struct metrics_column *column = metrics_by_key(key);
    const char *shown = figure_text(s, key, text, says), *unit = column ? column->unit : "";
    bool bare = text && unit && *unit && !strstr(shown, unit) && !figure_is_absent(says);
    return bare ? arena_printf(s->arena, "%s\u00a0%s", shown, sheet_unit(s, unit)) : shown;
}

static const char *value_word(struct sheet *s, const struct site_figure_change *c)
{
    return sheet_t(s, c->stated ? "value.stated" : "value.recomputed");
}

/* "MFU 52.4%, …" of a row that was added or removed; "": it states nothing. */
static const char *changed_row_figures(struct sheet *s, const struct site_row_change *c)
{
    const char *all = "";
    for (size_t i = 0; i < c->n_figures; i++)
        all = arena_printf(
            s->arena, "%s%s%s %s", all, i ? sheet_t(s, "comma") : "",
            figure_name(s, c->figures[i].name),
            with_unit(s, c->figures[i].name, c->figures[i].stated, c->figures[i].says));
    return all;
}

/* Words of a row (base/figures/row_key.h), each as lists have configurations; "": none are known.
 */
static const char *conf_words(struct sheet *s, const char *words)
{
    static const char between[] = " · ";
    const char *all = "", *at = words ? published_date(s, words) : "";
    while (*at) {
        const char *end = strstr(at, between);
        size_t n = end ? (size_t)(end - at) : strlen(at);
        all = arena_printf(s->arena, "%s%s%s", all, *all ? between : "",
                           sheet_configuration(s, arena_strndup(s->arena, at, n)));
        at += end ? n + strlen(between) : n;
    }
    return all;
}

static const char *row_words(struct sheet *s, const struct site_row_change *c)
{
    const char *all = conf_words(s, c->words);
    return *all ? all : sheet_t(s, "removed.row");
}

const char *site_row_words(const struct verdict_row *rows, size_t n, int table, int row)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i].table == table && rows[i].row == row)
            return rows[i].configuration;
    return NULL;
}

static void set_configuration(struct sheet *s, struct view *v, const char *words)
{
    view_set_text(v, "configuration", conf_words(s, words));
    view_set_text(v, "configuration_lang", sheet_language(s, view_get(v, "configuration")->text));
}

/* Where a row is, its figures stand; where it is not, a word. */
static void push_changed_row(struct sheet *s, struct view *list, const struct site_row_change *c)
{
    struct view *v = view_push_object(list);
    const char *figures = changed_row_figures(s, c);
    const char *there = *figures ? figures : sheet_t(s, "row.there");
    view_set_text(v, "place", sheet_place(s, c->table, c->row));
    view_set_text(v, "figure", row_words(s, c));
    view_set_text(v, "unit", "");
    sheet_set_direction(s, v, DIRECTION_NONE);
    set_configuration(s, v, NULL);
    view_set_text(v, "value", sheet_t(s, c->added ? "row.added" : "row.removed"));
    view_set_text(v, "before", c->added ? sheet_t(s, "row.none") : there);
    view_set_text(v, "now", c->added ? there : sheet_t(s, "row.none"));
    view_set_flag(v, "none_before", c->added);
    view_set_flag(v, "none_now", !c->added);
}

void sheet_push_changed(struct sheet *s, struct view *list, const struct site_figure_changes *of,
                        const struct verdict *now)
{
    for (size_t i = 0; i < of->n_rows; i++)
        push_changed_row(s, list, &of->rows[i]);
    for (size_t i = 0; i < of->n; i++) {
        const struct site_figure_change *c = &of->items[i];
        struct view *v = view_push_object(list);
        view_set_text(v, "place", sheet_place(s, c->table, c->row));
        view_set_text(v, "figure", figure_name(s, c->name));
        view_set_text(v, "value", value_word(s, c));
        view_set_text(v, "before", figure_text(s, c->name, c->before, c->said));
        view_set_text(v, "now", figure_text(s, c->name, c->now, c->says));
        set_unit(s, v, c->name);
        set_configuration(s, v,
                          now ? site_row_words(now->rows, now->n_rows, c->table, c->row) : NULL);
        view_set_flag(v, "none_before", c->before == NULL);
        view_set_flag(v, "none_now", c->now == NULL);
    }
}

static const char *more_text(struct sheet *s, size_t left)
{
    return left ? sheet_fill(s, "history.more", {"n", sheet_number(s, left)}) : "";
}

const char *sheet_changed_more(struct sheet *s, const struct site_figure_changes *of)
{
    return more_text(s, of->total + of->added + of->removed - of->n - of->n_rows);
}

/* "2 rows were added: row 1 (A100 1x8 · bf16), …"; "": none was. */
static const char *rows_text(struct sheet *s, const struct site_figure_changes *of, bool added)
{
    const char *all = "";
    size_t total = added ? of->added : of->removed, n = 0;
    for (size_t i = 0; i < of->n_rows && n < NAMED; i++) {
        const struct site_row_change *c = &of->rows[i];
        if (c->added != added)
            continue;
        const char *one = sheet_fill(s, "history.row", {"place", sheet_place(s, c->table, c->row)},
                                     {"row", row_words(s, c)});
        all = arena_printf(s->arena, "%s%s%s", all, n++ ? sheet_t(s, "list.next") : "", one);
    }
    if (n && total > n)
        all =
            arena_printf(s->arena, "%s%s%s", all, sheet_t(s, "list.next"), more_text(s, total - n));
    return !total
               ? ""
               : sheet_fill(
                     s, added ? "history.added" : "history.removed", {"n", sheet_number(s, total)},
                     {"list", n ? arena_printf(s->arena, "%s%s", sheet_t(s, "colon"), all) : ""});
}

static const char *figures_text(struct sheet *s, const struct site_figure_changes *of)
{
    const char *all = "";
    size_t n = of->n < NAMED ? of->n : NAMED;
    for (size_t i = 0; i < n; i++) {
        const struct site_figure_change *c = &of->items[i];
        const char *one =
            sheet_fill(s, "history.figure", {"place", sheet_place(s, c->table, c->row)},
                       {"figure", figure_name(s, c->name)}, {"value", value_word(s, c)},
                       {"before", with_unit(s, c->name, c->before, c->said)},
                       {"now", with_unit(s, c->name, c->now, c->says)});
        all = arena_printf(s->arena, "%s%s%s", all, i ? sheet_t(s, "list.next") : "", one);
    }
    if (n && of->total > n)
        all = arena_printf(s->arena, "%s%s%s", all, sheet_t(s, "list.next"),
                           more_text(s, of->total - n));
    return sheet_fill(s, of->total == 1 ? "history.one" : "history.changed",
                      {"n", sheet_number(s, of->total)},
                      {"list", n ? arena_printf(s->arena, "%s%s", sheet_t(s, "colon"), all) : ""});
}

const char *sheet_changed_text(struct sheet *s, const struct site_figure_changes *of)
{
    const char *all = "", *parts[] = {rows_text(s, of, true), rows_text(s, of, false),
                                      of->total ? figures_text(s, of) : ""};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (*parts[i])
            all = *all ? sheet_fill(s, "sentence.two", {"one", all}, {"next", parts[i]}) : parts[i];
    return all;
}

void sheet_set_removed(struct sheet *s, struct view *v)
{
    sheet_set_state(s, v, STATE_WITHDRAWN);
    view_set_text(v, "state", SITE_REMOVED);
    view_set_text(v, "state_word", sheet_t(s, "state.removed"));
    view_set_text(v, "state_meaning", sheet_t(s, "meaning.removed"));
}

static void push_moment(struct sheet *s, struct view *list, const struct site_moment *m,
                        bool current)
{
    struct view *v = view_push_object(list);
    if (m->removed)
        sheet_set_removed(s, v);
    else
        sheet_set_state(s, v, m->state);
    view_set_text(v, "by", sheet_fill(s, "history.by", {"tool", m->tool}, {"rules", m->rules}));
    view_set_text(v, "date", m->date ? arena_strndup(s->arena, m->date, 10) : "");
    view_set_flag(v, "current", current);
    sheet_push_changed(s, view_set_list(v, "figures"), &m->figures, NULL);
    view_set_text(v, "more", sheet_changed_more(s, &m->figures));
    view_set_flag(v, "has_figures", site_any_change(&m->figures));
}

void sheet_set_history(struct sheet *s, const struct site_entry *e)
{
    struct view *list = view_set_list(s->view, "history");
    for (size_t i = e->n_history; i-- > 0;)
        push_moment(s, list, &e->history[i], i + 1 == e->n_history);
}

/* ---- results that are gone ----------------------------------------------------------------- */

const char *sheet_gone_text(struct sheet *s, const struct site_entry *e)
{
    const struct site_moment *m = &e->history[e->n_history - 1];
    const char *unknown = sheet_t(s, "removed.unknown");
    return sheet_fill(s,
                      e->unread              ? "removed.unread"
                      : e->result->withdrawn ? "removed.withdrawn"
                                             : "removed.sentence",
                      {"date", m->date ? arena_strndup(s->arena, m->date, 10) : unknown},
                      {"last", e->gone->last ? e->gone->last : unknown},
                      {"state", sheet_state_word(s, e->verdict->state)});
}

static void set_last_figures(struct sheet *s, const struct site_was *was)
{
    struct view *list = view_set_list(s->view, "figures");
    for (size_t i = 0; i < was->n_figures; i++) {
        const struct metric *m = &was->figures[i];
        struct view *v = view_push_object(list);
        const char *absent = sheet_figure_absent(s, m);
        view_set_text(v, "place", sheet_place(s, m->table, m->row));
        view_set_text(v, "figure", figure_name(s, m->name));
        view_set_flag(v, "no_stated", absent != NULL);
        set_unit(s, v, m->name);
        set_configuration(s, v, site_row_words(was->rows, was->n_rows, m->table, m->row));
        view_set_flag(v, "judged", was->judged && !absent);
        sheet_set_outcome(s, v, m);
        view_set_text(v, "stated", absent ? absent : figure_text(s, m->name, m->stated, m->says));
        view_set_flag(v, "no_recomputed", m->found == NULL);
        view_set_text(v, "recomputed",
                      m->found ? figure_text(s, m->name, figure_print(m->found, s->arena), m->found)
                               : sheet_t(s, "figure.notrun"));
    }
    view_set_flag(s->view, "has_figures", list->n > 0);
}

/* "2026-11-20" of what a publication says is a date; "". */
static const char *day_of_publication(struct sheet *s, const char *text)
{
    const char *date = site_date(text, s->arena);
    return date ? arena_strndup(s->arena, date, strlen("2026-11-20")) : "";
}

/* What stood behind it; the files are no part of the site any more, and their sums tell them. */
static void set_last_runs(struct sheet *s, const struct site_was *was)
{
    struct view *runs = view_set_list(s->view, "runs");
    struct view *again = view_set_list(s->view, "reproductions");
    for (size_t i = 0; i < was->n_runs; i++) {
        const struct site_was_run *r = &was->runs[i];
        struct view *v = view_push_object(runs);
        view_set_text(v, "place", sheet_place(s, r->table, r->row));
        view_set_text(v, "archive", r->archive);
        view_set_text(v, "sha256", r->sha256);
        view_set_text(v, "date", day_of_publication(s, r->date));
    }
    for (size_t i = 0; i < was->n_reproductions; i++) {
        const struct reproduction *r = was->reproductions[i].record;
        struct view *v = view_push_object(again);
        bool agrees = reproduction_is_reproduced(r);
        view_set_text(v, "place", sheet_place(s, (int)r->table, (int)r->row));
        sheet_set_pieces(s, v, "by", r->by);
        view_set_text(v, "date", day_of_publication(s, r->date));
        view_set_text(v, "sha256", r->sha256);
        view_set_text(v, "outcome", agrees ? "pass" : "fail");
        view_set_text(v, "outcome_icon", agrees ? "✓" : "✕");
        view_set_text(v, "outcome_word",
                      sheet_t(s, agrees ? "reproduction.yes" : "reproduction.no"));
    }
    view_set_flag(s->view, "has_runs", runs->n > 0);
    view_set_flag(s->view, "has_reproductions", again->n > 0);
}

static void fill_gone(struct sheet *s, size_t i)
{
    const struct site_index *x = s->index;
    const struct site_entry *e = &x->gone[i];
    const char *said = sheet_gone_text(s, e);
    sheet_set_title(s, arena_printf(s->arena, "%s · %s", sheet_vendor(s, e), e->result->case_id),
                    said);
    bool listed = site_list_find(x->vendors, x->n_vendors, e->result->vendor) != NULL;
    view_set_text(s->view, "vendor", listed ? e->result->vendor : "");
    view_set_text(s->view, "vendor_name", sheet_vendor(s, e));
    view_set_text(s->view, "case", e->result->case_id);
    view_set_text(s->view, "sentence", said);
    view_set_flag(s->view, "unread", e->unread);
    sheet_set_removed(s, s->view);
    if (e->unread)
        sheet_set_state(s, s->view, e->verdict->state);
    sheet_set_withdrawal(s, s->view, e->result);
    set_last_figures(s, e->gone);
    set_last_runs(s, e->gone);
    sheet_set_history(s, e);
}

static const char *name_gone(const struct site_index *index, size_t i, struct arena *arena)
{
    (void)arena;
    return index->gone[i].verdict->id;
}

const struct site_kind site_kind_gone = {
    .name = "gone",
    .path = "result/{name}/index.html",
    .template = "site/gone.html",
    .section = "results",
    .counted = SITE_COUNT(n_gone),
    .name_of = name_gone,
    .fill = fill_gone,
    .depends = SITE_ON_OUTLINE,
};
