/* The tables of one result's page (tables.h). */
#include "base/records/facts.h"
#include "base/records/verdict.h"
#include "renderer/output/ordered.h"
#include "renderer/site/data/tables.h"
#include "renderer/site/sheet/difference.h"
#include "renderer/site/sheet/scaling.h"
#include "renderer/words/ratio.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef void filler(struct data_table *t, const struct site_entry *e);

/* ---- figures ------------------------------------------------------------------------------- */

static const char *const figure_columns[] = {"place",      "configuration",
                                             "figure",     "unit",
                                             "stated",     "recomputed",
                                             "reproduced", "reproduced_outcome",
                                             "difference", "difference_percent",
                                             "tolerance",  "outcome",
                                             "severity",   "rule",
                                             "log",        "log_from",
                                             "log_line",   "source",
                                             "derivation", "reason"};
static void fill_figures(struct data_table *t, const struct site_entry *e)
{
    for (size_t i = 0; i < e->verdict->n_metrics; i++) {
        const struct metric *m = &e->verdict->metrics[i];
        const struct site_row *of = NULL;
        for (size_t r = 0; r < e->n_rows && !of; r++)
            if (e->rows[r]->table == m->table && e->rows[r]->row == m->row)
                of = e->rows[r];
        struct site_difference d;
        bool both = site_difference(m, &d);
        const char *severity = NULL; /* of what contradicts it */
        if (m->outcome == OUTCOME_FAIL)
            severity = severity_name(m->warned ? SEVERITY_WARNING : SEVERITY_ERROR);
        ROW(t, data_place(t->arena, m->table, m->row), of ? of->configuration : NULL, m->name,
            ratio_unit(m->name, m->says, m->unit, t->arena), m->stated,
            figure_print(m->found, t->arena), m->reproduced ? m->reproduced->measured : NULL,
            m->reproduced ? m->reproduced->outcome : NULL,
            both ? arena_printf(t->arena, "%.*f", d.value != 0 ? d.decimals : 0, d.value) : NULL,
            both && isfinite(d.percent) ? site_percent_data(d.percent, 4, t->arena) : NULL,
            figure_print(m->tolerance, t->arena), outcome_name(m->outcome), severity, m->rule,
            m->input, m->input_from ? arena_printf(t->arena, "%d", m->input_from) : NULL,
            m->input_line ? arena_printf(t->arena, "%d", m->input_line) : NULL, m->source,
            m->derivation, m->reason);
    }
}

/* ---- environment: as published, and as sealed ---------------------------------------------- */

static const char *const environment_columns[] = {"from",  "place", "group",       "item",
                                                  "value", "unit",  "reproduction"};
static void push_item_rows(struct data_table *t, const char *group, const struct item *items,
                           size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ROW(t, "published", NULL, group, items[i].label, items[i].value, NULL, NULL);
        push_item_rows(t, group, items[i].items, items[i].n_items);
    }
}

static void push_group_rows(struct data_table *t, const struct group *groups, size_t n)
{
    for (size_t i = 0; i < n; i++)
        push_item_rows(t, groups[i].label, groups[i].items, groups[i].n_items);
}

/* "4", "4 for 1x8; 2 for 2x8"; what the page says of it where it states none. */
static const char *batch_text(struct arena *arena, const struct batch_item *b)
{
    const char *all = "";
    for (size_t i = 0; i < b->n_values; i++)
        all = arena_printf(arena, "%s%s%s%s%s", all, *all ? "; " : "", b->values[i].value,
                           b->values[i].when ? " for " : "",
                           b->values[i].when ? b->values[i].when : "");
    return *all ? all : b->text.zh ? b->text.zh : b->text.en;
}

/* What a second run had instead. */
static const char *instead(const struct verdict *v, const char *key)
{
    for (size_t i = 0; i < v->n_reproductions; i++)
        for (size_t f = 0; f < v->reproductions[i].record->n_facts; f++)
            if (strcmp(v->reproductions[i].record->facts[f].key, key) == 0)
                return v->reproductions[i].record->facts[f].here;
    return NULL;
}

