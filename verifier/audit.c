#include "verifier/audit.h"

#include "base/labels.h"
#include "base/text.h"
#include "verifier/checks.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *claim_cell(const struct claim *c, const char *key)
{
    for (size_t i = 0; i < c->of->n_columns && i < c->cells->n_cells; i++) {
        const struct metrics_column *column = metrics_column(c->of->columns[i]);
        if (column && strcmp(column->key, key) == 0)
            return c->cells->cells[i].text;
    }
    return NULL;
}

const char *audit_general(const struct audit *a, const char *key)
{
    const struct table *t = a->result->general;
    for (size_t i = 0; t && i < t->n_rows; i++) {
        const struct row *row = &t->rows[i];
        const struct label *label =
            row->n_cells > 1 ? label_find(LABEL_GENERAL, row->cells[0].text) : NULL;
        if (label && strcmp(label->key, key) == 0 && !strstr(row->cells[1].text, "见"))
            return row->cells[1].text;
    }
    return NULL;
}

struct walk {
    void (*each)(void *data, const struct item *item, const char *key);
    void *data;
};

static void walk_items(const struct walk *w, const struct item *items, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct label *label = items[i].label ? label_find(LABEL_ITEM, items[i].label) : NULL;
        w->each(w->data, &items[i], label ? label->key : NULL);
        walk_items(w, items[i].items, items[i].n_items);
    }
}

void audit_items(const struct audit *a,
                 void (*each)(void *data, const struct item *item, const char *key), void *data)
{
    const struct walk w = {each, data};
    const struct result *r = a->result;
    for (size_t i = 0; r && i < r->n_environments; i++) {
        const struct environment *e = &r->environments[i];
        for (size_t k = 0; k < e->n_groups; k++)
            walk_items(&w, e->groups[k].items, e->groups[k].n_items);
    }
    for (size_t i = 0; r && i < r->n_run_groups; i++)
        walk_items(&w, r->run_groups[i].items, r->run_groups[i].n_items);
}

struct mention {
    const char *word;
    struct arena *arena;
    bool found;
};

static void look_for_word(void *data, const struct item *item, const char *key)
{
    struct mention *m = data;
    (void)key;
    if (strstr(text_fold(m->arena, item->value ? item->value : ""), m->word))
        m->found = true;
}

bool audit_mentions(const struct audit *a, const char *word)
{
    struct mention m = {word, a->arena, false};
    audit_items(a, look_for_word, &m);
    return m.found;
}

static void note_accelerator(void *data, const struct item *item, const char *key)
{
    struct audit *a = data;
    struct figure f;
    if (!key || (strcmp(key, "accelerator") != 0 && strcmp(key, "machine_accelerator") != 0))
        return;
    figure_parse(item->value, a->arena, &f);
    /* 无 says that the machine has none. */
    if (figure_is_absent(&f) || text_same(item->value, "无"))
        return;
    const char **to = ARENA_PUSH(a->arena, a->accelerators, a->n_accelerators);
    *to = item->value;
}

const struct accelerator *audit_accelerator(const struct audit *a)
{
    const struct accelerator *one = NULL;
    for (size_t i = 0; i < a->n_accelerators; i++) {
        const struct accelerator *x =
            project_find_accelerator(a->project, a->accelerators[i], NULL);
        if (!x || (one && one != x))
            return NULL;
        one = x;
    }
    return one;
}

/* A line like "| LLaMA-7B | ------- | ------ |" or an empty one. */
static bool claims_nothing(const struct row *row, bool has_config, struct arena *arena)
{
    for (size_t i = has_config ? row->n_cells : 1; i < row->n_cells; i++) {
        struct figure f;
        figure_parse(row->cells[i].text, arena, &f);
        if (!figure_is_absent(&f))
            return false;
    }
    return !has_config;
}

static void read_claim(struct audit *a, struct claim *c)
{
    const char *precision = claim_cell(c, "precision"), *parallel = claim_cell(c, "parallel");
    const char *hyper = claim_cell(c, "hyperparameters");
    struct figure f;
    c->has_plan = parallel && plan_parse(parallel, a->arena, &c->plan);
    c->cards = c->has_config ? configuration_cards(&c->config) : 0;
    hyperparameters_parse(hyper, a->arena, &c->hyper);
    c->precision = precision            ? precision
                   : c->hyper.precision ? c->hyper.precision
                                        : audit_general(a, "precision");
    figure_parse(c->precision, a->arena, &f);
    if (figure_is_absent(&f))
        c->precision = NULL;
    c->accelerator = *c->config.accelerator
                         ? project_find_accelerator(a->project, c->config.accelerator, NULL)
                         : NULL;
}

static void read_row(struct audit *a, const struct table *t, int table, size_t row)
{
    struct claim c = {.table = table, .row = (int)row + 1, .of = t, .cells = &t->rows[row]};
    const char *first = c.cells->n_cells ? c.cells->cells[0].text : "";
    c.line = c.cells->line ? c.cells->line : t->line;
    c.has_config = configuration_parse(first, a->arena, &c.config);
    if (claims_nothing(c.cells, c.has_config, a->arena))
        return;
    read_claim(a, &c);
    struct claim *to = ARENA_PUSH(a->arena, a->claims, a->n_claims);
    *to = c;
}

