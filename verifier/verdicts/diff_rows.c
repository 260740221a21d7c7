#include "verifier/verdicts/diff_rows.h"

#include "base/records/row_pairs.h"

static struct row_side side_of(const struct doc_run *run, struct arena *arena)
{
    struct row_side s =
        row_side_of(run->n_metrics + run->n_findings + run->n_evidence + run->n_rows, arena);
    struct row_figure *figures = arena_array(arena, run->n_metrics, sizeof *figures);
    struct row_said *said = arena_array(arena, run->n_rows, sizeof *said);
    for (size_t i = 0; i < run->n_metrics; i++) {
        const struct doc_metric *m = &run->metrics[i];
        figures[i] = (struct row_figure){m->table, m->row, m->name, m->stated, 0};
        row_side_add(&s, m->table, m->row);
    }
    for (size_t i = 0; i < run->n_rows; i++) {
        const struct doc_row *r = &run->rows[i];
        said[i] = (struct row_said){r->table, r->row, r->key, r->configuration};
        row_side_add(&s, r->table, r->row);
    }
    for (size_t i = 0; i < run->n_findings; i++)
        row_side_add(&s, run->findings[i].table, run->findings[i].row);
    for (size_t i = 0; i < run->n_evidence; i++)
        row_side_add(&s, run->evidence[i].table, run->evidence[i].row);
    row_side_settle(&s);
    row_side_know(&s, figures, run->n_metrics, said, run->n_rows);
    return s;
}

static size_t count_rows(const struct row_side *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        n += s->places[i].figures;
    return n;
}

/* What is in both is where the new document has it. */
static int number_of_row(const struct row_side *s, const struct row_side *new, int *table, int *row)
{
    const struct row_place *p = row_side_find(s, *table, *row);
    int of = (int)row_side_number(s, new, *table, *row);
    if (s != new && p->partner != ROW_ALONE) {
        *table = new->places[p->partner].table;
        *row = new->places[p->partner].row;
    }
    return of;
}

static const struct doc_run *numbered(const struct doc_run *run, const struct row_side *s,
                                      const struct row_side *new, struct arena *arena)
{
    struct doc_run *to = arena_alloc(arena, sizeof *to);
    *to = *run;
    to->metrics = arena_copy(arena, run->metrics, run->n_metrics, sizeof *to->metrics);
    to->findings = arena_copy(arena, run->findings, run->n_findings, sizeof *to->findings);
    to->evidence = arena_copy(arena, run->evidence, run->n_evidence, sizeof *to->evidence);
    for (size_t i = 0; i < run->n_metrics; i++)
        to->metrics[i].pair = number_of_row(s, new, &to->metrics[i].table, &to->metrics[i].row);
    for (size_t i = 0; i < run->n_findings; i++)
        to->findings[i].pair = number_of_row(s, new, &to->findings[i].table, &to->findings[i].row);
    for (size_t i = 0; i < run->n_evidence; i++)
        to->evidence[i].pair = number_of_row(s, new, &to->evidence[i].table, &to->evidence[i].row);
    return to;
}

static void list_alone(struct run_change *c, const struct row_side *s, const struct row_side *new,
                       struct arena *arena)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct row_place *p = &s->places[i];
        if (!p->figures || p->partner != ROW_ALONE)
            continue;
        *(struct row_change *)ARENA_PUSH(arena, c->rows, c->n_rows) =
            (struct row_change){.is_new = s == new,
                                .table = p->table,
                                .row = p->row,
                                .pair = (int)row_side_number(s, new, p->table, p->row),
                                .key = p->key,
                                .configuration = p->words};
    }
}

void diff_rows_pair(struct run_change *c, struct arena *arena)
{
    struct row_side old = side_of(c->old, arena), new = side_of(c->new, arena);
    bool by_key = row_sides_pair(&old, &new);
    c->by_place = !by_key && count_rows(&old) && count_rows(&new);
    c->old = numbered(c->old, &old, &new, arena);
    c->new = numbered(c->new, &new, &new, arena);
    list_alone(c, &new, &new, arena);
    list_alone(c, &old, &new, arena);
}
