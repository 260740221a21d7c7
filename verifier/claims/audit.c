#include "verifier/claims/audit.h"

#include "base/figures/labels.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* The place of the cell in this column; behind the last when there is none. */
static size_t find_cell(const struct claim *c, const char *key)
{
    for (size_t i = 0; i < c->of->n_columns && i < c->cells->n_cells; i++) {
        const struct metrics_column *column = c->columns[i];
        if (column && *column->key == *key && strcmp(column->key, key) == 0)
            return i;
    }
    return c->cells->n_cells;
}

const char *claim_cell(const struct claim *c, const char *key)
{
    size_t i = find_cell(c, key);
    return i < c->cells->n_cells ? c->cells->cells[i].text : NULL;
}

const struct figure *claim_figure(const struct claim *c, const char *key)
{
    return &c->figures[find_cell(c, key)];
}

static const struct row *general_row(const struct audit *a, const char *key)
{
    const struct table *t = a->result->general;
    const struct label *label = label_by_key(LABEL_GENERAL, key);
    for (size_t i = 0; t && i < t->n_rows; i++) {
        const struct row *row = &t->rows[i];
        if (row->n_cells > 1 && label_is(label, row->cells[0].text) &&
            !strstr(row->cells[1].text, "见"))
            return row;
    }
    return NULL;
}

const char *audit_general(const struct audit *a, const char *key)
{
    const struct row *row = general_row(a, key);
    return row ? row->cells[1].text : NULL;
}

int audit_general_line(const struct audit *a, const char *key)
{
    const struct row *row = general_row(a, key);
    return row && row->line ? row->line : a->result->general ? a->result->general->line : 0;
}

static void note_items(struct audit *a, const struct item *items, size_t n)
{
    for (size_t i = 0; i < n && a->n_items < AUDIT_BULLETS_MAX; i++) {
        const struct label *label = items[i].label ? label_find(LABEL_ITEM, items[i].label) : NULL;
        *(struct audit_item *)ARENA_PUSH(a->arena, a->items, a->n_items) =
            (struct audit_item){&items[i], label ? label->key : NULL};
        note_items(a, items[i].items, items[i].n_items);
    }
}

static void note_all_items(struct audit *a)
{
    const struct result *r = a->result;
    for (size_t i = 0; i < r->n_environments; i++) {
        const struct environment *e = &r->environments[i];
        for (size_t k = 0; k < e->n_groups; k++)
            note_items(a, e->groups[k].items, e->groups[k].n_items);
    }
    for (size_t i = 0; i < r->n_run_groups; i++)
        note_items(a, r->run_groups[i].items, r->run_groups[i].n_items);
}

bool audit_mentions(const struct audit *a, const char *word)
{
    for (size_t i = 0; i < a->n_items; i++)
        if (strstr(text_fold(a->arena, text_or_empty(a->items[i].item->value)), word))
            return true;
    return false;
}

static void note_accelerator(struct audit *a, const struct item *item, const char *key)
{
    if (!key || (strcmp(key, "accelerator") != 0 && strcmp(key, "machine_accelerator") != 0))
        return;
    /* 无 says that the machine has none. */
    if (figure_absence(item->value, a->arena) != FIGURE_TEXT || text_same(item->value, "无"))
        return;
    for (size_t i = 0; i < a->n_accelerators; i++)
        if (strcmp(a->accelerators[i], item->value) == 0)
            return;
    if (a->n_accelerators == AUDIT_ACCELERATORS_MAX) {
        a->too_many = "accelerators";
        return;
    }
    *(const char **)ARENA_PUSH(a->arena, a->accelerators, a->n_accelerators) = item->value;
}

/* Another vendor's card beside one of the page's own was left over from another page (FP3014): it
 * is nothing to compare rows with. */
const struct accelerator *audit_card(const struct audit *a, const char *text)
{
    return project_find_card(a->project, text, a->result ? a->result->vendor : NULL);
}

