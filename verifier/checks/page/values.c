/* Rules about what a figure can be at all. */
#include "verifier/checks/checks.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

/* What base/figures/metrics.h says about the columns, in numbers. */
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
        const struct figure f = c->figures[i];
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

/* The first row of the same table that has a value in this column, in which `c` has one. */
static const struct claim *first_with_value(const struct audit *a, const struct claim *c,
                                            size_t column)
{
    const struct claim *x = a->claims;
    while (x < c && (x->of != c->of || column >= x->cells->n_cells ||
                     !figure_has_value(&x->figures[column])))
        x++;
    return x;
}

void check_form(struct audit *a, const struct claim *c)
{
    for (size_t i = 0; i < c->of->n_columns; i++) {
        if (!is_share(c, i) || !figure_has_value(&c->figures[i]))
            continue;
        const struct figure *f = &c->figures[i];
        const struct claim *first = first_with_value(a, c, i);
        const struct figure *other = &first->figures[i];
        if (f->kind == FIGURE_NUMBER && !f->percent && f->value > 1 && f->value < 2) {
            struct check_result *r =
                audit_fail(a, c, "column %s holds '%s': too much for a ratio, hardly a percentage",
                           c->of->columns[i], c->cells->cells[i].text);
            r->stated = c->cells->cells[i].text;
            r->expected = "a ratio or a percentage";
            continue;
        }
        bool mixed = (is_ratio(f) && is_percentage(other)) ||
                     (is_percentage(f) && is_ratio(other)) ||
                     (f->kind == FIGURE_PAIR && !f->percent && (f->value <= 1) != (f->second <= 1));
        if (!mixed)
            continue;
        struct check_result *r = audit_fail(
            a, c, "column %s holds '%s', and '%s' in row %d: a ratio and a percentage",
            c->of->columns[i], c->cells->cells[i].text, first->cells->cells[i].text, first->row);
        r->stated = c->cells->cells[i].text;
        r->expected = first->cells->cells[i].text;
    }
}
