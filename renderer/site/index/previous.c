#include "renderer/site/index/previous.h"

#include "base/calendar.h"
#include "base/files/file.h"
#include "base/json/json.h"
#include "base/json/shape.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define INDEX_SCHEMA "fpreport.index/1"

static bool read_previous_state(const struct json *at, enum state *out)
{
    const char *name = json_get_text(at, "state", "");
    for (int s = STATE_VERIFIED; s <= STATE_WITHDRAWN; s++)
        if (strcmp(state_name((enum state)s), name) == 0) {
            *out = (enum state)s;
            return true;
        }
    return false;
}

/* "2.3" */
static bool read_previous_place(const struct json *at, int *table, int *row)
{
    char end;
    return sscanf(json_get_text(at, "place", ""), "%9d.%9d%c", table, row, &end) == 2 &&
           *table >= 0 && *row >= 0;
}

static const struct json *list_of(const struct json *at, const char *key)
{
    const struct json *list = json_get(at, key);
    return list && list->kind == JSON_ARRAY ? list->child : NULL;
}

/* How many; at least `least`, which are told. */
static size_t read_previous_count(const struct json *at, const char *key, size_t least)
{
    const struct json *count = json_get(at, key);
    bool good = count && count->kind == JSON_NUMBER && count->number > 0 && count->number < 1e9;
    return good && (size_t)count->number > least ? (size_t)count->number : least;
}

static void read_row_changes(const struct json *at, struct arena *arena,
                             struct site_figure_changes *out)
{
    size_t added = 0, removed = 0;
    for (const struct json *r = list_of(at, "rows"); r && out->n_rows < SITE_FIGURES_SHOWN;
         r = r->next) {
        struct site_row_change c = {.key = json_get_text(r, "key", NULL),
                                    .words = json_get_text(r, "configuration", NULL)};
        c.added = strcmp(json_get_text(r, "change", ""), "added") == 0;
        if (!read_previous_place(r, &c.table, &c.row))
            continue;
        for (const struct json *f = list_of(r, "figures"); f && c.n_figures < SITE_ROW_FIGURES;
             f = f->next)
            *(struct site_row_figure *)ARENA_PUSH(arena, c.figures, c.n_figures) =
                (struct site_row_figure){json_get_text(f, "figure", ""),
                                         json_get_text(f, "stated", ""),
                                         figure_read(json_get_text(f, "stated", ""), arena)};
        ++*(c.added ? &added : &removed);
        *(struct site_row_change *)ARENA_PUSH(arena, out->rows, out->n_rows) = c;
    }
    out->added = read_previous_count(at, "rows_added", added);
    out->removed = read_previous_count(at, "rows_removed", removed);
}

static void read_previous_changes(const struct json *at, struct arena *arena,
                                  struct site_figure_changes *out)
{
    for (const struct json *f = list_of(at, "figures"); f && out->n < SITE_FIGURES_SHOWN;
         f = f->next) {
        struct site_figure_change c = {.name = json_get_text(f, "figure", ""),
                                       .before = json_get_text(f, "before", NULL),
                                       .now = json_get_text(f, "now", NULL)};
        c.said = figure_read(c.before, arena);
        c.says = figure_read(c.now, arena);
        c.stated = strcmp(json_get_text(f, "value", ""), "stated") == 0;
        if (read_previous_place(f, &c.table, &c.row))
            *(struct site_figure_change *)ARENA_PUSH(arena, out->items, out->n) = c;
    }
    out->total = read_previous_count(at, "changed", out->n);
    read_row_changes(at, arena, out);
}

/* `before` is the state of the line in front of it. */
static bool read_moment(const struct json *at, enum state before, struct arena *arena,
                        struct site_moment *out)
{
    *out = (struct site_moment){.state = before,
                                .tool = json_get_text(at, "tool", ""),
                                .rules = json_get_text(at, "rules", ""),
                                .date = json_get_text(at, "date", NULL)};
    out->removed = strcmp(json_get_text(at, "state", ""), SITE_REMOVED) == 0;
    read_previous_changes(at, arena, &out->figures);
    return out->removed || read_previous_state(at, &out->state);
}

static bool read_history(const struct json *at, struct arena *arena, struct site_was *out)
{
    const struct json *history = json_get(at, "history");
    struct site_moment last = {.state = STATE_UNVERIFIED};
    if (!history || history->kind != JSON_ARRAY || history->n == 0)
        return false;
    size_t place = 0;
    for (const struct json *m = history->child; m; m = m->next, place++) {
        struct site_moment moment;
        if (!read_moment(m, last.state, arena, &moment))
            return false;
        last = moment;
        if (place == 0 || history->n - place < SITE_HISTORY_MAX)
            *(struct site_moment *)ARENA_PUSH(arena, out->history, out->n_history) = moment;
    }
    out->removed = last.removed;
    return true;
}

