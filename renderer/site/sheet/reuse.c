#include "renderer/site/sheet/reuse.h"

#include "base/pack.h"
#include "base/parallel.h"

#include <string.h>

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
    pack_numbers(out, c->informational, c->table, c->row, c->line);
    pack_text(out, c->message);
}

static void pack_listed_result(struct buf *out, const struct result *r, const struct verdict *v,
                               struct arena *arena)
{
    const struct table **tables;
    size_t n = result_figure_tables(r, arena, &tables);
    pack_text(out, v->id);
    pack_numbers(out, v->state, n);
    for (size_t t = 0; t < n; t++)
        pack_listed_table(out, tables[t]);
    pack_number(out, v->n_metrics);
    for (size_t i = 0; i < v->n_metrics; i++) {
        const struct metric *m = &v->metrics[i];
        pack_texts(out, m->name, m->unit);
        pack_numbers(out, m->table, m->row);
        pack_text(out, m->stated);
        pack_number(out, m->claimed);
        pack_texts(out, figure_print(m->found, arena), figure_print(m->tolerance, arena), m->source,
                   m->reason, m->elsewhere);
        pack_number(out, m->outcome);
        pack_text(out, m->rule);
    }
    for (size_t i = 0; i < v->n_checks; i++)
        put_error(out, &v->checks[i]);
}

struct listed_keys {
    const struct result *results;
    const struct verdict *verdicts;
    const struct reuse_key *keys;
    struct reuse_key *out;
};

static void make_key(void *context, size_t i, struct arena *arena)
{
    const struct listed_keys *k = context;
    struct arena own = ARENA_INIT;
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    struct hash h;
    (void)arena;
    k->out[i] = k->keys[i];
    if (k->verdicts[i].n_evidence || k->verdicts[i].n_reproductions)
        return;
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
    struct listed_keys k = {results, verdicts, keys, out};
    parallel_each(n, make_key, &k, arena);
}

/* ---- outlines ---------------------------------------------------------------------------- */

static void hash_run(struct buf *out, int table, int row, const char *archive, const char *sha256,
                     const char *date)
{
    pack_numbers(out, table, row);
    pack_texts(out, archive, sha256, date);
}

static void hash_site_verdict(struct buf *out, const struct verdict *v)
{
    pack_numbers(out, v->state, v->n_evidence);
    for (size_t i = 0; i < v->n_evidence; i++) {
        const struct row_evidence *e = &v->evidence[i];
        hash_run(out, e->table, e->row, e->archive, e->sha256, e->finished);
    }
    pack_number(out, v->n_reproductions);
    for (size_t i = 0; i < v->n_reproductions; i++) {
        const struct reproduction *r = v->reproductions[i].record;
        pack_numbers(out, v->reproductions[i].sound, v->reproductions[i].held);
        hash_run(out, (int)r->table, (int)r->row, r->archive, r->sha256, r->date);
        pack_texts(out, r->id, r->by, r->outcome);
    }
}

static void put_figures(struct buf *out, const struct site_figure_changes *figures)
{
    pack_numbers(out, figures->total, figures->n);
    for (size_t i = 0; i < figures->n; i++) {
        const struct site_figure_change *c = &figures->items[i];
        pack_numbers(out, c->table, c->row, c->stated);
        pack_texts(out, c->name, c->before, c->now);
    }
    pack_numbers(out, figures->added, figures->removed);
    for (size_t i = 0; i < figures->n_rows; i++) {
        const struct site_row_change *c = &figures->rows[i];
        pack_numbers(out, c->table, c->row, c->added);
        pack_texts(out, c->key, c->words);
        pack_number(out, c->n_figures);
        for (size_t k = 0; k < c->n_figures; k++) {
            pack_texts(out, c->figures[k].name, c->figures[k].stated);
        }
    }
}

