/* Rules about what a figure can be at all, and about figures that stand there twice. */
#include "verifier/checks.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

#define LOSS_FACTOR 3
#define REPEATED 0.05 /* of a figure: further apart, a repetition is no explanation */

/* What metrics.h says about the columns, in numbers. */
static const struct bounds {
    double least, most; /* of one value; NaN: no bound */
    bool above;         /* `least` itself cannot be */
} ranges[] = {
    [RANGE_POSITIVE] = {0, NAN, true},
    [RANGE_TIME] = {0, CHECKS_SECONDS_MAX, true},
    [RANGE_FROM_ONE] = {1, NAN, false},
    [RANGE_SHARE] = {0, 100, false},
};

/* NULL: open at both ends. */
static const struct bounds *find_bounds(const struct metrics_column *m)
{
    return m && m->range != RANGE_ANY ? &ranges[m->range] : NULL;
}

static bool is_within(const struct bounds *b, double value)
{
    if (isnan(value))
        return true;
    return (b->above ? value > b->least : value >= b->least) && !(value > b->most);
}

/* Losses, rates and scores that no training has: a negative loss, an accuracy of 173 %. */
void check_bounds(struct audit *a, const struct claim *c)
{
    for (size_t i = 0; i < c->of->n_columns && i < c->cells->n_cells; i++) {
        const struct bounds *b = find_bounds(c->columns[i]);
        const char *text = c->cells->cells[i].text;
        struct figure f;
        figure_parse(text, a->arena, &f);
        if (!b || !figure_has_value(&f) || (strcmp(c->columns[i]->key, "loss") == 0 && !a->model))
            continue;
        bool ok = is_within(b, f.value) && is_within(b, f.second);
        const char *range =
            isnan(b->most)
                ? arena_printf(a->arena, b->above ? "more than %g" : "at least %g", b->least)
                : arena_printf(a->arena, "between %g and %.0f", b->least, b->most);
        struct check_result *r =
            audit_report(a, ok ? OUTCOME_PASS : OUTCOME_FAIL, c, 0,
                         "column %s holds '%s', expected %s", c->of->columns[i], text, range);
        r->stated = text;
        r->expected = range;
        if (!ok)
            audit_contradict(a, c, c->columns[i]->key, r);
    }
}

/* 0.84 in one row and 84.1 in the next: one of them is a percentage. */
static bool is_ratio(const struct figure *f)
{
    return !f->percent && f->value > 0 && f->value <= 1;
}

static bool is_percentage(const struct figure *f)
{
    return f->percent || f->value > 1;
}

static bool is_share(const struct claim *c, size_t column)
{
    const struct metrics_column *m = c->columns[column];
    bool share = m && (m->range == RANGE_SHARE || strcmp(m->key, "mfu") == 0);
    return share && column < c->cells->n_cells;
}

/* The first row of the same table that has a value in this column. */
static const struct claim *first_with_value(const struct audit *a, const struct claim *c,
                                            size_t column, struct figure *f)
{
    for (size_t i = 0; i < a->n_claims; i++) {
        const struct claim *x = &a->claims[i];
        if (x->of != c->of || column >= x->cells->n_cells)
            continue;
        figure_parse(x->cells->cells[column].text, a->arena, f);
        if (figure_has_value(f))
            return x;
    }
    return NULL;
}

void check_form(struct audit *a, const struct claim *c)
{
    for (size_t i = 0; i < c->of->n_columns; i++) {
        struct figure f, other;
        if (!is_share(c, i))
            continue;
        figure_parse(c->cells->cells[i].text, a->arena, &f);
        const struct claim *first = first_with_value(a, c, i, &other);
        if (!first || !figure_has_value(&f))
            continue;
        if (f.kind == FIGURE_NUMBER && !f.percent && f.value > 1 && f.value < 2) {
            struct check_result *r =
                audit_fail(a, c, "column %s holds '%s': too much for a ratio, hardly a percentage",
                           c->of->columns[i], c->cells->cells[i].text);
            r->stated = c->cells->cells[i].text;
            r->expected = "a ratio or a percentage";
            continue;
        }
        bool mixed = (is_ratio(&f) && is_percentage(&other)) ||
                     (is_percentage(&f) && is_ratio(&other)) ||
                     (f.kind == FIGURE_PAIR && !f.percent && (f.value <= 1) != (f.second <= 1));
        if (!mixed)
            continue;
        struct check_result *r = audit_fail(
            a, c, "column %s holds '%s', and '%s' in row %d: a ratio and a percentage",
            c->of->columns[i], c->cells->cells[i].text, first->cells->cells[i].text, first->row);
        r->stated = c->cells->cells[i].text;
        r->expected = first->cells->cells[i].text;
    }
}