static void leave_out_foreign(struct audit *a)
{
    const char **own = arena_array(a->arena, a->n_accelerators, sizeof *own);
    size_t n = 0;
    for (size_t i = 0; i < a->n_accelerators; i++) {
        const struct accelerator *x = audit_card(a, a->accelerators[i]);
        if (!x || strcmp(x->vendor, a->result->vendor) == 0)
            own[n++] = a->accelerators[i];
    }
    if (n && project_vendor(a->project, a->result->vendor)) {
        a->accelerators = own;
        a->n_accelerators = n;
    }
}

const struct accelerator *audit_accelerator(const struct audit *a)
{
    const struct accelerator *one = NULL;
    for (size_t i = 0; i < a->n_accelerators; i++) {
        const struct accelerator *x = audit_card(a, a->accelerators[i]);
        if (!x || (one && one != x))
            return NULL;
        one = x;
    }
    return one;
}

/* A line like "| LLaMA-7B | ------- | ------ |" or an empty one. "/" is more than that: somebody
 * has the figure. */
static bool claims_nothing(const struct claim *c)
{
    bool stated = c->has_config;
    for (size_t i = 1; i < c->cells->n_cells && !stated; i++) {
        const char *text = c->cells->cells[i].text;
        stated = text[strspn(text, " -")] != '\0';
    }
    return !stated;
}

static void read_claim(struct audit *a, struct claim *c)
{
    const char *precision = claim_cell(c, "precision"), *parallel = claim_cell(c, "parallel");
    const char *hyper = claim_cell(c, "hyperparameters");
    c->has_plan = parallel && plan_parse(parallel, a->arena, &c->plan);
    c->cards = c->has_config ? configuration_cards(&c->config) : 0;
    hyperparameters_parse(hyper, a->arena, &c->hyper);
    c->precision = precision             ? precision
                   : c->hyper.precision  ? c->hyper.precision
                   : c->config.precision ? c->config.precision
                                         : audit_general(a, "precision");
    if (figure_absence(c->precision, a->arena) != FIGURE_TEXT)
        c->precision = NULL;
    c->accelerator = *c->config.accelerator ? audit_card(a, c->config.accelerator) : NULL;
}

static void read_claimed_row(struct audit *a, const struct table *t,
                             const struct metrics_column **columns, int table, size_t row)
{
    struct claim c = {
        .table = table, .row = (int)row + 1, .of = t, .columns = columns, .cells = &t->rows[row]};
    const char *first = c.cells->n_cells ? c.cells->cells[0].text : "";
    c.line = c.cells->line ? c.cells->line : t->line;
    c.has_config = configuration_parse(first, a->arena, &c.config);
    c.figures = c.cells->figures;
    if (claims_nothing(&c))
        return;
    if (a->n_claims == AUDIT_CLAIMS_MAX) {
        a->too_many = "rows of figures";
        return;
    }
    read_claim(a, &c);
    *(struct claim *)ARENA_PUSH(a->arena, a->claims, a->n_claims) = c;
}

static void read_claimed_table(struct audit *a, const struct table *t, int table)
{
    const struct metrics_column **columns = arena_array(a->arena, t->n_columns, sizeof *columns);
    for (size_t i = 0; i < t->n_columns; i++)
        columns[i] = metrics_column(t->columns[i]);
    for (size_t i = 0; i < t->n_rows; i++)
        read_claimed_row(a, t, columns, table, i);
}

static const char *const absent_reasons[] = {
    [FIGURE_MISSING] = "not stated",
    [FIGURE_WITHHELD] = "withheld",
    [FIGURE_OOM] = "ran out of memory",
    [FIGURE_PENDING] = "not finished",
};

