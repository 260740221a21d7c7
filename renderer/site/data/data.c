#include "renderer/site/data/data.h"

#include "base/figures/figure.h"
#include "base/json/json.h"
#include "base/store/store_log.h"
#include "renderer/output/ordered.h"
#include "renderer/site/data/data_table.h"
#include "renderer/site/data/tables.h"
#include "renderer/site/index/dates.h"
#include "renderer/site/sheet/difference.h"
#include "renderer/site/sheet/reuse.h"
#include "renderer/words/ratio.h"

#include <string.h>

size_t data_parts_of(size_t total, size_t most)
{
    return total > most ? (total + most - 1) / most : 1;
}

struct data_part data_part_of(const char *table, const char *suffix, size_t number, size_t total,
                              size_t most, struct arena *arena)
{
    size_t from = (number - 1) * most;
    struct data_part p = {.from = from, .n = total - from < most ? total - from : most};
    p.path = number == 1 ? arena_printf(arena, "data/%s.%s", table, suffix)
                         : arena_printf(arena, "data/%s/%zu.%s", table, number, suffix);
    if (number < data_parts_of(total, most))
        p.next = number == 1 ? arena_printf(arena, "%s/2.%s", path_base(table), suffix)
                             : arena_printf(arena, "%zu.%s", number + 1, suffix);
    return p;
}

/* Without evidence there is nothing to compare; csv_text tells the two apart. */
#define NO_COMPARISON "not comparable"
#define NOT_STATED "not stated"
#define NO_EVIDENCE "no evidence"

/* One column of every table: its name, CSV's word for nothing, and the figure that it states. */
struct data_column {
    const char *name, *absent;
    enum { OTHER, PUBLISHED, STATED } of; /* PUBLISHED: a cell, which may be a word for nothing */
    enum site_figure figure;
};

static const struct data_column columns[] = {
    {.name = "vendor", .absent = NOT_STATED},
    {.name = "case", .absent = NOT_STATED},
    {.name = "place", .absent = NOT_STATED},
    {.name = "key", .absent = NOT_STATED},
    {.name = "model", .absent = NOT_STATED},
    {.name = "accelerator", .absent = NOT_STATED},
    {.name = "nodes", .absent = NOT_STATED},
    {.name = "cards_per_node", .absent = NOT_STATED},
    {.name = "configuration", .absent = NOT_STATED},
    {.name = "precision", .absent = NOT_STATED, .of = PUBLISHED},
    {.name = "precision_class", .absent = NOT_STATED},
    {.name = "state", .absent = NOT_STATED},
    {.name = "throughput_stated", .absent = NOT_STATED, .of = STATED, .figure = SITE_RATE},
    {.name = "throughput_recomputed", .absent = "not run"},
    {.name = "throughput_unit", .absent = NOT_STATED},
    {.name = "mfu_stated", .absent = NOT_STATED, .of = STATED, .figure = SITE_MFU},
    {.name = "mfu_recomputed", .absent = "not run"},
    {.name = "mfu_unit", .absent = NOT_STATED},
    {.name = "loss_stated", .absent = NOT_STATED, .of = STATED, .figure = SITE_LOSS},
    {.name = "loss_recomputed", .absent = "not run"},
    {.name = "loss_deviation_max_percent", .absent = NO_COMPARISON},
    {.name = "loss_deviation_max_step", .absent = NO_COMPARISON},
    {.name = "loss_deviation_mean_percent", .absent = NO_COMPARISON},
    {.name = "loss_steps_compared", .absent = NO_COMPARISON},
    {.name = "loss_steps_logged", .absent = NO_EVIDENCE},
    {.name = "loss_alignment", .absent = NO_COMPARISON},
    {.name = "memory_stated", .absent = NOT_STATED, .of = STATED, .figure = SITE_MEMORY},
    {.name = "memory_recomputed", .absent = "not run"},
    {.name = "memory_unit", .absent = NOT_STATED},
    {.name = "group", .absent = NOT_STATED},
    {.name = "stage", .absent = "not applicable"},
    {.name = "plan", .absent = NOT_STATED},
    {.name = "changed", .absent = NOT_STATED},
    {.name = "software", .absent = NOT_STATED},
    {.name = "date", .absent = NOT_STATED},
    {.name = "date_of", .absent = NOT_STATED},
    {.name = "evidence_published", .absent = NO_EVIDENCE},
    {.name = "evidence_files_withheld", .absent = NO_EVIDENCE},
};
#define N_COLUMNS (sizeof columns / sizeof *columns)