static void hash_outline(struct buf *out, const struct site_entry *e)
{
    const struct withdrawal *w = e->result->withdrawn;
    pack_texts(out, e->verdict->id, e->model_id);
    hash_site_verdict(out, e->verdict);
    pack_numbers(out, e->n_history, e->revisions);
    for (size_t i = 0; i < e->n_history; i++) {
        pack_numbers(out, e->history[i].state, e->history[i].removed);
        put_figures(out, &e->history[i].figures);
        pack_texts(out, e->history[i].tool, e->history[i].rules, e->history[i].date);
    }
    pack_number(out, e->unread);
    for (size_t i = 0; e->gone && i < e->gone->n_runs; i++) {
        const struct site_was_run *r = &e->gone->runs[i];
        hash_run(out, r->table, r->row, r->archive, r->sha256, r->date);
    }
    pack_number(out, w != NULL);
    if (w) {
        pack_texts(out, w->date, w->by, w->reason.zh, w->reason.en);
    }
    pack_number(out, e->n_rows);
    for (size_t i = 0; i < e->n_rows; i++) {
        const struct site_row *r = e->rows[i];
        pack_numbers(out, r->table, r->row);
        pack_texts(out, r->group, r->stage, r->precision, r->card_id, r->card);
        pack_bytes(out, &r->factor, sizeof r->factor);
        pack_bytes(out, &r->sequence, sizeof r->sequence);
    }
}

/* Keys of single results, those that are gone behind the others. */
struct keyed {
    const struct site_index *index;
    struct reuse_key *outlines, *listed;
};

static struct reuse_key key_of_text(const struct buf *text, const struct reuse_key *more)
{
    struct hash h;
    hash_init(&h);
    hash_add(&h, text->data, text->len);
    if (more)
        reuse_hash_key(&h, more);
    return reuse_hash_final(&h);
}

static void make_keys(void *context, size_t i, struct arena *arena)
{
    const struct keyed *k = context;
    const struct site_index *x = k->index;
    bool gone = i >= x->n_entries;
    const struct site_entry *e = gone ? &x->gone[i - x->n_entries] : &x->entries[i];
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    (void)arena;
    hash_outline(&text, e);
    k->outlines[i] = key_of_text(&text, NULL);
    /* What lists show that neither an outline nor renderer/site/sheet/reuse.h has. */
    for (size_t j = 0; j < e->n_rows; j++) {
        const struct site_row *r = e->rows[j];
        pack_texts(&text, r->key, r->configuration, r->precision_cell, r->card_cell, r->plan,
                   r->changed, r->software);
        pack_numbers(&text, r->nodes, r->cards);
    }
    k->listed[i] = key_of_text(&text, gone ? NULL : &x->site->reuse->listed[i]);
    buf_release(&text);
}

static struct reuse_key key_of_keys(const struct reuse_key *keys, size_t n)
{
    struct hash h;
    hash_init(&h);
    for (size_t i = 0; i < n; i++)
        reuse_hash_key(&h, &keys[i]);
    return reuse_hash_final(&h);
}

/* With what the sealed logs give. */
static void hand_on_mlperf(const struct mlperf_record *r, struct buf *text)
{
    shape_hand_on(&mlperf_record_shape, r, text);
    for (size_t i = 0; i < r->n_results; i++)
        if (r->results[i].seal)
            buf_printf(text, "%d%d%s", r->results[i].seal->there, r->results[i].seal->agrees,
                       r->results[i].seal->fault ? r->results[i].seal->fault : "");
}

/* What lists show of all results, and the records that have pages of their own kinds. */
static struct reuse_key key_of_lists(const struct keyed *k, size_t n)
{
    const struct project *p = k->index->site->project;
    struct reuse_key lists = key_of_keys(k->listed, n);
    struct hash h;
    struct buf text = BUF_INIT(SIZE_MAX);
    if (!p->n_mlperf_rounds && !p->n_mlperf_results)
        return lists;
    for (size_t i = 0; i < p->n_mlperf_rounds; i++)
        shape_hand_on(&mlperf_round_shape, &p->mlperf_rounds[i], &text);
    for (size_t i = 0; i < p->n_mlperf_results; i++)
        hand_on_mlperf(&p->mlperf_results[i], &text);
    hash_init(&h);
    reuse_hash_key(&h, &lists);
    hash_add(&h, text.data, text.len);
    buf_release(&text);
    return reuse_hash_final(&h);
}