/* Sites of before 2026-11-23 kept none. */
static bool read_outcome(const struct json *at, struct metric *m)
{
    const char *name = json_get_text(at, "outcome", "");
    m->source = json_get_text(at, "source", NULL);
    m->outcome = OUTCOME_CANNOT;
    for (int o = OUTCOME_PASS; o <= OUTCOME_CANNOT; o++)
        if (strcmp(outcome_name((enum outcome)o), name) == 0) {
            m->outcome = (enum outcome)o;
            return true;
        }
    return false;
}

static void read_previous_figures(const struct json *at, struct arena *arena, struct site_was *out)
{
    struct metric *figures = NULL;
    out->judged = true;
    for (const struct json *f = list_of(at, "figures"); f && out->n_figures < SITE_FIGURES_KEPT;
         f = f->next) {
        struct metric m = {.name = json_get_text(f, "figure", ""),
                           .stated = json_get_text(f, "stated", NULL),
                           .found = figure_read_back(json_get_text(f, "recomputed", NULL), arena)};
        metric_read(&m, arena);
        out->judged &= read_outcome(f, &m);
        if (read_previous_place(f, &m.table, &m.row))
            *(struct metric *)ARENA_PUSH(arena, figures, out->n_figures) = m;
    }
    out->figures = figures;
}

static void read_previous_rows(const struct json *at, struct arena *arena, struct site_was *out)
{
    struct verdict_row *rows = NULL;
    for (const struct json *r = list_of(at, "rows"); r && out->n_rows < SITE_FIGURES_KEPT;
         r = r->next) {
        struct verdict_row row = {.key = json_get_text(r, "key", NULL),
                                  .configuration = json_get_text(r, "configuration", NULL)};
        if (read_previous_place(r, &row.table, &row.row))
            *(struct verdict_row *)ARENA_PUSH(arena, rows, out->n_rows) = row;
    }
    out->rows = rows;
}

static void read_withdrawal(const struct json *at, struct arena *arena, struct site_was *out)
{
    const struct json *w = json_get(at, "withdrawn");
    if (!w || w->kind != JSON_OBJECT || !calendar_is_date(json_get_text(w, "date", "")))
        return;
    struct withdrawal *to = arena_alloc(arena, sizeof *to);
    to->date = json_get_text(w, "date", "");
    to->by = json_get_text(w, "by", "");
    to->reason.zh = json_get_text(w, "reason_zh", NULL);
    to->reason.en = json_get_text(w, "reason_en", NULL);
    out->withdrawn = to;
}

static void read_reproductions(const struct json *at, struct arena *arena, struct site_was *out)
{
    for (const struct json *r = list_of(at, "reproductions");
         r && out->n_reproductions < SITE_RUNS_KEPT; r = r->next) {
        struct reproduction *x = arena_alloc(arena, sizeof *x);
        int table, row;
        *x = (struct reproduction){.id = json_get_text(r, "id", NULL),
                                   .by = json_get_text(r, "by", ""),
                                   .date = json_get_text(r, "date", ""),
                                   .outcome = json_get_text(r, "outcome", ""),
                                   .archive = json_get_text(r, "archive", ""),
                                   .sha256 = json_get_text(r, "sha256", "")};
        if (!x->id || !read_previous_place(r, &table, &row))
            continue;
        x->table = table;
        x->row = row;
        *(struct verdict_reproduction *)ARENA_PUSH(arena, out->reproductions,
                                                   out->n_reproductions) =
            (struct verdict_reproduction){.record = x, .sound = true};
    }
}

/* Pages are made for it, and files read: "<vendor>/<case>", both ids. */
static bool is_result_id(const char *id, struct arena *arena)
{
    const char *slash = id ? strchr(id, '/') : NULL;
    return slash && shape_is_id(slash + 1) &&
           shape_is_id(arena_strndup(arena, id, (size_t)(slash - id)));
}

static bool read_previous_result(const struct json *at, struct arena *arena, struct site_was *out)
{
    *out = (struct site_was){.id = json_get_text(at, "id", NULL),
                             .last = json_get_text(at, "last_published", NULL)};
    out->called = out->id;
    if (!is_result_id(out->id, arena) || !read_history(at, arena, out))
        return false;
    out->revisions = read_previous_count(at, "revisions", 0);
    for (const struct json *r = list_of(at, "evidence"); r && out->n_runs < SITE_RUNS_KEPT;
         r = r->next) {
        struct site_was_run run = {.archive = json_get_text(r, "archive", NULL),
                                   .sha256 = json_get_text(r, "sha256", NULL),
                                   .date = json_get_text(r, "date", NULL)};
        if (read_previous_place(r, &run.table, &run.row))
            *(struct site_was_run *)ARENA_PUSH(arena, out->runs, out->n_runs) = run;
    }
    read_reproductions(at, arena, out);
    if (out->removed) {
        read_previous_figures(at, arena, out);
        read_previous_rows(at, arena, out);
        read_withdrawal(at, arena, out);
    }
    return true;
}

