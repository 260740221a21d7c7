#include "renderer/site_data.h"

#include "base/figure.h"
#include "base/json.h"
#include "base/store_log.h"
#include "renderer/data_table.h"
#include "renderer/site_data_old.h"
#include "renderer/site_events.h"
#include "renderer/site_reuse.h"
#include "renderer/site_tables.h"

#include <string.h>

struct cells {
    struct arena *arena;
    const struct site_row *row;
    const struct site_index *index;
};

/* One column of every table: its name and its text; NULL: nothing to say. */
struct data_column {
    const char *name;
    const char *(*text)(const struct cells *c, int figure);
    int figure;
    const char *absent; /* CSV's word for nothing */
};

static const char *vendor(const struct cells *c, int figure)
{
    (void)figure;
    return c->row->entry->result->vendor;
}

static const char *case_id(const struct cells *c, int figure)
{
    (void)figure;
    return c->row->entry->result->case_id;
}

static const char *model(const struct cells *c, int figure)
{
    (void)figure;
    return c->row->entry->model_id;
}

static const char *state(const struct cells *c, int figure)
{
    (void)figure;
    return state_name(c->row->entry->verdict->state);
}

static const char *accelerator(const struct cells *c, int figure)
{
    (void)figure;
    return c->row->card_id;
}

static const char *nodes(const struct cells *c, int figure)
{
    (void)figure;
    return c->row->nodes ? arena_printf(c->arena, "%ld", c->row->nodes) : NULL;
}

static const char *cards(const struct cells *c, int figure)
{
    (void)figure;
    return c->row->cards ? arena_printf(c->arena, "%ld", c->row->cards) : NULL;
}

static const char *place(const struct cells *c, int figure)
{
    (void)figure;
    return c->row->row ? arena_printf(c->arena, "%d.%d", c->row->table, c->row->row) : NULL;
}

static const char *configuration(const struct cells *c, int figure)
{
    (void)figure;
    return c->row->configuration;
}

static const char *precision(const struct cells *c, int figure)
{
    (void)figure;
    return c->row->precision;
}

static const char *precision_class(const struct cells *c, int figure)
{
    (void)figure;
    return c->row->precision_class;
}

static const char *group(const struct cells *c, int figure)
{
    (void)figure;
    return c->row->group;
}

static const char *stage(const struct cells *c, int figure)
{
    (void)figure;
    return *c->row->stage ? c->row->stage : NULL;
}

static const char *plan(const struct cells *c, int figure)
{
    (void)figure;
    return *c->row->plan ? c->row->plan : NULL;
}

static const char *changed(const struct cells *c, int figure)
{
    (void)figure;
    return *c->row->changed ? c->row->changed : NULL;
}

static const char *stated(const struct cells *c, int figure)
{
    const struct metric *m = c->row->figures[figure];
    return m ? m->stated : NULL;
}

static const char *recomputed(const struct cells *c, int figure)
{
    const struct metric *m = c->row->figures[figure];
    return m ? m->recomputed : NULL;
}

static const char *unit(const struct cells *c, int figure)
{
    const struct metric *m = c->row->figures[figure];
    return m ? m->unit : NULL;
}

static const char *deviation(const struct cells *c, int figure)
{
    (void)figure;
    const struct row_evidence *e = c->row->evidence;
    return e && e->alignment ? site_percent_data(e->alignment->max_rel_error * 100, 6, c->arena)
                             : NULL;
}

static const char *mean_deviation(const struct cells *c, int figure)
{
    (void)figure;
    const struct row_evidence *e = c->row->evidence;
    return e && e->alignment ? site_percent_data(e->alignment->mean_rel_error * 100, 6, c->arena)
                             : NULL;
}

static const char *worst_step(const struct cells *c, int figure)
{
    (void)figure;
    const struct row_evidence *e = c->row->evidence;
    return e && e->alignment ? arena_printf(c->arena, "%.10g", e->alignment->max_step) : NULL;
}

static const char *compared_steps(const struct cells *c, int figure)
{
    (void)figure;
    const struct row_evidence *e = c->row->evidence;
    return e && e->alignment ? arena_printf(c->arena, "%zu", e->alignment->steps) : NULL;
}

/* In the words of the archive's log (base/store_log.h). */
static const char *published(const struct cells *c, int figure)
{
    (void)figure;
    const struct row_evidence *e = c->row->evidence;
    const struct published_part *part = e ? e->part : NULL;
    return !e ? NULL : !part ? STORE_FULL : part->only_hashes ? STORE_HASHES : STORE_REDACTED;
}

static const char *withheld_files(const struct cells *c, int figure)
{
    (void)figure;
    const struct row_evidence *e = c->row->evidence;
    return e ? arena_printf(c->arena, "%zu", e->part ? e->part->withheld : 0) : NULL;
}

static const char *software(const struct cells *c, int figure)
{
    (void)figure;
    return *c->row->software ? c->row->software : NULL;
}

static const char *day(const struct cells *c, int figure)
{
    bool ran;
    (void)figure;
    return site_row_day(c->index, c->row, c->arena, &ran);
}

