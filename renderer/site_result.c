/* The page of one result (site.h): verdict first, then the claims as published. */
#include "renderer/site_parts.h"

#include "base/buf.h"
#include "base/facts.h"
#include "base/markdown.h"
#include "base/metrics.h"
#include "renderer/chart.h"

#include <stdio.h>
#include <string.h>

static void set_note(struct view *v, const char *key, const char *markdown)
{
    struct buf html;
    buf_init(&html, BUF_DEFAULT_MAX);
    if (markdown)
        markdown_html(&html, markdown);
    view_set_raw(v, key, html.data);
    buf_release(&html);
}

static void set_inline(struct view *v, const char *key, const char *markdown)
{
    struct buf html;
    buf_init(&html, BUF_DEFAULT_MAX);
    if (markdown)
        markdown_inline_html(&html, markdown);
    view_set_raw(v, key, html.data);
    buf_release(&html);
}

/* Bullets below bullets are rare and never deep: they become one indented list. */
static void push_items(struct view *list, const struct item *items, size_t n, int depth,
                       struct arena *arena)
{
    for (size_t i = 0; i < n; i++) {
        struct view *v = view_push_object(list);
        view_set_text(v, "label", items[i].label ? markdown_plain(arena, items[i].label) : "");
        set_inline(v, "value", items[i].value);
        view_set_flag(v, "missing", items[i].label && !*items[i].value && !items[i].n_items);
        view_set_flag(v, "withheld", items[i].label && strcmp(items[i].value, "/") == 0);
        view_set_flag(v, "inner", depth > 0);
        push_items(list, items[i].items, items[i].n_items, depth + 1, arena);
    }
}

static void push_groups(struct view *list, const struct group *groups, size_t n,
                        struct arena *arena)
{
    for (size_t i = 0; i < n; i++) {
        struct view *g = view_push_object(list);
        view_set_text(g, "label", markdown_plain(arena, groups[i].label));
        push_items(view_set_list(g, "items"), groups[i].items, groups[i].n_items, 0, arena);
    }
}

static void set_environments(struct view *page, const struct result *r, struct arena *arena)
{
    struct view *list = view_set_list(page, "environments");
    for (size_t i = 0; i < r->n_environments; i++) {
        struct view *e = view_push_object(list);
        view_set_text(e, "title", markdown_plain(arena, r->environments[i].title));
        push_groups(view_set_list(e, "groups"), r->environments[i].groups,
                    r->environments[i].n_groups, arena);
    }
    push_groups(view_set_list(page, "strategies"), r->run_groups, r->n_run_groups, arena);
}

static const char *batch_values(const struct batch_item *b, struct arena *arena)
{
    const char *all = "";
    for (size_t i = 0; i < b->n_values; i++) {
        const struct batch_value *v = &b->values[i];
        all = arena_printf(arena, "%s%s%s%s%s", all, *all ? ", " : "", v->value,
                           v->when ? " for " : "", v->when ? v->when : "");
    }
    return all;
}

static void set_batch(struct view *page, const struct result *r, struct arena *arena)
{
    struct view *list = view_set_list(page, "batch");
    for (size_t i = 0; i < r->n_batch; i++) {
        const struct batch_item *b = &r->batch[i];
        struct view *v = view_push_object(list);
        view_set_text(v, "name", b->name ? b->name : b->symbol ? b->symbol : "");
        view_set_text(v, "symbol", b->symbol && b->name ? b->symbol : "");
        view_set_text(v, "values", batch_values(b, arena));
        view_set_text(v, "file", b->file ? b->file : "");
        set_inline(v, "text", b->text.zh);
    }
    view_set_flag(page, "has_batch", r->n_batch > 0);
}

static void set_performance(struct view *page, const struct site_entry *e, struct arena *arena)
{
    const struct result *r = e->result;
    struct view *list = view_set_list(page, "performance");
    int table = 0;
    for (size_t i = 0; i < r->n_performance; i++) {
        const struct block *b = &r->performance[i];
        struct view *v = view_push_object(list);
        bool figures = b->table && metrics_is_table(b->table);
        table += figures;
        view_set_flag(v, "english", !b->table && b->text.en);
        set_note(v, "note", b->table ? NULL : b->text.en ? b->text.en : b->text.zh);
        if (b->table)
            view_set(v, "table", site_table(b->table, figures ? e->verdict : NULL, table, arena));
        else
            view_set_flag(v, "table", false);
    }
    struct view *general = view_set_list(page, "general");
    if (r->general)
        view_push(general, site_table(r->general, NULL, 0, arena));
}

/* "table 2 row 3", in words that stay short when there is one table. */
static void set_place(struct view *v, int table, int row)
{
    if (row > 0 && table > 1)
        view_set_printf(v, "place", "table %d, row %d", table, row);
    else if (row > 0)
        view_set_printf(v, "place", "row %d", row);
    else
        view_set_text(v, "place", "page");
    view_set_printf(v, "anchor", "t%d-r%d", table, row);
}

static const char *or_dash(const char *text)
{
    return text && *text ? text : "–";
}