static void fill_environment(struct data_table *t, const struct site_entry *e)
{
    const struct result *r = e->result;
    for (size_t i = 0; i < r->n_environments; i++)
        push_group_rows(t, r->environments[i].groups, r->environments[i].n_groups);
    for (size_t i = 0; i < r->n_batch; i++)
        ROW(t, "published", NULL, "batch sizes",
            r->batch[i].symbol ? r->batch[i].symbol : r->batch[i].name,
            batch_text(t->arena, &r->batch[i]), NULL, NULL);
    push_group_rows(t, r->run_groups, r->n_run_groups);
    for (size_t i = 0; i < e->verdict->n_evidence; i++) {
        const struct row_evidence *x = &e->verdict->evidence[i];
        for (size_t f = 0; x->facts && f < x->facts->n; f++) {
            const struct fact *fact = &x->facts->items[f];
            ROW(t, "fingerprint", data_place(t->arena, x->table, x->row), NULL, fact->key,
                fact->value, fact_kind_of(fact->key).unit, instead(e->verdict, fact->key));
        }
    }
}

/* The same field by all who say it. */
static const char *const agreement_columns[] = {
    "place", "field", "outcome", "log", "sys_info.log", "monitor", "fingerprint", "run", "record"};
static void fill_agreement(struct data_table *t, const struct site_entry *e)
{
    struct arena *a = t->arena;
    for (size_t i = 0; i < e->verdict->n_evidence; i++) {
        const struct row_evidence *x = &e->verdict->evidence[i];
        for (size_t k = 0; k < x->n_agreements; k++) {
            const struct agreement *g = &x->agreements[k];
            ROW(t, data_place(a, x->table, x->row), g->key, outcome_name(g->outcome),
                agreement_said(g, SAID_LOG, a), agreement_said(g, SAID_SYSTEM, a),
                agreement_said(g, SAID_MONITOR, a), agreement_said(g, SAID_FINGERPRINT, a),
                agreement_said(g, SAID_RUN, a), agreement_said(g, SAID_RECORD, a));
        }
    }
}

/* ---- tables as published ------------------------------------------------------------------- */

/* A line for each cell, since each page has columns of its own. */
static const char *const published_columns[] = {"from", "table", "row", "place", "column", "value"};
static void push_cells(struct data_table *t, const char *from, size_t number, int figures,
                       const struct table *of)
{
    struct arena *a = t->arena;
    const char *table = arena_printf(a, "%zu", number);
    for (size_t r = 0; r < of->n_rows; r++)
        for (size_t c = 0; c < of->rows[r].n_cells; c++)
            ROW(t, from, table, arena_printf(a, "%zu", r + 1),
                figures ? data_place(a, figures, (int)r + 1) : NULL,
                c < of->n_columns ? of->columns[c] : NULL, of->rows[r].cells[c].text);
}

static void fill_published(struct data_table *t, const struct site_entry *e)
{
    const struct result *r = e->result;
    const struct table **figures;
    size_t n = result_figure_tables(r, t->arena, &figures), tables = 0, k = 0;
    for (size_t i = 0; i < r->n_performance; i++) {
        const struct table *of = r->performance[i].table;
        bool is_next = of && k < n && figures[k] == of;
        k += is_next;
        if (of)
            push_cells(t, "performance", ++tables, is_next ? (int)k : 0, of);
    }
    if (r->general)
        push_cells(t, "general", 1, 0, r->general);
}

/* ---- MFU ----------------------------------------------------------------------------------- */

static const char *const mfu_columns[] = {
    "place",  "figure",      "factor",          "parameters",
    "layers", "hidden_size", "sequence_length", "tokens_per_s_per_card",
    "from",   "peak_flops",  "peak_of"};
static void fill_mfu(struct data_table *t, const struct site_entry *e)
{
    for (size_t i = 0; i < e->verdict->n_metrics; i++) {
        const struct metric *m = &e->verdict->metrics[i];
        struct mfu_numbers x;
        if (!mfu_numbers_of(m, &x))
            continue;
        const double numbers[] = {x.factor,   x.parameters, x.layers, x.hidden,
                                  x.sequence, x.rate,       x.peak};
        const char *cells[sizeof numbers / sizeof *numbers];
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            cells[k] = data_number(t->arena, numbers[k], 15);
        ROW(t, data_place(t->arena, m->table, m->row), m->name, cells[0], cells[1], cells[2],
            cells[3], cells[4], cells[5], m->source, cells[6], x.peak_name);
    }
}

/* ---- plan, evidence, what the machine was measured to do ----------------------------------- */