/* How many cells of two rows hold a figure, when all cells are the same; 0 when they differ. */
static size_t same_figures(const struct audit *a, const struct claim *x, const struct claim *y)
{
    size_t figures = 0;
    if (x->of != y->of || x->cells->n_cells != y->cells->n_cells)
        return 0;
    for (size_t i = 0; i < x->cells->n_cells; i++) {
        struct figure f;
        if (!text_same(x->cells->cells[i].text, y->cells->cells[i].text))
            return 0;
        figure_parse(x->cells->cells[i].text, a->arena, &f);
        figures += i > 0 && figure_has_value(&f);
    }
    return figures;
}

/* Rates and times that two rows share to the last of at least three digits. */
static size_t shared_measurements(const struct audit *a, const struct claim *x,
                                  const struct claim *y)
{
    static const char *const measured[] = {"e2e_time", "p_whole", "p_train", "p_core",
                                           "token_per_s_per_card"};
    size_t n = 0;
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
        const char *text = claim_cell(x, measured[i]), *other = claim_cell(y, measured[i]);
        struct figure f;
        figure_parse(text, a->arena, &f);
        n += f.kind == FIGURE_NUMBER && other && text_same(text, other) &&
             strspn(text, "0123456789.") >= 3;
    }
    return n;
}

/* The group line ("LLaMA-13B") that a row stands below; NULL when there is none. */
static const char *group_of(const struct claim *c, struct arena *arena)
{
    for (size_t i = (size_t)c->row - 1; i > 0; i--) {
        struct configuration ignored;
        const struct row *row = &c->of->rows[i - 1];
        if (row->n_cells && !configuration_parse(row->cells[0].text, arena, &ignored))
            return row->cells[0].text;
    }
    return NULL;
}

/* Throughput and memory of a row below another model's line, to the last digit. */
static bool has_figures_of_other(const struct audit *a, const struct claim *x,
                                 const struct claim *c)
{
    static const char *const measured[] = {"throughput", "token_per_s_per_card", "memory_total",
                                           "memory", "e2e_time"};
    size_t n = 0;
    if (x->of != c->of)
        return false;
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
        const char *text = claim_cell(x, measured[i]), *other = claim_cell(c, measured[i]);
        struct figure f;
        figure_parse(text, a->arena, &f);
        if (!other || !figure_has_value(&f))
            continue;
        if (!text_same(text, other))
            return false;
        n++;
    }
    if (n < 2)
        return false;
    /* Looked for last: it walks up the table. */
    const char *group = group_of(c, a->arena), *other_group = group_of(x, a->arena);
    return group && other_group && !text_same(group, other_group);
}

static bool is_rate(const struct metrics_column *m)
{
    return strcmp(m->key, "token_per_s_per_card") == 0 || strcmp(m->key, "throughput") == 0;
}

/* Two rows that differ in nothing but their figures; `figure` is a rate in which they do. */
static bool same_settings(const struct audit *a, const struct claim *x, const struct claim *c,
                          size_t *figure)
{
    *figure = SIZE_MAX;
    /* Without such a column a table has no place to say what differs. */
    if (!claim_cell(c, "hyperparameters"))
        return false;
    if (x->of != c->of || !c->has_config || x->cells->n_cells != c->cells->n_cells)
        return false;
    for (size_t i = 0; i < c->cells->n_cells && i < c->of->n_columns; i++) {
        const char *text = c->cells->cells[i].text, *other = x->cells->cells[i].text;
        struct figure f, g;
        if (text_same(text, other))
            continue;
        if (!c->columns[i] || !metrics_is_numeric(c->columns[i]->kind))
            return false;
        figure_parse(text, a->arena, &f);
        figure_parse(other, a->arena, &g);
        if (*figure == SIZE_MAX && is_rate(c->columns[i]) && figure_has_value(&f) &&
            figure_has_value(&g) && fabs(f.value - g.value) > REPEATED * fabs(g.value))
            *figure = i;
    }
    if (*figure == SIZE_MAX)
        return false;
    /* Looked for last: it walks up the table. */
    const char *group = group_of(c, a->arena), *before = group_of(x, a->arena);
    return text_same(group ? group : "", before ? before : "");
}