static void set_metrics(struct view *page, const struct verdict *verdict)
{
    struct view *list = view_set_list(page, "metrics");
    for (size_t i = 0; i < verdict->n_metrics; i++) {
        const struct metric *m = &verdict->metrics[i];
        const struct metrics_column *column = metrics_by_key(m->name);
        struct view *v = view_push_object(list);
        set_place(v, m->table, m->row);
        view_set_text(v, "name", column ? site_words(column->label) : m->name);
        view_set_text(v, "unit", m->unit ? m->unit : "");
        view_set_text(v, "stated", or_dash(m->stated));
        view_set_text(v, "recomputed", or_dash(m->recomputed));
        view_set_text(v, "reproduced", m->reproduced ? m->reproduced->measured : "–");
        view_set_text(v, "repeat", m->reproduced ? m->reproduced->outcome : "");
        view_set_text(v, "tolerance", or_dash(m->tolerance));
        view_set_text(v, "outcome", outcome_name(m->outcome));
        view_set_text(v, "source",
                      !m->source                           ? ""
                      : strcmp(m->source, "evidence") == 0 ? "from the logs"
                                                           : "from stated figures");
        view_set_text(v, "how", m->derivation ? m->derivation : m->reason ? m->reason : "");
    }
    view_set_flag(page, "has_metrics", verdict->n_metrics > 0);
}

/* Failures first, then what could not be checked, then what agreed. */
static void set_checks(struct view *page, const struct verdict *verdict)
{
    static const enum outcome order[] = {OUTCOME_FAIL, OUTCOME_CANNOT, OUTCOME_PASS};
    static const char *const keys[] = {"failed", "cannot", "passed"};
    for (size_t o = 0; o < 3; o++) {
        struct view *list = view_set_list(page, keys[o]);
        size_t n = 0;
        for (size_t i = 0; i < verdict->n_checks; i++) {
            const struct check_result *c = &verdict->checks[i];
            if (c->outcome != order[o])
                continue;
            struct view *v = view_push_object(list);
            n++;
            set_place(v, c->table, c->row);
            view_set_text(v, "rule", c->rule);
            view_set_text(v, "severity", severity_name(c->severity));
            view_set_text(v, "message", c->message);
        }
        char key[32];
        snprintf(key, sizeof key, "n_%s", keys[o]);
        view_set_printf(page, key, "%zu check%s", n, n == 1 ? "" : "s");
    }
}

static struct chart_series series_of(const struct curve *c, const char *label)
{
    return (struct chart_series){.x = c->step, .y = c->loss, .n = c->n, .label = label};
}

static void push_charts(struct view *v, const struct row_evidence *e, size_t index,
                        struct arena *arena)
{
    struct buf svg;
    struct chart_series run = series_of(&e->curve, "run");
    struct chart_series ref = series_of(&e->reference, "reference");
    const struct chart_text loss = {
        .id = arena_printf(arena, "loss-%zu", index),
        .title = "Loss",
        .description = "Training loss of the run and of its reference over the step.",
        .x_label = "step",
        .y_label = "loss",
        .empty = "no steps were logged"};
    const struct chart_text deviation = {
        .id = arena_printf(arena, "deviation-%zu", index),
        .title = "Relative deviation from the reference",
        .description = "Loss of the run less that of the reference, in percent of the reference.",
        .x_label = "step",
        .y_label = "deviation in %",
        .worst = "worst",
        .from = "compared from here",
        .empty = "no common steps"};
    buf_init(&svg, BUF_DEFAULT_MAX);
    chart_loss(&svg, &loss, &run, e->reference.n ? &ref : NULL);
    view_set_raw(v, "loss_chart", svg.data);
    buf_clear(&svg);
    if (e->alignment)
        chart_deviation(&svg, &deviation, &run, &ref, e->alignment->limit, e->alignment->from_step);
    view_set_raw(v, "deviation_chart", svg.data);
    buf_release(&svg);
}

static void set_alignment(struct view *v, const struct alignment *a)
{
    view_set_flag(v, "alignment", a != NULL);
    if (!a)
        return;
    struct view *o = view_set_object(v, "alignment");
    view_set_text(o, "words", a->aligned ? "aligned" : "not aligned");
    view_set_printf(o, "mean", "%.4f", a->mean_rel_error * 100);
    view_set_printf(o, "max", "%.4f", a->max_rel_error * 100);
    view_set_printf(o, "max_step", "%.0f", a->max_step);
    view_set_printf(o, "limit", "%g", a->limit * 100);
    view_set_printf(o, "steps", "%zu", a->steps);
    view_set_printf(o, "from_step", "%d", a->from_step);
    view_set_text(o, "reference", a->reference ? a->reference : "");
}