static void note_metric(struct audit *a, const struct claim *c, size_t column)
{
    const struct metrics_column *m = c->columns[column];
    const struct figure *f = &c->figures[column];
    /* A header may be the key of a figure that no page has a column for: it is that figure. */
    const struct metrics_column *keyed = m ? m : metrics_by_key(c->of->columns[column]);
    if (m && !(metrics_is_numeric(m->kind) || m->kind == COLUMN_FLAG))
        return;
    /* A number in a column that nobody knows is a claim all the same. */
    if (!m && !figure_has_value(f))
        return;
    struct metric *to = ARENA_PUSH(a->arena, a->verdict->metrics, a->verdict->n_metrics);
    *to = (struct metric){.name = m ? m->key : c->of->columns[column],
                          .unit = keyed ? keyed->unit : "",
                          .table = c->table,
                          .row = c->row,
                          .stated = f->kind == FIGURE_MISSING ? NULL : c->cells->cells[column].text,
                          .says = f,
                          .claimed = !figure_is_absent(f),
                          .outcome = OUTCOME_CANNOT};
    to->reason = !m                    ? "the column is unknown"
                 : figure_is_absent(f) ? absent_reasons[f->kind]
                                       : "no evidence";
}

static void note_metrics(struct audit *a, struct claim *c)
{
    c->metrics = a->verdict->n_metrics;
    for (size_t i = 0; i < c->of->n_columns && i < c->cells->n_cells; i++)
        note_metric(a, c, i);
    c->n_metrics = a->verdict->n_metrics - c->metrics;
}

static void read_batch(struct audit *a, enum batch_symbol symbol)
{
    static const char *const names[] = {
        [BATCH_LBS] = "LBS", [BATCH_GAS] = "GAS", [BATCH_MPE] = "MPE", [BATCH_GBS] = "GBS"};
    size_t looked_at = 0;
    for (size_t i = 0; i < a->result->n_batch && i < AUDIT_BATCH_VALUES_MAX; i++) {
        const struct batch_item *item = &a->result->batch[i];
        bool meant = item->symbol && strcmp(item->symbol, names[symbol]) == 0;
        for (size_t k = 0; meant && k < item->n_values && looked_at < AUDIT_BATCH_VALUES_MAX; k++) {
            struct figure f;
            looked_at++;
            figure_parse(item->values[k].value, a->arena, &f);
            if (f.kind != FIGURE_NUMBER)
                continue;
            struct batch_default *to =
                ARENA_PUSH(a->arena, a->batch[symbol].items, a->batch[symbol].n);
            *to = (struct batch_default){item->values[k].when, f.value};
        }
    }
}

/* What the lists of bullets and batch sizes leave out is said here, once. */
static void count_parts(struct audit *a)
{
    size_t n = 0;
    if (a->n_items == AUDIT_BULLETS_MAX)
        a->too_many = "bullets in its environment section";
    for (size_t i = 0; i < a->result->n_batch; i++)
        n += 1 + a->result->batch[i].n_values;
    if (n > AUDIT_BATCH_VALUES_MAX)
        a->too_many = "batch sizes";
}

void audit_open(struct audit *a)
{
    const struct table **tables;
    size_t n = result_figure_tables(a->result, a->arena, &tables);
    a->kase = project_case(a->project, a->result->case_id);
    a->model = project_result_model(a->project, a->result);
    note_all_items(a);
    for (size_t i = 0; i < a->n_items; i++)
        note_accelerator(a, a->items[i].item, a->items[i].key);
    leave_out_foreign(a);
    a->n_older = older_tables_find(a->result, a->arena, &a->older);
    for (size_t i = 0; i < n; i++)
        read_claimed_table(a, tables[i], (int)i + 1);
    a->n_loose = pipe_tables_find(a->result, a->arena, &a->loose);
    for (size_t i = 0; i < a->n_loose; i++)
        read_claimed_table(a, &a->loose[i], (int)(n + i + 1));
    count_parts(a);
    for (size_t i = 0; i < a->n_claims; i++)
        note_metrics(a, &a->claims[i]);
    a->n_metrics = a->verdict->n_metrics;
    for (int i = 0; i < BATCH_SYMBOLS; i++)
        read_batch(a, (enum batch_symbol)i);
}

