#include "renderer/site/sheet/listed.h"

#include "base/pack.h"
#include "base/parallel.h"

static void pack_listed_table(struct buf *out, const struct table *t)
{
    pack_text(out, t->caption);
    pack_number(out, t->n_columns);
    for (size_t c = 0; c < t->n_columns; c++)
        pack_text(out, t->columns[c]);
    pack_number(out, t->n_rows);
    for (size_t r = 0; r < t->n_rows; r++) {
        pack_number(out, t->rows[r].n_cells);
        for (size_t c = 0; c < t->rows[r].n_cells; c++)
            pack_text(out, t->rows[r].cells[c].text);
    }
}

/* What makes a result a failed one. */
static void put_error(struct buf *out, const struct check_result *c)
{
    if (c->outcome != OUTCOME_FAIL || c->severity != SEVERITY_ERROR)
        return;
    pack_text(out, c->rule);
    pack_number(out, c->informational);
    pack_number(out, (uint64_t)c->table);
    pack_number(out, (uint64_t)c->row);
    pack_number(out, (uint64_t)c->line);
    pack_text(out, c->message);
}

static void pack_listed_result(struct buf *out, const struct result *r, const struct verdict *v,
                               struct arena *arena)
{
    const struct table **tables;
    size_t n = result_figure_tables(r, arena, &tables);
    pack_text(out, v->id);
    pack_number(out, v->state);
    pack_number(out, n);
    for (size_t t = 0; t < n; t++)
        pack_listed_table(out, tables[t]);
    pack_number(out, v->n_metrics);
    for (size_t i = 0; i < v->n_metrics; i++) {
        const struct metric *m = &v->metrics[i];
        pack_text(out, m->name);
        pack_text(out, m->unit);
        pack_number(out, (uint64_t)m->table);
        pack_number(out, (uint64_t)m->row);
        pack_text(out, m->stated);
        pack_number(out, m->claimed);
        pack_text(out, figure_print(m->found, arena));
        pack_text(out, figure_print(m->tolerance, arena));
        pack_text(out, m->source);
        pack_text(out, m->reason);
        pack_text(out, m->elsewhere);
        pack_number(out, m->outcome);
        pack_text(out, m->rule);
    }
    for (size_t i = 0; i < v->n_checks; i++)
        put_error(out, &v->checks[i]);
}

struct keyed {
    const struct result *results;
    const struct verdict *verdicts;
    const struct reuse_key *keys;
    struct reuse_key *out;
};

static void make_key(void *context, size_t i, struct arena *arena)
{
    const struct keyed *k = context;
    struct arena own = ARENA_INIT;
    struct buf text;
    struct hash h;
    (void)arena;
    k->out[i] = k->keys[i];
    if (k->verdicts[i].n_evidence || k->verdicts[i].n_reproductions)
        return;
    buf_init(&text, BUF_DEFAULT_MAX);
    pack_listed_result(&text, &k->results[i], &k->verdicts[i], &own);
    hash_init(&h);
    hash_add(&h, text.data, text.len);
    k->out[i] = reuse_hash_final(&h);
    buf_release(&text);
    arena_release(&own);
}

void listed_keys(const struct result *results, const struct verdict *verdicts,
                 const struct reuse_key *keys, size_t n, struct reuse_key *out, struct arena *arena)
{
    struct keyed k = {results, verdicts, keys, out};
    parallel_each(n, make_key, &k, arena);
}