static struct check_result *report_doubled(struct audit *a, const struct claim *x,
                                           const struct claim *c)
{
    struct check_result *r = NULL;
    if (x->cards && c->cards && x->cards != c->cards && shared_measurements(a, x, c) >= 3)
        r = audit_fail(a, c,
                       "%ld cards have the times and rates of %ld cards in row %d, to the last "
                       "digit",
                       c->cards, x->cards, x->row);
    else if (has_figures_of_other(a, x, c))
        r = audit_fail(a, c, "another model has the figures of row %d, to the last digit", x->row);
    if (r) {
        r->severity = SEVERITY_ERROR;
        return r;
    }
    if (same_figures(a, x, c))
        return audit_fail(a, c, "the row is the same as row %d, figures and all", x->row);
    size_t figure;
    if (!same_settings(a, x, c, &figure))
        return NULL;
    r = audit_fail(a, c, "column %s holds '%s', and '%s' in row %d: nothing says why",
                   c->of->columns[figure], c->cells->cells[figure].text,
                   x->cells->cells[figure].text, x->row);
    r->severity = SEVERITY_NOTICE;
    return r;
}

/* A row given twice is odd; the same times and rates on another number of cards cannot be. */
void check_doubled(struct audit *a, const struct claim *c)
{
    for (const struct claim *x = a->claims; x < c; x++) {
        struct check_result *r = report_doubled(a, x, c);
        if (!r)
            continue;
        r->stated = c->cells->cells[0].text;
        r->expected = "a row of its own";
        return;
    }
}

/* The losses of the other rows of the claim's table and stage. */
struct losses {
    double least, most;
    size_t n;
    const struct claim *last; /* the last of them */
};

static struct losses other_losses(const struct audit *a, const struct claim *c)
{
    struct losses l = {INFINITY, 0, 0, NULL};
    for (const struct claim *x = a->claims; x < a->claims + a->n_claims; x++) {
        struct figure f;
        bool same_stage = text_same(x->config.stage ? x->config.stage : "",
                                    c->config.stage ? c->config.stage : "");
        figure_parse(claim_cell(x, "loss"), a->arena, &f);
        if (x == c || x->of != c->of || !same_stage || f.kind != FIGURE_NUMBER || f.value <= 0)
            continue;
        l.least = fmin(l.least, f.value);
        l.most = fmax(l.most, f.value);
        l.last = x;
        l.n++;
    }
    return l;
}

/* Rows of one table and stage end at about the same loss. Of two rows that differ the second is
 * named; which of them is wrong nobody can tell. */
void check_page_loss(struct audit *a, const struct claim *c)
{
    struct figure own;
    figure_parse(claim_cell(c, "loss"), a->arena, &own);
    if (own.kind != FIGURE_NUMBER || own.value <= 0)
        return;
    struct losses others = other_losses(a, c);
    bool below = own.value * LOSS_FACTOR<others.least, above = own.value> LOSS_FACTOR * others.most;
    if (!others.n || (others.n == 1 && c < others.last) || (!below && !above))
        return;
    const char *range =
        others.least < others.most
            ? arena_printf(a->arena, "%s to %s", audit_number(a->arena, others.least),
                           audit_number(a->arena, others.most))
            : audit_number(a->arena, others.least);
    struct check_result *r =
        others.n == 1
            ? audit_fail(a, c, "the loss is %s, and %s in row %d: one of the two is far off",
                         claim_cell(c, "loss"), range, others.last->row)
            : audit_fail(a, c, "the loss is %s, the others of the table are %s",
                         claim_cell(c, "loss"), range);
    r->stated = claim_cell(c, "loss");
    r->expected = range;
}