static const char *day_of(const struct cells *c, int figure)
{
    bool ran;
    (void)figure;
    return !site_row_day(c->index, c->row, c->arena, &ran) ? NULL : ran ? "run" : "listed";
}

/* Without evidence there is nothing to compare; csv_text tells the two apart. */
#define NO_COMPARISON "not comparable"
#define NOT_STATED "not stated"
#define NO_EVIDENCE "no evidence"

static const struct data_column columns[] = {
    {"vendor", vendor, 0, NOT_STATED},
    {"case", case_id, 0, NOT_STATED},
    {"place", place, 0, NOT_STATED},
    {"model", model, 0, NOT_STATED},
    {"accelerator", accelerator, 0, NOT_STATED},
    {"nodes", nodes, 0, NOT_STATED},
    {"cards_per_node", cards, 0, NOT_STATED},
    {"configuration", configuration, 0, NOT_STATED},
    {"precision", precision, 0, NOT_STATED},
    {"precision_class", precision_class, 0, NOT_STATED},
    {"state", state, 0, NOT_STATED},
    {"throughput_stated", stated, SITE_RATE, NOT_STATED},
    {"throughput_recomputed", recomputed, SITE_RATE, "not run"},
    {"throughput_unit", unit, SITE_RATE, NOT_STATED},
    {"mfu_stated", stated, SITE_MFU, NOT_STATED},
    {"mfu_recomputed", recomputed, SITE_MFU, "not run"},
    {"loss_stated", stated, SITE_LOSS, NOT_STATED},
    {"loss_recomputed", recomputed, SITE_LOSS, "not run"},
    {"loss_deviation_max_percent", deviation, 0, NO_COMPARISON},
    {"loss_deviation_max_step", worst_step, 0, NO_COMPARISON},
    {"loss_deviation_mean_percent", mean_deviation, 0, NO_COMPARISON},
    {"loss_steps_compared", compared_steps, 0, NO_COMPARISON},
    {"memory_stated", stated, SITE_MEMORY, NOT_STATED},
    {"memory_recomputed", recomputed, SITE_MEMORY, "not run"},
    {"memory_unit", unit, SITE_MEMORY, NOT_STATED},
    {"group", group, 0, NOT_STATED},
    {"stage", stage, 0, "not applicable"},
    {"plan", plan, 0, NOT_STATED},
    {"changed", changed, 0, NOT_STATED},
    {"software", software, 0, NOT_STATED},
    {"date", day, 0, NOT_STATED},
    {"date_of", day_of, 0, NOT_STATED},
    {"evidence_published", published, 0, NO_EVIDENCE},
    {"evidence_files_withheld", withheld_files, 0, NO_EVIDENCE},
};
#define N_COLUMNS (sizeof columns / sizeof *columns)
#define N_IDENTITY 3 /* the first so many tell a row from all others */

/* ---- CSV --------------------------------------------------------------------------------- */

/* Words of the English pages (figure.* of strings.json) for what is published instead of a figure.
 */
static const char *const kind_words[] = {
    [FIGURE_MISSING] = "missing",
    [FIGURE_WITHHELD] = "withheld",
    [FIGURE_OOM] = "out of memory",
    [FIGURE_PENDING] = "not run",
};

/* A spreadsheet has no null: what is not there has a word. */
static const char *csv_text(const struct data_column *column, const struct cells *c)
{
    const char *text = column->text(c, column->figure);
    struct figure f;
    if (!text && strcmp(column->absent, NO_COMPARISON) == 0 && !c->row->evidence)
        return NO_EVIDENCE;
    if (!text && column->text == stated && c->row->figures[column->figure])
        return kind_words[FIGURE_MISSING];
    if (!text)
        return column->absent;
    if (column->text != stated)
        return text;
    figure_parse(text, c->arena, &f);
    return f.kind <= FIGURE_PENDING ? kind_words[f.kind] : text;
}

/* Cells of a row until there are `n`. */
static void put_cells(struct buf *out, const struct cells *cells, size_t n)
{
    for (size_t c = 0; c < n; c++) {
        if (c)
            buf_char(out, ',');
        data_cell(out, csv_text(&columns[c], cells));
    }
}

/* May a row of the last build's table stand for this one, where it begins alike? */
static bool is_same(const struct site_index *index, const struct site_row *row)
{
    const struct reuse *reuse = index->site->reuse;
    return reuse && reuse->same && reuse->same[row->entry - index->entries];
}

static void write_csv(struct buf *out, const struct site_index *index, const char *path,
                      const struct site_row *const *rows, size_t n)
{
    struct arena of_table = ARENA_INIT;
    struct site_data_old old;
    struct buf begins;
    site_data_old_csv(&old, index, path, &of_table);
    buf_init(&begins, BUF_DEFAULT_MAX);
    for (size_t c = 0; c < N_COLUMNS; c++)
        buf_printf(out, "%s%s", c ? "," : "", columns[c].name);
    buf_str(out, "\r\n");
    for (size_t r = 0; r < n; r++) {
        struct arena arena = ARENA_INIT;
        const struct cells cells = {&arena, rows[r], index};
        size_t len;
        buf_clear(&begins);
        put_cells(&begins, &cells, N_IDENTITY);
        buf_char(&begins, ',');
        const char *text = is_same(index, rows[r]) ? site_data_old_row(&old, &begins, &len) : NULL;
        if (text)
            buf_add(out, text, len);
        else
            put_cells(out, &cells, N_COLUMNS);
        buf_str(out, "\r\n");
        arena_release(&arena);
    }
    buf_release(&begins);
    arena_release(&of_table);
}