static int previous_fault(struct diags *diags, const char *path, const struct json *at,
                          const char *expected)
{
    diags_add(diags, SEVERITY_ERROR, path, at->line, at->col, "expected %s", expected);
    return -1;
}

int site_previous_load(struct site_previous *out, const char *folder, struct arena *arena,
                       struct diags *diags)
{
    const char *path = path_join(arena, folder, SITE_INDEX_FILE);
    struct bytes text;
    struct err err = ERR_INIT;
    *out = (struct site_previous){0};
    if (file_read(path, SITE_INDEX_BYTES_MAX, arena, &text, &err) == 0)
        return site_previous_read(out, path, text, arena, diags);
    diags_add_err(diags, path, 0, 0, &err);
    return -1;
}

static int read_results(struct site_previous *out, const char *path, const struct json *list,
                        struct arena *arena, struct diags *diags)
{
    for (const struct json *r = list; r; r = r->next)
        if (!read_previous_result(r, arena, &out->items[out->n++]))
            return previous_fault(diags, path, r, "an id and a history of states");
    return 0;
}

int site_previous_read(struct site_previous *out, const char *path, struct bytes text,
                       struct arena *arena, struct diags *diags)
{
    struct json *root;
    *out = (struct site_previous){0};
    if (json_parse_large(path, text, SITE_INDEX_BYTES_MAX, arena, &root, diags) < 0)
        return -1;
    const struct json *results = json_get(root, "results"), *removed = json_get(root, "removed");
    if (strcmp(json_get_text(root, "schema", ""), INDEX_SCHEMA) != 0 || !results ||
        results->kind != JSON_ARRAY)
        return previous_fault(diags, path, root,
                              "\"schema\": \"" INDEX_SCHEMA "\" and a list of results");
    bool any_removed = removed && removed->kind == JSON_ARRAY;
    out->tool = json_get_text(root, "tool", "");
    out->rules = json_get_text(root, "rules", "");
    out->date = json_get_text(root, "date", NULL);
    out->items =
        arena_array(arena, results->n + (any_removed ? removed->n : 0), sizeof *out->items);
    if (read_results(out, path, results->child, arena, diags) < 0 ||
        (any_removed && read_results(out, path, removed->child, arena, diags) < 0))
        return -1;
    qsort(out->items, out->n, sizeof *out->items, text_by_bytes);
    return 0;
}

static int by_letters(const void *a, const void *b)
{
    return strcasecmp(*(const char *const *)a, *(const char *const *)b);
}

/* Of the sorted ids the one that this is but for its letters; NULL: none, or it is one of them. */
static const char *renamed(const char *id, const char *const *sorted, size_t n)
{
    const char *const *found = n ? bsearch(&id, sorted, n, sizeof *sorted, by_letters) : NULL;
    while (found && found > sorted && by_letters(found - 1, &id) == 0)
        found--;
    for (const char *const *at = found; at && at < sorted + n && by_letters(at, &id) == 0; at++)
        if (strcmp(*at, id) == 0)
            return NULL;
    return found ? *found : NULL;
}

void site_previous_rename(struct site_previous *p, const char *const *ids, size_t n,
                          struct arena *arena)
{
    const char **sorted = arena_array(arena, n, sizeof *sorted);
    const char **now = arena_array(arena, p->n, sizeof *now);
    bool any = false;
    for (size_t i = 0; i < n; i++)
        sorted[i] = ids[i];
    if (n)
        qsort(sorted, n, sizeof *sorted, by_letters);
    for (size_t i = 0; i < p->n; i++) {
        const char *id = renamed(p->items[i].id, sorted, n);
        now[i] = id && !site_previous_find(p, id) ? id : NULL;
        any |= now[i] != NULL;
    }
    for (size_t i = 0; any && i < p->n; i++)
        p->items[i].id = now[i] ? now[i] : p->items[i].id;
    if (any)
        qsort(p->items, p->n, sizeof *p->items, text_by_bytes);
}

void site_previous_sums(struct site_previous *p, struct bytes text, struct arena *arena)
{
    struct json *root;
    struct diags ignored = DIAGS_INIT(arena);
    if (json_parse_large(SITE_SUMS_FILE, text, SITE_INDEX_BYTES_MAX, arena, &root, &ignored) < 0)
        return;
    for (const struct json *r = list_of(root, "rows"); r; r = r->next) {
        struct site_was *was = site_previous_find(p, json_get_text(r, "result", ""));
        if (was)
            was->figures_sum = json_get_text(r, "sha256", NULL);
    }
}

enum state site_was_state(const struct site_was *was)
{
    return was->history[was->n_history - 1].state;
}

struct site_was *site_previous_find(const struct site_previous *previous, const char *id)
{
    if (!previous || previous->n == 0)
        return NULL;
    return bsearch(&id, previous->items, previous->n, sizeof *previous->items, text_by_bytes);
}