/* A row of a table while it is written: its texts, in the order of the columns; NULL: nothing to
 * say. */
struct cells {
    struct arena *arena;
    const struct site_row *row;
    const char *text[N_COLUMNS];
};

/* ---- texts ------------------------------------------------------------------------------- */

struct figure_texts {
    const char *stated, *recomputed, *unit;
};

static struct figure_texts figure_texts_of(const struct cells *c, enum site_figure figure)
{
    const struct metric *m = c->row->figures[figure];
    return m ? (struct figure_texts){m->stated, figure_print(m->found, c->arena),
                                     ratio_unit(m->name, m->says, m->unit, c->arena)}
             : (struct figure_texts){NULL, NULL, NULL};
}

struct alignment_texts {
    const char *max, *max_step, *mean, *steps, *word;
};

static struct alignment_texts alignment_texts_of(const struct cells *c)
{
    const struct alignment *a = c->row->evidence ? c->row->evidence->alignment : NULL;
    if (!a)
        return (struct alignment_texts){.word = NULL};
    return (struct alignment_texts){
        .max = site_percent_data(a->max_rel_error * 100, 6, c->arena),
        .max_step = arena_printf(c->arena, "%.10g", a->max_step),
        .mean = site_percent_data(a->mean_rel_error * 100, 6, c->arena),
        .steps = arena_printf(c->arena, "%zu", a->steps),
        .word = a->aligned ? "aligned" : "not aligned",
    };
}

static void fill_cells(struct cells *c, const struct site_index *index)
{
    const struct site_row *r = c->row;
    const struct row_evidence *e = r->evidence;
    struct arena *arena = c->arena;
    const struct figure_texts rate = figure_texts_of(c, SITE_RATE),
                              mfu = figure_texts_of(c, SITE_MFU);
    const struct figure_texts loss = figure_texts_of(c, SITE_LOSS),
                              memory = figure_texts_of(c, SITE_MEMORY);
    const struct alignment_texts alignment = alignment_texts_of(c);
    bool ran;
    const char *day = site_row_day(index, r, arena, &ran);
    const char *const texts[] = {
        r->entry->result->vendor,
        r->entry->result->case_id,
        r->row ? data_place(arena, r->table, r->row) : NULL,
        r->key,
        r->entry->model_id,
        r->card_id,
        data_count(arena, r->nodes),
        data_count(arena, r->cards),
        data_text(r->configuration),
        data_text(*r->precision ? r->precision : r->precision_cell),
        r->precision_class,
        state_name(r->entry->verdict->state),
        rate.stated,
        rate.recomputed,
        rate.unit,
        mfu.stated,
        mfu.recomputed,
        mfu.unit,
        loss.stated,
        loss.recomputed,
        alignment.max,
        alignment.max_step,
        alignment.mean,
        alignment.steps,
        e ? arena_printf(arena, "%zu", e->curve.n) : NULL,
        alignment.word,
        memory.stated,
        memory.recomputed,
        memory.unit,
        r->group,
        data_text(r->stage),
        data_text(r->plan),
        data_text(r->changed),
        data_text(r->software),
        day,
        !day  ? NULL
        : ran ? "run"
              : "listed",
        !e         ? NULL /* else in the words of the archive's log (base/store/store_log.h) */
        : !e->part ? STORE_FULL
        : e->part->only_hashes ? STORE_HASHES
                               : STORE_REDACTED,
        e ? arena_printf(arena, "%zu", e->part ? e->part->withheld : 0) : NULL,
    };
    _Static_assert(sizeof texts / sizeof *texts == N_COLUMNS, "a text a column");
    memcpy(c->text, texts, sizeof texts);
}

/* ---- jobs -------------------------------------------------------------------------------- */

/* One file: a part of a table's rows, or the index. */
struct data_job {
    const char *path;
    void (*write)(struct buf *out, const struct site_index *index, const struct data_job *job);
    const struct site_row *const *rows;
    size_t n;
    const char *next; /* of the part behind it, as a link in this one; NULL */
};

/* ---- CSV --------------------------------------------------------------------------------- */

/* A spreadsheet has no null: what is not there has a word. */
static const char *csv_text(const struct cells *c, size_t i)
{
    const struct data_column *column = &columns[i];
    const char *text = c->text[i];
    if (!text && strcmp(column->absent, NO_COMPARISON) == 0 && !c->row->evidence)
        return NO_EVIDENCE;
    if (!text && column->of == STATED && c->row->figures[column->figure])
        return data_figure_word("", c->arena);
    if (!text)
        return column->absent;
    const char *word = column->of == OTHER ? NULL : data_figure_word(text, c->arena);
    return word ? word : text;
}

