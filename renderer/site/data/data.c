#include "renderer/site/data/data.h"

#include "base/figures/figure.h"
#include "base/json/json.h"
#include "base/store/store_log.h"
#include "renderer/output/ordered.h"
#include "renderer/site/data/data_old.h"
#include "renderer/site/data/data_table.h"
#include "renderer/site/data/tables.h"
#include "renderer/site/index/dates.h"
#include "renderer/site/sheet/difference.h"
#include "renderer/site/sheet/reuse.h"
#include "renderer/words/ratio.h"

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

static const char *key(const struct cells *c, int figure)
{
    (void)figure;
    return c->row->key;
}

static const char *configuration(const struct cells *c, int figure)
{
    (void)figure;
    return *c->row->configuration ? c->row->configuration : NULL;
}

static const char *precision(const struct cells *c, int figure)
{
    (void)figure;
    const struct site_row *row = c->row;
    return *row->precision ? row->precision : *row->precision_cell ? row->precision_cell : NULL;
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
    return m ? ratio_unit(m->name, m->says, m->unit, c->arena) : NULL;
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

static const char *logged_steps(const struct cells *c, int figure)
{
    (void)figure;
    const struct row_evidence *e = c->row->evidence;
    return e ? arena_printf(c->arena, "%zu", e->curve.n) : NULL;
}

static const char *alignment(const struct cells *c, int figure)
{
    (void)figure;
    const struct row_evidence *e = c->row->evidence;
    return !e || !e->alignment ? NULL : e->alignment->aligned ? "aligned" : "not aligned";
}

/* In the words of the archive's log (base/store/store_log.h). */
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
    {"key", key, 0, NOT_STATED},
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
    {"mfu_unit", unit, SITE_MFU, NOT_STATED},
    {"loss_stated", stated, SITE_LOSS, NOT_STATED},
    {"loss_recomputed", recomputed, SITE_LOSS, "not run"},
    {"loss_deviation_max_percent", deviation, 0, NO_COMPARISON},
    {"loss_deviation_max_step", worst_step, 0, NO_COMPARISON},
    {"loss_deviation_mean_percent", mean_deviation, 0, NO_COMPARISON},
    {"loss_steps_compared", compared_steps, 0, NO_COMPARISON},
    {"loss_steps_logged", logged_steps, 0, NO_EVIDENCE},
    {"loss_alignment", alignment, 0, NO_COMPARISON},
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

/* A spreadsheet has no null: what is not there has a word. */
static const char *csv_text(const struct data_column *column, const struct cells *c)
{
    const char *text = column->text(c, column->figure);
    if (!text && strcmp(column->absent, NO_COMPARISON) == 0 && !c->row->evidence)
        return NO_EVIDENCE;
    if (!text && column->text == stated && c->row->figures[column->figure])
        return data_figure_word("", c->arena);
    if (!text)
        return column->absent;
    if (column->text != stated && column->text != precision)
        return text;
    const char *word = data_figure_word(text, c->arena);
    return word ? word : text;
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

/* One file of rows, or the index. */
typedef void writer(struct buf *out, const struct site_index *index, const char *path,
                    const struct site_row *const *rows, size_t n);

struct data_job {
    const char *path;
    writer *write;
    const struct site_row *const *rows;
    size_t n;
};

/* Files that are to be made: tables of all rows are large, and each is made on one core. */
struct data_jobs {
    const struct site_index *index;
    const struct site_keys *keys;
    struct arena arena;
    struct data_job *items;
    size_t n;
};

static void add_job(struct data_jobs *j, const struct reuse_key *key, struct data_job job)
{
    if (!reuse_keeps(j->index->site->reuse, job.path, key))
        *(struct data_job *)ARENA_PUSH(&j->arena, j->items, j->n) = job;
}

static void add_table(struct data_jobs *j, const char *path, const struct site_row *const *rows,
                      size_t n)
{
    static const struct {
        const char *suffix;
        writer *write;
    } forms[] = {{"csv", write_csv}, {"json", write_json}};
    struct reuse_key key = {0};
    if (j->index->site->reuse)
        key = site_key_rows(j->index, j->keys, rows, n, n);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        add_job(j, &key,
                (struct data_job){arena_printf(&j->arena, "data/%s.%s", path, forms[i].suffix),
                                  forms[i].write, rows, n});
}

static void add_tables(struct data_jobs *j, const char *kind, const struct site_list *lists,
                       size_t n)
{
    for (size_t i = 0; i < n; i++)
        add_table(j, arena_printf(&j->arena, "%s/%s", kind, lists[i].id), lists[i].rows,
                  lists[i].n);
}

static int make_file(void *context, size_t worker, size_t i, file_sink *emit, void *self,
                     struct err *err)
{
    const struct data_jobs *j = context;
    const struct data_job *job = &j->items[i];
    struct buf text;
    (void)worker;
    buf_init(&text, BUF_DEFAULT_MAX);
    job->write(&text, j->index, job->path, job->rows, job->n);
    int rc = buf_check(&text, job->path, err);
    if (rc == 0)
        rc = emit(self, job->path, text.data, text.len, err);
    buf_release(&text);
    return rc;
}

static void write_index(struct buf *out, const struct site_index *index, const char *path,
                        const struct site_row *const *rows, size_t n)
{
    (void)path, (void)rows, (void)n;
    site_data_index(index, out);
}

int site_data_emit(const struct site_index *x, const struct site_keys *keys, file_sink *emit,
                   void *self, struct err *err)
{
    struct data_jobs j = {.index = x, .keys = keys};
    add_table(&j, "results", x->rows, x->n_rows);
    add_tables(&j, "vendor", x->vendors, x->n_vendors);
    add_tables(&j, "accelerator", x->accelerators, x->n_accelerators);
    add_tables(&j, "model", x->models, x->n_models);
    add_tables(&j, "reference", x->references, x->n_references);
    add_job(&j, &keys->outline, (struct data_job){"data/index.json", write_index, NULL, 0});
    int rc = ordered_emit(j.n, make_file, &j, emit, self, err);
    arena_release(&j.arena);
    if (rc < 0 || site_tables_emit(x, keys, emit, self, err) < 0)
        return -1;
    return site_tables_results_emit(x, emit, self, err);
}
