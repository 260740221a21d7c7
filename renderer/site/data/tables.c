#include "renderer/site/data/tables.h"

#include "base/arena.h"
#include "base/figures/metrics.h"
#include "renderer/site/data/tables_events.h"
#include "renderer/site/index/recompute.h"
#include "renderer/site/sheet/reuse.h"
#include "renderer/site/sheet/scaling.h"

#include <string.h>

/* ---- what records say ---------------------------------------------------------------------- */

static const char *const rule_columns[] = {"rule",     "kind",     "severity",     "since",
                                           "title_zh", "title_en", "statement_zh", "statement_en"};
static void fill_rules_table(struct data_table *t, const struct site_index *x)
{
    for (size_t i = 0; i < x->site->n_rules; i++) {
        const struct site_rule *r = &x->site->rules[i];
        ROW(t, r->id, r->kind, r->severity, r->since, data_text(r->title.zh),
            data_text(r->title.en), data_text(r->statement.zh), data_text(r->statement.en));
    }
}

static const char *const reference_columns[] = {
    "case",      "title_zh",           "title_en", "file",    "sha256",
    "from_step", "max_mean_rel_error", "note_zh",  "note_en", "rows"};
static void fill_references_table(struct data_table *t, const struct site_index *x)
{
    for (size_t i = 0; i < x->n_references; i++) {
        const struct case_record *c = x->references[i].record;
        const struct case_alignment *a = c->alignment;
        ROW(t, c->id, data_text(c->title.zh), data_text(c->title.en), a->reference,
            data_text(a->reference_sha256), arena_printf(t->arena, "%lld", a->from_step),
            data_number(t->arena, a->max_mean_rel_error, 10), data_text(a->reference_note.zh),
            data_text(a->reference_note.en), arena_printf(t->arena, "%zu", x->references[i].n));
    }
}

static const char *const accelerator_columns[] = {"accelerator", "vendor", "name",  "memory_gib",
                                                  "precision",   "tflops", "source"};
static void fill_accelerators(struct data_table *t, const struct site_index *x)
{
    for (size_t i = 0; i < x->n_accelerators; i++) {
        const struct site_list *list = &x->accelerators[i];
        const struct accelerator *a = list->record;
        if (!a) {
            ROW(t, list->id, NULL, list->called, NULL, NULL, NULL, NULL);
            continue;
        }
        const char *memory = data_number(t->arena, a->memory_gib, 10);
        for (size_t p = 0; p < a->n_peaks; p++)
            ROW(t, a->id, a->vendor, a->name, memory, a->peaks[p].precision,
                data_number(t->arena, a->peaks[p].tflops, 10), data_text(a->peaks[p].source));
        if (!a->n_peaks)
            ROW(t, a->id, a->vendor, a->name, memory, NULL, NULL, data_text(a->peak_note));
    }
}

static const char *const model_columns[] = {
    "model", "name_zh", "name_en", "source", "nominal_parameters", "exact_parameters"};
static void fill_models(struct data_table *t, const struct site_index *x)
{
    for (size_t i = 0; i < x->n_models; i++) {
        const struct model *m = x->models[i].record;
        if (!m) {
            ROW(t, x->models[i].id, x->models[i].called, NULL, NULL, NULL, NULL);
            continue;
        }
        ROW(t, m->id, data_text(m->name.zh), data_text(m->name.en), data_text(m->source),
            data_number(t->arena, m->nominal_parameters, 15),
            data_number(t->arena, m->exact_parameters, 15));
    }
}

/* ---- comparisons --------------------------------------------------------------------------- */

/* "metax nvidia" */
static const char *vendor_ids(const struct site_group *g, struct arena *arena)
{
    size_t n;
    const struct site_entry **vendors = site_group_vendors(g, arena, &n);
    struct buf ids = BUF_INIT(BUF_DEFAULT_MAX);
    for (size_t i = 0; i < n; i++)
        buf_printf(&ids, "%s%s", i ? " " : "", vendors[i]->result->vendor);
    return buf_text(&ids, arena);
}

static const char *const compare_columns[] = {"model", "case", "precision_class", "vendors",
                                              "rows"};
static void fill_compare_table(struct data_table *t, const struct site_index *x)
{
    for (size_t i = 0; i < x->n_comparable; i++) {
        const struct site_group *g = x->comparable[i];
        ROW(t, g->of->model_id, g->of->result->case_id, g->rows[0]->precision_class,
            vendor_ids(g, t->arena), arena_printf(t->arena, "%zu", g->n));
    }
}

const char *site_row_place(const struct site_row *row, struct arena *arena)
{
    return arena_printf(arena, "%s#%d.%d", row->entry->verdict->id, row->table, row->row);
}

static const char *const scaling_columns[] = {"model",          "vendor",
                                              "accelerator",    "row",
                                              "cards",          "nodes",
                                              "cards_per_node", "token_per_s_per_card",
                                              "token_per_s",    "efficiency_percent",
                                              "mfu_stated",     "plan",
                                              "micro_batch",    "gradient_accumulation",
                                              "recompute"};