struct site_keys site_keys_of(const struct site_index *index, struct arena *arena)
{
    size_t n = index->n_entries + index->n_gone;
    if (!index->site->reuse)
        return (struct site_keys){.listed = NULL};
    struct keyed k = {index, arena_array(arena, n, sizeof *k.outlines),
                      arena_array(arena, n, sizeof *k.listed)};
    parallel_each(n, make_keys, &k, arena);
    return (struct site_keys){key_of_keys(k.outlines, n), key_of_lists(&k, n), k.listed};
}

/* ---- rows -------------------------------------------------------------------------------- */

static void hash_rows(struct hash *h, const struct site_index *index, const struct site_keys *keys,
                      const struct site_row *const *rows, size_t n)
{
    reuse_hash_number(h, n);
    for (size_t i = 0; i < n; i++) {
        const struct reuse_key *key = &keys->listed[rows[i]->entry - index->entries];
        const uint64_t row[] = {key->high, key->low, (uint64_t)rows[i]->table,
                                (uint64_t)rows[i]->row};
        hash_add(h, row, sizeof row); /* at once: there are many */
    }
}

struct reuse_key site_key_pair(const struct site_index *index, const struct site_compared *pair)
{
    struct hash h;
    if (!index->site->reuse)
        return (struct reuse_key){0, 0};
    hash_init(&h);
    reuse_hash_key(&h, &index->site->reuse->results[pair->a - index->entries]);
    reuse_hash_key(&h, &index->site->reuse->results[pair->b - index->entries]);
    return reuse_hash_final(&h);
}

struct reuse_key site_key_rows(const struct site_index *index, const struct site_keys *keys,
                               const struct site_row *const *rows, size_t n, size_t total)
{
    struct hash h;
    hash_init(&h);
    reuse_hash_number(&h, total);
    hash_rows(&h, index, keys, rows, n);
    return reuse_hash_final(&h);
}

static struct reuse_key key_of_part(const struct site_kind *kind, const struct site_index *index,
                                    const struct site_keys *keys, const struct site_part *part)
{
    struct hash h;
    hash_init(&h);
    reuse_hash_number(&h, part->list->n);
    reuse_hash_number(&h, part->number);
    reuse_hash_number(&h, part->of);
    if (part->list->called)
        hash_add(&h, part->list->called, strlen(part->list->called) + 1);
    if (kind->names_maker)
        reuse_hash_number(&h, site_maker_page(index, part->list) != NULL);
    hash_rows(&h, index, keys, part->rows, part->n);
    if (kind->depends == SITE_ON_LIST)
        hash_rows(&h, index, keys, part->list->rows, part->list->n);
    return reuse_hash_final(&h);
}

struct reuse_key site_key_page(const struct site_kind *kind, const struct site_index *index,
                               size_t i, const struct site_keys *keys)
{
    size_t n;
    const struct site_row *const *rows;
    switch (kind->depends) {
    case SITE_ON_RESULT:
        return index->site->reuse->results[i];
    case SITE_ON_PART:
    case SITE_ON_LIST:
        return key_of_part(kind, index, keys, &site_kind_parts(kind, index)->items[i]);
    case SITE_ON_ROWS:
        rows = kind->rows(index, i, &n);
        return site_key_rows(index, keys, rows, n, n);
    case SITE_ON_PAIR:
        return site_key_pair(index, &index->pairs[i]);
    case SITE_ON_OUTLINE:
        return keys->outline;
    case SITE_ON_LISTS:
        break;
    }
    return keys->lists;
}
