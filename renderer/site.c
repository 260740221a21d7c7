#include "renderer/site.h"

#include "base/figure.h"
#include "base/markdown.h"
#include "base/metrics.h"
#include "renderer/site_parts.h"

#include <stdlib.h>
#include <string.h>

const char *site_words(struct words w)
{
    return w.en ? w.en : w.zh ? w.zh : "";
}

struct site_entry site_entry_of(const struct site *site, size_t index)
{
    const struct result *r = &site->project->results[index];
    return (struct site_entry){.result = r,
                               .verdict = &site->verdicts[index],
                               .case_record = project_case(site->project, r->case_id),
                               .model = project_result_model(site->project, r),
                               .vendor = project_vendor(site->project, r->vendor)};
}

struct view *site_page(const struct site *site, struct arena *arena, const char *title, int depth)
{
    struct view *page = view_object(arena);
    const char *root = "";
    for (int i = 0; i < depth; i++)
        root = arena_printf(arena, "../%s", root);
    view_set_text(page, "page_title", title);
    view_set_text(page, "root", root);
    view_set_text(page, "tool", site->tool);
    view_set_text(page, "rule_set", site->rule_set);
    return page;
}

/* What each state means, in the order of enum state; the index shows them as a legend. */
static const char *const state_meanings[] = {
    [STATE_VERIFIED] = "every claimed figure was recomputed from intact evidence and agrees",
    [STATE_PARTIAL] = "some figures were recomputed from evidence, others could not be",
    [STATE_UNVERIFIED] = "there is no evidence to recompute the figures from",
    [STATE_FAILED] = "a check contradicts the claim",
    [STATE_WITHDRAWN] = "taken back; kept here with the reason",
};
enum { N_STATES = sizeof state_meanings / sizeof *state_meanings };

void site_set_state(struct view *v, enum state state)
{
    view_set_text(v, "state", state_name(state));
    view_set_text(v, "state_meaning", state_meanings[state]);
}

static void set_counts(struct view *page, const struct site *site)
{
    struct view *list = view_set_list(page, "states");
    for (int s = 0; s < N_STATES; s++) {
        size_t n = 0;
        for (size_t i = 0; i < site->n_verdicts; i++)
            n += site->verdicts[i].state == (enum state)s;
        struct view *v = view_push_object(list);
        site_set_state(v, (enum state)s);
        view_set_printf(v, "count", "%zu", n);
    }
}

/* The cell of this row in the column of this key; NULL when the table has none. */
static const char *cell_of(const struct table *t, const struct row *row, const char *key)
{
    for (size_t c = 0; c < t->n_columns && c < row->n_cells; c++) {
        const struct metrics_column *column = metrics_column(t->columns[c]);
        if (column && strcmp(column->key, key) == 0)
            return row->cells[c].text;
    }
    return NULL;
}

/* Results tables show these figures; a row that has none of them shows its configuration. */
static const struct {
    const char *view_key, *column_key;
} shown[] = {
    {"configuration", "configuration"},
    {"throughput", "token_per_s_per_card"},
    {"mfu", "mfu"},
    {"loss", "loss"},
    {"memory", "memory"},
};

static void push_row(struct view *rows, const struct site_entry *e, const struct table *t,
                     size_t row, int table, struct arena *arena)
{
    struct view *v = view_push_object(rows);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        const char *text = cell_of(t, &t->rows[row], shown[i].column_key);
        struct figure f;
        figure_parse(text ? text : "", arena, &f);
        view_set_text(v, shown[i].view_key,
                      !text                       ? "–"
                      : f.kind == FIGURE_WITHHELD ? "withheld"
                      : f.kind == FIGURE_MISSING  ? "missing"
                                                  : markdown_plain(arena, text));
    }
    view_set_text(v, "vendor", e->result->vendor);
    view_set_text(v, "vendor_name", e->vendor ? site_words(e->vendor->name) : e->result->vendor);
    view_set_text(v, "case", e->result->case_id);
    view_set_flag(v, "has_model", e->model != NULL);
    view_set_text(v, "model", e->model ? e->model->id : "");
    view_set_printf(v, "anchor", "t%d-r%zu", table, row + 1);
    site_set_state(v, e->verdict->state);
    view_set_flag(v, "reproduced", verdict_is_reproduced(e->verdict));
}

static void push_result(struct view *rows, const struct site_entry *e, struct arena *arena)
{
    const struct table **tables;
    size_t n = result_figure_tables(e->result, arena, &tables);
    for (size_t t = 0; t < n; t++)
        for (size_t r = 0; r < tables[t]->n_rows; r++)
            push_row(rows, e, tables[t], r, (int)t + 1, arena);
    if (n == 0) {
        static const struct row none = {.n_cells = 0};
        struct table empty = {.rows = (struct row *)&none, .n_rows = 1};
        push_row(rows, e, &empty, 0, 1, arena);
    }
}

void site_set_results(struct view *page, const struct site *site, struct arena *arena,
                      bool (*wanted)(const struct site_entry *, const void *), const void *what)
{
    struct view *rows = view_set_list(page, "results");
    for (size_t i = 0; i < site->n_verdicts; i++) {
        struct site_entry e = site_entry_of(site, i);
        if (wanted(&e, what))
            push_result(rows, &e, arena);
    }
}