static const char *const plan_columns[] = {"place",  "machines", "cards_per_machine",
                                           "tensor", "pipeline", "data"};
static void fill_plan(struct data_table *t, const struct site_entry *e)
{
    struct site_plan p;
    for (size_t i = 0; i < e->n_rows; i++)
        if (e->rows[i]->row && site_plan_of(e->rows[i], &p))
            ROW(t, data_place(t->arena, e->rows[i]->table, e->rows[i]->row),
                p.machines ? arena_printf(t->arena, "%ld", p.machines) : NULL,
                p.cards ? arena_printf(t->arena, "%ld", p.cards) : NULL,
                arena_printf(t->arena, "%ld", p.tp), arena_printf(t->arena, "%ld", p.pp),
                arena_printf(t->arena, "%ld", p.dp));
}

static const char *const evidence_columns[] = {
    "place", "archive", "archive_sha256", "manifest_sha256", "file", "bytes", "sha256"};
static void fill_evidence(struct data_table *t, const struct site_entry *e)
{
    for (size_t i = 0; i < e->verdict->n_evidence; i++) {
        const struct row_evidence *x = &e->verdict->evidence[i];
        const char *at = data_place(t->arena, x->table, x->row);
        for (size_t f = 0; f < x->n_files; f++)
            ROW(t, at, x->archive, x->sha256, x->id, x->files[f].name,
                arena_printf(t->arena, "%zu", x->files[f].bytes), x->files[f].sha256);
        if (!x->n_files)
            ROW(t, at, x->archive, x->sha256, x->id, NULL, NULL, NULL);
    }
}

static const char *const measured_columns[] = {
    "place", "what", "unit", "median", "min", "max", "repetitions", "slowest", "slowest_rank"};
static void fill_measured(struct data_table *t, const struct site_entry *e)
{
    struct arena *a = t->arena;
    for (size_t i = 0; i < e->verdict->n_evidence; i++) {
        const struct row_evidence *x = &e->verdict->evidence[i];
        for (size_t k = 0; x->facts && k < x->facts->measured.n; k++) {
            const struct measure *m = &x->facts->measured.items[k];
            bool ranks = isfinite(m->slowest);
            ROW(t, data_place(a, x->table, x->row), measure_name(m, a), m->unit,
                data_number(a, m->median, 10), data_number(a, m->min, 10),
                data_number(a, m->max, 10), arena_printf(a, "%d", m->repetitions),
                data_number(a, m->slowest, 10),
                ranks ? arena_printf(a, "%d", m->slowest_rank) : NULL);
        }
    }
}

/* ---- curves: every step -------------------------------------------------------------------- */

static const char *const curve_columns[] = {
    "place", "step", "loss", "reference", "deviation_percent", "seconds"};
static void fill_curves(struct data_table *t, const struct site_entry *e)
{
    for (size_t i = 0; i < e->verdict->n_evidence; i++) {
        const struct row_evidence *x = &e->verdict->evidence[i];
        const char *at = data_place(t->arena, x->table, x->row);
        const struct curve *run = &x->curve, *ref = &x->reference;
        for (size_t j = 0, r = 0; j < run->n; j++) {
            while (r < ref->n && ref->step[r] < run->step[j])
                r++;
            bool both = r < ref->n && ref->step[r] == run->step[j];
            double reference = both ? ref->loss[r] : NAN;
            ROW(t, at, data_number(t->arena, run->step[j], 15),
                data_number(t->arena, run->loss[j], 9), data_number(t->arena, reference, 9),
                data_number(t->arena, (run->loss[j] - reference) / fabs(reference) * 100, 6),
                data_number(t->arena, run->seconds[j], 9));
        }
    }
}

/* ---- files --------------------------------------------------------------------------------- */

static const struct page_table {
    const char *name;
    const char *const *columns;
    size_t n_columns;
    filler *fill;
} tables[] = {
    DATA_TABLE_ROW("figures", figure_columns, fill_figures),
    DATA_TABLE_ROW("environment", environment_columns, fill_environment),
    DATA_TABLE_ROW("agreement", agreement_columns, fill_agreement),
    DATA_TABLE_ROW("plan", plan_columns, fill_plan),
    DATA_TABLE_ROW("evidence", evidence_columns, fill_evidence),
    DATA_TABLE_ROW("measured", measured_columns, fill_measured),
    DATA_TABLE_ROW("mfu", mfu_columns, fill_mfu),
    DATA_TABLE_ROW("published", published_columns, fill_published),
};
static const struct page_table curves = DATA_TABLE_ROW("curves", curve_columns, fill_curves);
#define N_TABLES (sizeof tables / sizeof *tables)

