/*
 * audit_place: which cell a finding is about, so that it can be pointed at.
 *
 * A rule that quotes a cell keeps its pointer in `stated`: equal pointers, and not merely equal
 * texts, mean that cell. Rules that print a figure anew are about one column, named below. All
 * others have no column: none is better than a wrong one.
 */
#include "verifier/audit.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *rule, *key; /* of metrics.h */
} columns[] = {
    {"FP2003", "mfu"},           {"FP2005", "parallel"},      {"FP2013", "mfu"},
    {"FP3001", "configuration"}, {"FP3004", "configuration"},
};

static const struct cell *quoted(const struct row *row, const char *stated)
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
    const struct cell *cell = r->stated ? quoted(c->cells, r->stated) : NULL;
    for (size_t i = 0; !cell && i < sizeof columns / sizeof columns[0]; i++)
        if (strcmp(columns[i].rule, r->rule) == 0)
            cell = in_column(c, columns[i].key);
    return cell;
}

/* A finding about the general table may stand at its first line; then it goes to the cell's. */
static const struct cell *in_general(const struct audit *a, struct check_result *r)
{
    const struct table *t = a->result ? a->result->general : NULL;
    const struct cell *cell = NULL;
    for (size_t i = 0; t && r->stated && !cell && i < t->n_rows; i++)
        cell = quoted(&t->rows[i], r->stated);
    if (cell && r->line == t->line)
        r->line = cell->line;
    return cell;
}

static int compare_claims(const void *key, const void *claim)
{
    const struct check_result *r = key;
    const struct claim *c = claim;
    return r->table != c->table ? (r->table > c->table) - (r->table < c->table)
                                : (r->row > c->row) - (r->row < c->row);
}

void audit_place(struct audit *a)
{
    for (size_t i = 0; i < a->verdict->n_checks; i++) {
        struct check_result *r = &a->verdict->checks[i];
        const struct claim *c = r->row && a->n_claims ? bsearch(r, a->claims, a->n_claims,
                                                                sizeof *a->claims, compare_claims)
                                                      : NULL;
        const struct cell *cell = c ? in_claim(c, r) : in_general(a, r);
        if (!r->column && cell && cell->line == r->line)
            audit_cell(r, cell);
    }
}