/* ---- JSON -------------------------------------------------------------------------------- */

static void put_members(struct json_writer *w, const struct cells *cells, size_t n)
{
    json_begin_object_flat(w, NULL);
    for (size_t c = 0; c < n; c++)
        json_string(w, columns[c].name, columns[c].text(cells, columns[c].figure));
}

/* "{" and the first members, as they stand in the table. */
static void begin_of_row(struct buf *begins, const struct cells *cells)
{
    struct json_writer w;
    buf_clear(begins);
    json_writer_init(&w, begins);
    put_members(&w, cells, N_IDENTITY);
    buf_char(begins, ',');
}

static void write_json(struct buf *out, const struct site_index *index, const char *path,
                       const struct site_row *const *rows, size_t n)
{
    struct arena of_table = ARENA_INIT;
    struct site_data_old old;
    struct json_writer w;
    struct buf begins;
    site_data_old_json(&old, index, path, &of_table);
    buf_init(&begins, BUF_DEFAULT_MAX);
    json_writer_init(&w, out);
    json_begin_object(&w, NULL);
    json_string(&w, "schema", "fpreport.table/1");
    json_begin_array(&w, "rows");
    for (size_t r = 0; r < n; r++) {
        struct arena arena = ARENA_INIT;
        const struct cells cells = {&arena, rows[r], index};
        size_t len;
        begin_of_row(&begins, &cells);
        const char *text = is_same(index, rows[r]) ? site_data_old_row(&old, &begins, &len) : NULL;
        if (text) {
            json_again(&w, text, len);
        } else {
            put_members(&w, &cells, N_COLUMNS);
            json_end_object(&w);
        }
        arena_release(&arena);
    }
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
    buf_release(&begins);
    arena_release(&of_table);
}

/* ---- files ------------------------------------------------------------------------------- */

struct target {
    const struct site_index *index;
    file_sink *emit;
    void *self;
    struct buf text;
    struct arena arena;
    struct err *err;
};

static int emit_text(struct target *t, const char *path)
{
    int rc = buf_check(&t->text, path, t->err);
    if (rc == 0)
        rc = t->emit(t->self, path, t->text.data, t->text.len, t->err);
    buf_clear(&t->text);
    return rc;
}

static int emit_table(struct target *t, const char *path, const struct site_row *const *rows,
                      size_t n)
{
    static const struct {
        const char *suffix;
        void (*write)(struct buf *out, const struct site_index *index, const char *path,
                      const struct site_row *const *rows, size_t n);
    } forms[] = {{"csv", write_csv}, {"json", write_json}};
    struct reuse_key key = {0};
    if (t->index->site->reuse)
        key = site_key_rows(t->index, rows, n, n);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const char *file = arena_printf(&t->arena, "data/%s.%s", path, forms[i].suffix);
        if (reuse_keeps(t->index->site->reuse, file, &key))
            continue;
        forms[i].write(&t->text, t->index, file, rows, n);
        if (emit_text(t, file) < 0)
            return -1;
    }
    return 0;
}

static int emit_lists(struct target *t, const char *kind, const struct site_list *lists, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (emit_table(t, arena_printf(&t->arena, "%s/%s", kind, lists[i].id), lists[i].rows,
                       lists[i].n) < 0)
            return -1;
    return 0;
}

static int emit_index(struct target *t, const struct reuse_key *outline)
{
    static const char path[] = "data/index.json";
    if (reuse_keeps(t->index->site->reuse, path, outline))
        return 0;
    site_data_index(t->index, &t->text);
    return emit_text(t, path);
}

static int emit_all(struct target *t, const struct site_index *x, const struct site_keys *keys)
{
    if (emit_table(t, "results", x->rows, x->n_rows) < 0 ||
        emit_lists(t, "vendor", x->vendors, x->n_vendors) < 0 ||
        emit_lists(t, "accelerator", x->accelerators, x->n_accelerators) < 0 ||
        emit_lists(t, "model", x->models, x->n_models) < 0 ||
        emit_lists(t, "reference", x->references, x->n_references) < 0 ||
        site_tables_emit(x, keys, t->emit, t->self, t->err) < 0 ||
        site_tables_results_emit(x, t->emit, t->self, t->err) < 0)
        return -1;
    return emit_index(t, &keys->outline);
}

int site_data_emit(const struct site_index *index, const struct site_keys *keys, file_sink *emit,
                   void *self, struct err *err)
{
    struct target t = {.index = index, .emit = emit, .self = self, .arena = ARENA_INIT, .err = err};
    buf_init(&t.text, BUF_DEFAULT_MAX);
    int rc = emit_all(&t, index, keys);
    buf_release(&t.text);
    arena_release(&t.arena);
    return rc;
}