static bool any_entry(const struct site_entry *e, const void *what)
{
    (void)e;
    (void)what;
    return true;
}

static bool of_vendor(const struct site_entry *e, const void *what)
{
    return strcmp(e->result->vendor, what) == 0;
}

static bool of_model(const struct site_entry *e, const void *what)
{
    return e->model == what;
}

/* Where pages go while they are made, so that each maker has one argument for it. */
struct output {
    const struct site *site;
    struct templates *templates;
    struct arena *arena;
    file_sink *emit;
    void *self;
};

static int emit_page(struct output *o, const char *path, const char *template, struct view *page,
                     struct err *err)
{
    struct buf html;
    buf_init(&html, BUF_DEFAULT_MAX);
    int rc = templates_render(o->templates, template, page, &html, err);
    if (rc == 0)
        rc = buf_check(&html, path, err);
    if (rc == 0)
        rc = o->emit(o->self, path, html.data, html.len, err);
    buf_release(&html);
    return rc;
}

static int emit_results(struct output *o, struct err *err)
{
    for (size_t i = 0; i < o->site->n_verdicts; i++) {
        const struct result *r = &o->site->project->results[i];
        const char *path = arena_printf(o->arena, "result/%s/%s/index.html", r->vendor, r->case_id);
        struct view *page = site_result_page(o->site, i, o->arena);
        if (emit_page(o, path, "site/result.html", page, err) < 0)
            return -1;
    }
    return 0;
}

/* One list page: all results that `wanted` picks. */
static int emit_list(struct output *o, const char *path, const char *kind, const char *title,
                     const char *facts, bool (*wanted)(const struct site_entry *, const void *),
                     const void *what, struct err *err)
{
    struct view *page = site_page(o->site, o->arena, title, 2);
    view_set_text(page, "kind", kind);
    view_set_text(page, "facts", facts);
    site_set_results(page, o->site, o->arena, wanted, what);
    return emit_page(o, path, "site/list.html", page, err);
}

static bool is_used(const struct site *site,
                    bool (*wanted)(const struct site_entry *, const void *), const void *what)
{
    for (size_t i = 0; i < site->n_verdicts; i++) {
        struct site_entry e = site_entry_of(site, i);
        if (wanted(&e, what))
            return true;
    }
    return false;
}

static int emit_vendors(struct output *o, struct err *err)
{
    const char *done = "";
    for (size_t i = 0; i < o->site->n_verdicts; i++) {
        struct site_entry e = site_entry_of(o->site, i);
        const char *id = e.result->vendor;
        if (strcmp(id, done) == 0) /* results are sorted by vendor */
            continue;
        done = id;
        const char *name = e.vendor ? site_words(e.vendor->name) : id;
        const char *facts = e.vendor && e.vendor->url ? e.vendor->url : "";
        const char *path = arena_printf(o->arena, "vendor/%s/index.html", id);
        if (emit_list(o, path, "vendor", name, facts, of_vendor, id, err) < 0)
            return -1;
    }
    return 0;
}

static int emit_models(struct output *o, struct err *err)
{
    for (size_t i = 0; i < o->site->project->n_models; i++) {
        const struct model *m = &o->site->project->models[i];
        if (!is_used(o->site, of_model, m))
            continue;
        const char *facts =
            arena_printf(o->arena, "N = %g parameters in the MFU formula", m->nominal_parameters);
        const char *path = arena_printf(o->arena, "model/%s/index.html", m->id);
        if (emit_list(o, path, "model", site_words(m->name), facts, of_model, m, err) < 0)
            return -1;
    }
    return 0;
}

static int emit_index(struct output *o, struct err *err)
{
    struct view *page = site_page(o->site, o->arena, "Results", 0);
    set_counts(page, o->site);
    site_set_results(page, o->site, o->arena, any_entry, NULL);
    return emit_page(o, "index.html", "site/index.html", page, err);
}

static int emit_rules(struct output *o, struct err *err)
{
    struct view *page = site_page(o->site, o->arena, "Rules", 1);
    struct view *list = view_set_list(page, "rules");
    for (size_t i = 0; i < o->site->n_rules; i++) {
        const struct site_rule *rule = &o->site->rules[i];
        struct view *v = view_push_object(list);
        view_set_text(v, "id", rule->id);
        view_set_text(v, "severity", rule->severity);
        view_set_text(v, "title", site_words(rule->title));
        view_set_text(v, "explanation", site_words(rule->explanation));
    }
    return emit_page(o, "rules/index.html", "site/rules.html", page, err);
}

static int emit_style(struct output *o, struct err *err)
{
    return emit_page(o, "style.css", "site/style.css", view_object(o->arena), err);
}

int site_render(const struct site *site, struct templates *templates, struct arena *arena,
                file_sink *emit, void *self, struct err *err)
{
    static int (*const makers[])(struct output *, struct err *) = {
        emit_index, emit_results, emit_vendors, emit_models, emit_rules, emit_style,
    };
    struct output o = {site, templates, arena, emit, self};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (makers[i](&o, err) < 0)
            return -1;
    return 0;
}