static void fill_scalings(struct data_table *t, const struct site_list *model)
{
    struct site_scaling *all;
    size_t n = site_scalings_of(model->rows, model->n, t->arena, &all);
    for (size_t i = 0; i < n; i++)
        for (size_t r = 0; r < all[i].n; r++) {
            const struct site_row *row = all[i].rows[r];
            double rate = site_row_rate(row);
            double first = site_row_rate(all[i].rows[0]);
            const struct metric *mfu = site_row_metric(row, "mfu");
            long long accumulation, batch = site_row_micro_batch(row, &accumulation);
            ROW(t, model->id, row->entry->result->vendor, row->accelerator->id,
                site_row_place(row, t->arena), data_count(t->arena, site_row_cards(row)),
                data_count(t->arena, row->nodes), data_count(t->arena, row->cards),
                arena_printf(t->arena, "%.10g", rate),
                arena_printf(t->arena, "%.10g", rate * (double)site_row_cards(row)),
                arena_printf(t->arena, "%.4f", rate / first * 100), mfu ? mfu->stated : NULL,
                site_row_plan(row, t->arena), data_count(t->arena, batch),
                batch ? data_count(t->arena, accumulation) : NULL,
                site_criterion_value(row, CONDITION_RECOMPUTE, t->arena));
        }
}

static void fill_scaling(struct data_table *t, const struct site_index *x)
{
    for (size_t i = 0; i < x->n_models; i++)
        fill_scalings(t, &x->models[i]);
}

/* ---- files --------------------------------------------------------------------------------- */

static const struct site_data_table tables[] = {
    SITE_TABLE("rules", rule_columns, fill_rules_table, false),
    SITE_TABLE("references", reference_columns, fill_references_table, false),
    SITE_TABLE("accelerators", accelerator_columns, fill_accelerators, false),
    SITE_TABLE("models", model_columns, fill_models, false),
    SITE_TABLE("compare", compare_columns, fill_compare_table, false),
    SITE_TABLE("scaling", scaling_columns, fill_scaling, true),
};

int site_table_emit(const struct data_table *t, const char *path, file_sink *emit, void *self,
                    struct err *err)
{
    struct buf csv = BUF_INIT(BUF_DEFAULT_MAX), json = BUF_INIT(BUF_DEFAULT_MAX);
    data_table_csv(t, &csv);
    struct json_writer w = JSON_WRITER_INIT(&json);
    json_begin_object(&w, NULL);
    json_strings(&w, {"schema", "fpreport.list/1"}, {"table", t->name});
    json_begin_array_flat(&w, "columns");
    for (size_t c = 0; c < t->n_columns; c++)
        json_string(&w, NULL, t->columns[c]);
    json_end_array(&w);
    struct data_table rows = *t;
    rows.name = "rows";
    data_table_json(&rows, &w);
    json_end_object(&w);
    json_finish(&w);
    const char *names[] = {arena_printf(t->arena, "%s.csv", path),
                           arena_printf(t->arena, "%s.json", path)};
    const struct buf *texts[] = {&csv, &json};
    int rc = 0;
    for (size_t i = 0; i < 2 && rc == 0; i++) {
        rc = buf_check(texts[i], names[i], err);
        if (rc == 0)
            rc = emit(self, names[i], texts[i]->data, texts[i]->len, err);
    }
    buf_release(&json);
    buf_release(&csv);
    return rc;
}

bool site_table_keeps(const struct site_index *x, const char *path, const struct reuse_key *key,
                      struct arena *arena)
{
    const struct reuse *reuse = x->site->reuse;
    bool csv = reuse_keeps(reuse, arena_printf(arena, "%s.csv", path), key);
    return reuse_keeps(reuse, arena_printf(arena, "%s.json", path), key) && csv;
}

static int emit_data_table(const struct site_index *x, const struct site_data_table *of,
                           const struct site_keys *keys, file_sink *emit, void *self,
                           struct err *err)
{
    struct arena arena = ARENA_INIT;
    struct data_table t = {
        .arena = &arena, .name = of->name, .columns = of->columns, .n_columns = of->n_columns};
    const char *path = arena_printf(&arena, "data/%s", t.name);
    int rc = 0;
    if (!site_table_keeps(x, path, of->on_figures ? &keys->lists : &keys->outline, &arena)) {
        of->fill(&t, x);
        rc = site_table_emit(&t, path, emit, self, err);
    }
    arena_release(&arena);
    return rc;
}

int site_tables_emit(const struct site_index *index, const struct site_keys *keys, file_sink *emit,
                     void *self, struct err *err)
{
    size_t n;
    const struct site_data_table *events = site_event_tables(&n);
    int rc = 0;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && rc == 0; i++)
        rc = emit_data_table(index, &tables[i], keys, emit, self, err);
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = emit_data_table(index, &events[i], keys, emit, self, err);
    for (size_t i = 0; i < index->n_pairs && rc == 0; i++)
        rc = site_tables_pair_emit(index, &index->pairs[i], emit, self, err);
    return rc;
}