static const char *const absent_reasons[] = {
    [FIGURE_MISSING] = "not stated",
    [FIGURE_WITHHELD] = "withheld",
    [FIGURE_OOM] = "ran out of memory",
    [FIGURE_PENDING] = "not finished",
};

static void note_metric(struct audit *a, const struct claim *c, size_t column)
{
    const struct metrics_column *m = metrics_column(c->of->columns[column]);
    struct figure f;
    if (!m || !(metrics_is_numeric(m->kind) || m->kind == COLUMN_FLAG))
        return;
    figure_parse(c->cells->cells[column].text, a->arena, &f);
    struct metric *to = ARENA_PUSH(a->arena, a->verdict->metrics, a->verdict->n_metrics);
    *to = (struct metric){.name = m->key,
                          .unit = m->unit,
                          .table = c->table,
                          .row = c->row,
                          .stated = f.kind == FIGURE_MISSING ? NULL : c->cells->cells[column].text,
                          .claimed = !figure_is_absent(&f),
                          .outcome = OUTCOME_CANNOT};
    to->reason = figure_is_absent(&f) ? absent_reasons[f.kind] : "no evidence";
}

void audit_open(struct audit *a)
{
    const struct table **tables;
    size_t n = result_figure_tables(a->result, a->arena, &tables);
    a->kase = project_case(a->project, a->result->case_id);
    a->model = project_result_model(a->project, a->result);
    audit_items(a, note_accelerator, a);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < tables[i]->n_rows; k++)
            read_row(a, tables[i], (int)i + 1, k);
    for (size_t i = 0; i < a->n_claims; i++) {
        const struct claim *c = &a->claims[i];
        for (size_t k = 0; k < c->of->n_columns && k < c->cells->n_cells; k++)
            note_metric(a, c, k);
    }
}

static const struct batch_symbol {
    const char *symbol;
    size_t at;
} batch_symbols[] = {
    {"LBS", offsetof(struct hyperparameters, lbs)},
    {"GAS", offsetof(struct hyperparameters, gas)},
    {"MPE", offsetof(struct hyperparameters, mpe)},
    {"GBS", offsetof(struct hyperparameters, gbs)},
};

/* What the page sets for this stage, else by default. */
static double page_batch(const struct audit *a, const struct claim *c, const char *symbol)
{
    double value = NAN;
    for (size_t i = 0; i < a->result->n_batch; i++) {
        const struct batch_item *item = &a->result->batch[i];
        if (!item->symbol || strcmp(item->symbol, symbol) != 0)
            continue;
        for (size_t k = 0; k < item->n_values; k++) {
            const char *when = item->values[k].when, *stage = c->config.stage;
            struct figure f;
            figure_parse(item->values[k].value, a->arena, &f);
            if (f.kind != FIGURE_NUMBER || (when && !(stage && text_same(when, stage))))
                continue;
            if (when || isnan(value))
                value = f.value;
        }
    }
    return value;
}

double audit_batch(const struct audit *a, const struct claim *c, const char *symbol,
                   const char **from)
{
    double value = NAN;
    for (size_t i = 0; i < sizeof batch_symbols / sizeof batch_symbols[0]; i++)
        if (strcmp(batch_symbols[i].symbol, symbol) == 0)
            memcpy(&value, (const char *)&c->hyper + batch_symbols[i].at, sizeof value);
    if (from)
        *from = isnan(value) ? "page" : "row";
    return isnan(value) ? page_batch(a, c, symbol) : value;
}

struct metric *audit_metric(const struct audit *a, const struct claim *c, const char *key)
{
    for (size_t i = 0; i < a->verdict->n_metrics; i++) {
        struct metric *m = &a->verdict->metrics[i];
        if (m->table == c->table && m->row == c->row && strcmp(m->name, key) == 0)
            return m;
    }
    return NULL;
}

void audit_contradict(struct audit *a, const struct claim *c, const char *key,
                      const struct check_result *r)
{
    struct metric *m = audit_metric(a, c, key);
    if (!m)
        return;
    m->outcome = OUTCOME_FAIL;
    m->reason = r->message;
}

struct check_result *audit_report(struct audit *a, enum outcome outcome, const struct claim *c,
                                  int line, const char *fmt, ...)
{
    struct check_result *r = ARENA_PUSH(a->arena, a->verdict->checks, a->verdict->n_checks);
    char text[ERR_TEXT_MAX];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    *r = (struct check_result){.rule = a->check->id,
                               .outcome = outcome,
                               .severity = a->check->severity,
                               .file = a->file,
                               .line = c ? c->line : line,
                               .table = c ? c->table : 0,
                               .row = c ? c->row : 0,
                               .message = arena_strdup(a->arena, text)};
    return r;
}

const char *audit_fixed(struct arena *arena, double value, int decimals)
{
    decimals = decimals < 0 ? 0 : decimals > 17 ? 17 : decimals;
    const char *text = arena_printf(arena, "%.*f", decimals, value);
    return text[0] == '-' && strspn(text, "-0.") == strlen(text) ? text + 1 : text;
}

const char *audit_number(struct arena *arena, double value)
{
    char text[40], *e;
    if (fabs(value) < 1e6 && value == floor(value))
        return arena_printf(arena, "%.0f", value);
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    e = strstr(text, "e+");
    if (!e)
        return arena_strdup(arena, text);
    return arena_printf(arena, "%.*se%s", (int)(e - text), text, e + 2 + strspn(e + 2, "0"));
}
