/*
 * audit_place: which cell a finding is about, so that it can be pointed at.
 *
 * A rule that quotes a cell keeps its pointer in `stated`: equal pointers, and not merely equal
 * texts, mean that cell. Rules that print a figure anew are about one column, named below. All
 * others have no column: none is better than a wrong one.
 *
 * An error about the cell of a figure contradicts that figure, whichever rule found it.
 */
#include "verifier/claims/audit.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *rule, *key; /* of base/figures/metrics.h */
} columns[] = {
    {"FP2003", "mfu"},           {"FP2005", "parallel"},      {"FP2013", "mfu"},
    {"FP3001", "configuration"}, {"FP3004", "configuration"},
};

static const struct cell *quoted_cell(const struct row *row, const char *stated)
{
    for (size_t i = 0; i < row->n_cells; i++)
        if (row->cells[i].text == stated)
            return &row->cells[i];
    return NULL;
}

/* NULL also when the row has several columns of that key. */
static const struct cell *in_column(const struct claim *c, const char *key)
{
    const struct cell *cell = NULL;
    for (size_t i = 0; i < c->of->n_columns && i < c->cells->n_cells; i++) {
        const struct metrics_column *m = c->columns[i];
        if (!m || strcmp(m->key, key) != 0)
            continue;
        if (cell)
            return NULL;
        cell = &c->cells->cells[i];
    }
    return cell;
}

static const struct cell *in_claim(const struct claim *c, const struct check_result *r)
{
    const struct cell *cell = r->stated ? quoted_cell(c->cells, r->stated) : NULL;
    for (size_t i = 0; !cell && i < sizeof columns / sizeof columns[0]; i++)
        if (strcmp(columns[i].rule, r->rule) == 0)
            cell = in_column(c, columns[i].key);
    return cell;
}

/* A finding about the general metrics table may stand at its first line; then it goes to the
 * cell's. */
static const struct cell *in_general(const struct audit *a, struct check_result *r)
{
    const struct table *t = a->result ? a->result->general : NULL;
    const struct cell *cell = NULL;
    for (size_t i = 0; t && r->stated && !cell && i < t->n_rows; i++)
        cell = quoted_cell(&t->rows[i], r->stated);
    if (cell && r->line == t->line)
        r->line = cell->line;
    return cell;
}

static int compare_claim_places(const void *key, const void *claim)
{
    const struct check_result *r = key;
    const struct claim *c = claim;
    return r->table != c->table ? (r->table > c->table) - (r->table < c->table)
                                : (r->row > c->row) - (r->row < c->row);
}

static const struct claim *claim_of(const struct audit *a, const struct check_result *r)
{
    return r->row && a->n_claims
               ? bsearch(r, a->claims, a->n_claims, sizeof *a->claims, compare_claim_places)
               : NULL;
}

/* ---- figures ------------------------------------------------------------------------------- */

static bool is_error_finding(const struct check_result *r)
{
    return r->outcome == OUTCOME_FAIL && r->severity == SEVERITY_ERROR && !r->informational;
}

/* Some rules contradict figures themselves, and not those of the cell that they quote. */
static bool is_contradicted(const struct metric *m, const struct check_result *r,
                            const struct cell *cell)
{
    bool quoted = cell && m->stated == cell->text;
    return m->outcome == OUTCOME_FAIL && (quoted || strcmp(m->rule, r->rule) == 0);
}

static bool contradicts_row(const struct audit *a, const struct claim *c,
                            const struct check_result *r, const struct cell *cell)
{
    bool any = false;
    size_t i = 0;
    for (struct metric *m; (m = audit_next_metric(a, c, &i));)
        if (is_contradicted(m, r, cell)) {
            m->warned = false;
            any = true;
        }
    return any;
}

static bool contradicts_any(const struct verdict *v, const struct check_result *r,
                            const struct cell *cell)
{
    for (size_t i = 0; i < v->n_metrics; i++)
        if (is_contradicted(&v->metrics[i], r, cell))
            return true;
    return false;
}

static void note_claim_figure(struct audit *a, const struct claim *c, struct check_result *r,
                              const struct cell *cell)
{
    if (c && cell) {
        /* A figure that an error has contradicted already keeps that rule. */
        size_t i = (size_t)(cell - c->cells->cells);
        const struct metrics_column *column = i < c->of->n_columns ? c->columns[i] : NULL;
        const struct metric *m = column ? audit_metric(a, c, column->key) : NULL;
        if (m && (m->outcome != OUTCOME_FAIL || m->warned))
            audit_contradict(a, c, column->key, r);
    }
    r->of_figure = c         ? contradicts_row(a, c, r, cell)
                   : !r->row ? contradicts_any(a->verdict, r, cell)
                             : false;
}

void audit_place(struct audit *a)
{
    for (size_t i = 0; i < a->verdict->n_checks; i++)
        if (a->verdict->checks[i].outcome == OUTCOME_FAIL &&
            !is_error_finding(&a->verdict->checks[i])) {
            /* Figures that this finding contradicts, which is no error. */
            const struct check_result *r = &a->verdict->checks[i];
            const struct claim *c = claim_of(a, r);
            size_t j = 0;
            for (struct metric *m; c && (m = audit_next_metric(a, c, &j));)
                m->warned |= is_contradicted(m, r, NULL);
        }
    for (size_t i = 0; i < a->verdict->n_checks; i++) {
        struct check_result *r = &a->verdict->checks[i];
        const struct claim *c = claim_of(a, r);
        const struct cell *cell = c ? in_claim(c, r) : in_general(a, r);
        if (!r->column && cell && cell->line == r->line)
            audit_cell(r, cell);
        if (is_error_finding(r))
            note_claim_figure(a, c, r, cell);
    }
}