static void write_rows_csv(struct buf *out, const struct site_index *index,
                           const struct data_job *job)
{
    for (size_t c = 0; c < N_COLUMNS; c++)
        buf_printf(out, "%s%s", c ? "," : "", columns[c].name);
    buf_str(out, "\r\n");
    for (size_t r = 0; r < job->n; r++) {
        struct arena arena = ARENA_INIT;
        struct cells cells = {.arena = &arena, .row = job->rows[r]};
        fill_cells(&cells, index);
        for (size_t c = 0; c < N_COLUMNS; c++) {
            if (c)
                buf_char(out, ',');
            data_cell(out, csv_text(&cells, c));
        }
        buf_str(out, "\r\n");
        arena_release(&arena);
    }
}

/* ---- JSON -------------------------------------------------------------------------------- */

static void write_rows_json(struct buf *out, const struct site_index *index,
                            const struct data_job *job)
{
    struct json_writer w = JSON_WRITER_INIT(out);
    json_begin_object(&w, NULL);
    json_string(&w, "schema", "fpreport.table/1");
    json_string_if(&w, "next", job->next);
    json_begin_array(&w, "rows");
    for (size_t r = 0; r < job->n; r++) {
        struct arena arena = ARENA_INIT;
        struct cells cells = {.arena = &arena, .row = job->rows[r]};
        fill_cells(&cells, index);
        json_begin_object_flat(&w, NULL);
        for (size_t c = 0; c < N_COLUMNS; c++)
            json_string(&w, columns[c].name, cells.text[c]);
        json_end_object(&w);
        arena_release(&arena);
    }
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
}

/* ---- files ------------------------------------------------------------------------------- */

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

static void add_table_job(struct data_jobs *j, const char *path, const struct site_row *const *rows,
                          size_t n)
{
    static const struct {
        const char *suffix;
        void (*write)(struct buf *out, const struct site_index *index, const struct data_job *job);
    } forms[] = {{"csv", write_rows_csv}, {"json", write_rows_json}};
    for (size_t part = 1; part <= data_parts_of(n, DATA_ROWS_MAX); part++)
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
            const struct data_part p =
                data_part_of(path, forms[i].suffix, part, n, DATA_ROWS_MAX, &j->arena);
            struct data_job job = {p.path, forms[i].write, p.n ? rows + p.from : NULL, p.n, p.next};
            struct reuse_key key = {0};
            if (j->index->site->reuse)
                key = site_key_rows(j->index, j->keys, job.rows, job.n, n);
            add_job(j, &key, job);
        }
}

static void add_tables(struct data_jobs *j, const char *kind, const struct site_list *lists,
                       size_t n)
{
    for (size_t i = 0; i < n; i++)
        add_table_job(j, arena_printf(&j->arena, "%s/%s", kind, lists[i].id), lists[i].rows,
                      lists[i].n);
}

static int make_file(void *context, size_t worker, size_t i, file_sink *emit, void *self,
                     struct err *err)
{
    const struct data_jobs *j = context;
    const struct data_job *job = &j->items[i];
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    (void)worker;
    job->write(&text, j->index, job);
    int rc = buf_check(&text, job->path, err);
    if (rc == 0)
        rc = emit(self, job->path, text.data, text.len, err);
    buf_release(&text);
    return rc;
}

static void write_index(struct buf *out, const struct site_index *index, const struct data_job *job)
{
    (void)job;
    site_data_index(index, out);
}

int site_data_emit(const struct site_index *x, const struct site_keys *keys, file_sink *emit,
                   void *self, struct err *err)
{
    struct data_jobs j = {.index = x, .keys = keys};
    add_table_job(&j, "results", x->rows, x->n_rows);
    add_tables(&j, "vendor", x->vendors, x->n_vendors);
    add_tables(&j, "accelerator", x->accelerators, x->n_accelerators);
    add_tables(&j, "model", x->models, x->n_models);
    add_tables(&j, "reference", x->references, x->n_references);
    add_job(&j, &keys->outline, (struct data_job){.path = "data/index.json", .write = write_index});
    int rc = ordered_emit(j.n, make_file, &j, emit, self, err);
    arena_release(&j.arena);
    if (rc < 0 || site_tables_emit(x, keys, emit, self, err) < 0)
        return -1;
    return site_tables_results_emit(x, emit, self, err);
}