/* Where the files of one result go. */
struct target {
    const struct site_entry *entry;
    struct arena *arena;
    file_sink *emit;
    void *self;
    struct err *err;
};

static struct data_table filled(const struct target *to, const struct page_table *kind)
{
    struct data_table t = {.arena = to->arena,
                           .name = kind->name,
                           .columns = kind->columns,
                           .n_columns = kind->n_columns};
    kind->fill(&t, to->entry);
    return t;
}

static int emit_text(const struct target *to, const char *name, struct buf *text)
{
    const char *path = arena_printf(to->arena, "%s%s", to->entry->path, name);
    int rc = buf_check(text, path, to->err);
    if (rc == 0)
        rc = to->emit(to->self, path, text->data, text->len, to->err);
    buf_clear(text);
    return rc;
}

static int emit_tables(const struct target *to, struct buf *text, struct buf *json)
{
    struct json_writer w = JSON_WRITER_INIT(json);
    int rc = 0;
    json_begin_object(&w, NULL);
    json_strings(&w, {"schema", "fpreport.tables/1"}, {"result", to->entry->verdict->id},
                 {"state", state_name(to->entry->verdict->state)});
    for (size_t i = 0; i < N_TABLES && rc == 0; i++) {
        struct data_table t = filled(to, &tables[i]);
        data_table_json(&t, &w);
        data_table_csv(&t, text);
        if (t.n)
            rc = emit_text(to, arena_printf(to->arena, "%s.csv", t.name), text);
        buf_clear(text);
    }
    json_end_object(&w);
    json_finish(&w);
    return rc < 0 ? rc : emit_text(to, "tables.json", json);
}

/* Entries whose tables have to be made. */
struct wanted {
    const struct site_index *index;
    size_t *entries;
    size_t n;
};

/* Which tables have rows is told by the same key: those that were there are kept with tables.json.
 */
static bool keeps_tables(const struct site_index *x, size_t i)
{
    static const char *const more[] = {"curves.csv", "curves.json"};
    const struct reuse *reuse = x->site->reuse;
    const char *folder = x->entries[i].path;
    struct arena arena = ARENA_INIT;
    if (!reuse)
        return false;
    const struct reuse_key *key = &reuse->results[i];
    bool kept = reuse_keeps_folder(reuse, arena_printf(&arena, "%stables.json", folder), key);
    for (size_t k = 0; k < N_TABLES && !kept; k++)
        reuse_keeps(reuse, arena_printf(&arena, "%s%s.csv", folder, tables[k].name), key);
    for (size_t k = 0; k < sizeof more / sizeof *more && !kept; k++)
        reuse_keeps(reuse, arena_printf(&arena, "%s%s", folder, more[k]), key);
    arena_release(&arena);
    return kept;
}

static int make_tables(void *context, size_t worker, size_t i, file_sink *emit, void *self,
                       struct err *err)
{
    (void)worker;
    const struct wanted *w = context;
    struct arena arena = ARENA_INIT;
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX), json = BUF_INIT(BUF_DEFAULT_MAX);
    const struct target to = {&w->index->entries[w->entries[i]], &arena, emit, self, err};
    int rc = emit_tables(&to, &text, &json);
    const struct data_table steps = filled(&to, &curves);
    if (rc == 0 && steps.n)
        rc = site_table_emit(&steps, arena_printf(&arena, "%scurves", to.entry->path), emit, self,
                             err);
    buf_release(&json);
    buf_release(&text);
    arena_release(&arena);
    return rc;
}

int site_tables_results_emit(const struct site_index *index, file_sink *emit, void *self,
                             struct err *err)
{
    struct arena arena = ARENA_INIT;
    struct wanted w = {index, arena_array(&arena, index->n_entries, sizeof(size_t)), 0};
    for (size_t i = 0; i < index->n_entries; i++)
        if (!keeps_tables(index, i))
            w.entries[w.n++] = i;
    int rc = ordered_emit(w.n, make_tables, &w, emit, self, err);
    arena_release(&arena);
    return rc;
}