static void set_evidence(struct view *page, const struct verdict *verdict, struct arena *arena)
{
    struct view *list = view_set_list(page, "evidence");
    for (size_t i = 0; i < verdict->n_evidence; i++) {
        const struct row_evidence *e = &verdict->evidence[i];
        struct view *v = view_push_object(list);
        set_place(v, e->table ? e->table : 1, e->row);
        view_set_text(v, "archive", e->archive);
        view_set_text(v, "sha256", e->sha256 ? e->sha256 : "");
        view_set_text(v, "id", e->id ? e->id : "");
        view_set_text(v, "log", e->log ? e->log : "");
        view_set_text(v, "intact", e->intact ? "intact" : "not intact");
        view_set_flag(v, "readable", e->sha256 != NULL);
        view_set_flag(v, "has_curve", e->curve.n > 0);
        view_set_raw(v, "loss_chart", "");
        view_set_raw(v, "deviation_chart", "");
        if (e->curve.n > 0)
            push_charts(v, e, i, arena);
        set_alignment(v, e->alignment);
    }
    view_set_flag(page, "has_evidence", verdict->n_evidence > 0);
}

static void set_repeated_facts(struct view *v, const struct reproduction *r)
{
    struct view *list = view_set_list(v, "facts");
    for (size_t i = 0; i < r->n_facts; i++) {
        struct view *f = view_push_object(list);
        view_set_text(f, "fact", fact_kind_of(r->facts[i].key).label);
        view_set_text(f, "original", r->facts[i].original ? r->facts[i].original : "not known");
        view_set_text(f, "here", r->facts[i].here ? r->facts[i].here : "not known");
    }
}

static void set_reproductions(struct view *page, const struct verdict *verdict, struct arena *arena)
{
    struct view *list = view_set_list(page, "reproductions");
    for (size_t i = 0; i < verdict->n_reproductions; i++) {
        const struct verdict_reproduction *x = &verdict->reproductions[i];
        const struct reproduction *r = x->record;
        struct view *v = view_push_object(list);
        set_place(v, (int)r->table, (int)r->row);
        view_set_text(v, "outcome",
                      !x->sound                       ? "does not count: see the findings"
                      : reproduction_is_reproduced(r) ? "reproduced"
                                                      : "not reproduced");
        view_set_text(v, "by", r->by);
        view_set_text(v, "date", r->date);
        view_set_text(v, "device", r->device);
        view_set_text(v, "kind",
                      r->same_device ? "the same kind of device as the evidence"
                                     : "another kind of device than the evidence");
        view_set_text(v, "loss", reproduction_loss_words(r, arena));
        view_set_text(v, "archive", r->archive);
        view_set_text(v, "sha256", r->sha256);
        view_set_flag(v, "sound", x->sound);
        set_repeated_facts(v, r);
    }
    view_set_flag(page, "has_reproductions", verdict->n_reproductions > 0);
    view_set_flag(page, "is_reproduced", verdict_is_reproduced(verdict));
}

static void set_extras(struct view *page, const struct result *r)
{
    struct view *list = view_set_list(page, "extras");
    for (size_t i = 0; i < r->n_extras; i++)
        set_note(view_push_object(list), "note", r->extras[i].text);
    set_note(page, "preamble", r->preamble);
    view_set_flag(page, "has_extras", r->n_extras > 0 || r->preamble);
}

static void set_identity(struct view *page, const struct site_entry *e)
{
    const struct result *r = e->result;
    view_set_text(page, "vendor", r->vendor);
    view_set_text(page, "vendor_name", e->vendor ? site_words(e->vendor->name) : r->vendor);
    view_set_text(page, "case", r->case_id);
    view_set_text(page, "case_title", e->case_record ? site_words(e->case_record->title) : "");
    view_set_flag(page, "has_model", e->model != NULL);
    view_set_text(page, "model", e->model ? e->model->id : "");
    view_set_text(page, "model_name", e->model ? site_words(e->model->name) : "");
    view_set_text(page, "published_title", r->title ? r->title : "");
    view_set_flag(page, "withdrawn", r->withdrawn != NULL);
    if (r->withdrawn) {
        struct view *w = view_set_object(page, "withdrawn");
        view_set_text(w, "date", r->withdrawn->date);
        view_set_text(w, "by", r->withdrawn->by);
        view_set_text(w, "reason", site_words(r->withdrawn->reason));
    }
    view_set_flag(page, "origin", r->origin != NULL);
    if (r->origin) {
        struct view *o = view_set_object(page, "origin");
        view_set_text(o, "repository", r->origin->repository);
        view_set_text(o, "commit", r->origin->commit ? r->origin->commit : "");
        view_set_text(o, "path", r->origin->path ? r->origin->path : "");
    }
}

struct view *site_result_page(const struct site *site, size_t index, struct arena *arena)
{
    struct site_entry e = site_entry_of(site, index);
    const char *title = arena_printf(arena, "%s: %s", e.result->vendor, e.result->case_id);
    struct view *page = site_page(site, arena, title, 3);
    set_identity(page, &e);
    site_set_state(page, e.verdict->state);
    set_metrics(page, e.verdict);
    set_checks(page, e.verdict);
    set_evidence(page, e.verdict, arena);
    set_reproductions(page, e.verdict, arena);
    set_environments(page, e.result, arena);
    set_batch(page, e.result, arena);
    set_performance(page, &e, arena);
    set_extras(page, e.result);
    return page;
}