/* What the page sets for this stage, else by default. */
static double page_batch(const struct audit *a, const struct claim *c, enum batch_symbol symbol)
{
    double value = NAN;
    for (size_t i = 0; i < a->batch[symbol].n; i++) {
        const struct batch_default *x = &a->batch[symbol].items[i];
        const char *stage = c->config.stage;
        if (x->stage ? stage && text_same(x->stage, stage) : isnan(value))
            value = x->value;
    }
    return value;
}

double audit_batch(const struct audit *a, const struct claim *c, enum batch_symbol symbol)
{
    const double of_row[] = {[BATCH_LBS] = c->hyper.lbs,
                             [BATCH_GAS] = c->hyper.gas,
                             [BATCH_MPE] = c->hyper.mpe,
                             [BATCH_GBS] = c->hyper.gbs};
    return isnan(of_row[symbol]) ? page_batch(a, c, symbol) : of_row[symbol];
}

struct lookup audit_batch_files(const struct audit *a)
{
    size_t n = a->result->n_batch;
    return lookup_of(a->result->batch, n < AUDIT_BATCH_VALUES_MAX ? n : AUDIT_BATCH_VALUES_MAX,
                     sizeof *a->result->batch, offsetof(struct batch_item, file), a->arena);
}

struct metric *audit_next_metric(const struct audit *a, const struct claim *c, size_t *i)
{
    if (*i < c->n_metrics)
        return &a->verdict->metrics[c->metrics + (*i)++];
    for (;;) {
        size_t at = a->n_metrics + (*i)++ - c->n_metrics;
        struct metric *m = at < a->verdict->n_metrics ? &a->verdict->metrics[at] : NULL;
        if (!m || (m->row == c->row && m->table == c->table))
            return m;
    }
}

struct metric *audit_metric(const struct audit *a, const struct claim *c, const char *key)
{
    struct metric *m;
    size_t i = 0;
    while ((m = audit_next_metric(a, c, &i)) && strcmp(m->name, key) != 0)
        ;
    return m;
}

void audit_keep_metrics(struct audit *a, const struct evidence *row)
{
    struct verdict *v = a->verdict;
    v->n_metrics = 0;
    for (size_t i = 0; i < a->n_claims; i++) {
        struct claim *c = &a->claims[i];
        if (row && c->table == row->table && c->row == row->row) {
            v->n_metrics = c->n_metrics;
            memmove(v->metrics, v->metrics + c->metrics, c->n_metrics * sizeof *v->metrics);
        } else
            c->n_metrics = 0;
        c->metrics = 0;
    }
    a->n_metrics = v->n_metrics;
}

void audit_contradict(struct audit *a, const struct claim *c, const char *key,
                      const struct check_result *r)
{
    struct metric *m = audit_metric(a, c, key);
    if (!m)
        return;
    m->outcome = OUTCOME_FAIL;
    m->warned = false;
    m->rule = r->rule;
    m->reason = r->message;
}

void audit_elsewhere(struct audit *a, const struct claim *c, const char *key, const char *column,
                     const struct check_result *r)
{
    struct metric *m = audit_metric(a, c, key);
    if (!m)
        return;
    m->elsewhere = column;
    m->rule = r->rule;
    m->reason = r->message;
}

void audit_cell(struct check_result *r, const struct cell *cell)
{
    r->column = cell->col;
    r->character = cell->character;
}

const char *audit_fixed(struct arena *arena, double value, int decimals)
{
    const struct figure f = figure_fixed(value, decimals);
    return figure_print(&f, arena);
}

const char *audit_number(struct arena *arena, double value)
{
    const struct figure f = figure_exact(value);
    return figure_print(&f, arena);
}

void audit_note_sentences(struct audit *a)
{
    for (size_t i = 0; i < a->verdict->n_metrics; i++) {
        struct metric *m = &a->verdict->metrics[i];
        m->reason_made = m->reason ? sentence_of(a->arena, m->reason) : NULL;
        m->derivation_made = m->derivation ? sentence_of(a->arena, m->derivation) : NULL;
    }
}
