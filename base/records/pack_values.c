#include "base/records/pack_values.h"

#include "base/text.h"

#include <limits.h>
#include <string.h>

_Static_assert(sizeof(struct facts) == 88 && sizeof(struct fact) == 24 &&
                   sizeof(struct measured) == 40 && sizeof(struct measure) == 72 &&
                   sizeof(struct curve) == 40 && sizeof(struct diags) == 48,
               "these structs changed: say here what is in them");

#define N_OF(array) (sizeof(array) / sizeof *(array))

void pack_double(struct buf *out, double value)
{
    pack_bytes(out, &value, sizeof value);
}

double unpack_double(struct unpack *u)
{
    double value = 0;
    const void *bytes = unpack_bytes(u, sizeof value);
    if (bytes)
        memcpy(&value, bytes, sizeof value);
    return value;
}

void pack_doubles(struct buf *out, const double *values, size_t n)
{
    pack_bytes(out, values, n * sizeof *values);
}

double *unpack_doubles(struct unpack *u, size_t n, struct arena *arena)
{
    const void *bytes =
        unpack_memory(u, n, sizeof(double)) ? unpack_bytes(u, n * sizeof(double)) : NULL;
    double *values = arena_array(arena, bytes ? n : 0, sizeof *values);
    if (bytes && n)
        memcpy(values, bytes, n * sizeof *values);
    return values;
}

int unpack_int(struct unpack *u)
{
    uint64_t number = unpack_number(u);
    u->bad |= number > INT_MAX;
    return u->bad ? 0 : (int)number;
}

size_t unpack_list(struct unpack *u, size_t least, size_t most, size_t size)
{
    size_t n = unpack_count(u, least);
    u->bad |= n > most;
    return unpack_memory(u, n, size) ? n : 0;
}

size_t unpack_choice(struct unpack *u, size_t most)
{
    uint64_t number = unpack_number(u);
    u->bad |= number > most;
    return u->bad ? 0 : (size_t)number;
}

const char *unpack_words(struct unpack *u)
{
    const char *text = unpack_text(u);
    if (!text || u->lasts)
        return text;
    size_t n = strlen(text);
    u->bad |= utf8_valid_until(text, n) != n;
    return u->bad ? NULL : text;
}

const char *take_words(struct unpack *u, struct arena *arena)
{
    const char *text = unpack_words(u);
    if (!text || u->lasts)
        return text;
    return unpack_memory(u, 1, strlen(text) + UNPACK_TEXT) ? arena_strdup(arena, text) : NULL;
}

void pack_texts(const void *from, const size_t *texts, size_t n, struct buf *out)
{
    for (size_t i = 0; i < n; i++)
        pack_text(out, *(const char *const *)((const char *)from + texts[i]));
}

void unpack_texts(void *to, const size_t *texts, size_t n, struct arena *arena, struct unpack *u)
{
    for (size_t i = 0; i < n; i++)
        *(const char **)((char *)to + texts[i]) = take_words(u, arena);
}

void pack_curve(const struct curve *c, struct buf *out)
{
    pack_number(out, c->n);
    pack_doubles(out, c->step, c->n);
    pack_doubles(out, c->loss, c->n);
    pack_doubles(out, c->seconds, c->n);
    pack_text(out, c->source);
}

void unpack_curve(struct curve *c, struct arena *arena, struct unpack *u)
{
    c->n = unpack_count(u, 3 * sizeof(double));
    c->step = unpack_doubles(u, c->n, arena);
    c->loss = unpack_doubles(u, c->n, arena);
    c->seconds = unpack_doubles(u, c->n, arena);
    c->source = take_words(u, arena);
    for (size_t i = 1; i < c->n && !u->bad; i++)
        u->bad |= !(c->step[i] > c->step[i - 1]);
}

static void pack_measured(const struct measured *m, struct buf *out)
{
    pack_text(out, m->device);
    pack_text(out, m->with);
    pack_number(out, (uint64_t)m->ranks);
    pack_number(out, m->n);
    for (size_t i = 0; i < m->n; i++) {
        const struct measure *x = &m->items[i];
        const double values[] = {x->size, x->min, x->median, x->max, x->slowest};
        pack_text(out, x->key);
        pack_text(out, x->unit);
        pack_doubles(out, values, N_OF(values));
        pack_number(out, (uint64_t)x->repetitions);
        pack_number(out, (uint64_t)(x->slowest_rank + 1)); /* -1: one rank */
    }
}

static void unpack_measured(struct measured *m, struct arena *arena, struct unpack *u)
{
    m->device = take_words(u, arena);
    m->with = take_words(u, arena);
    m->ranks = unpack_int(u);
    m->n = unpack_list(u, 4 + 5 * sizeof(double), MEASURED_MAX, sizeof *m->items);
    m->items = arena_array(arena, m->n, sizeof *m->items);
    for (size_t i = 0; i < m->n; i++) {
        struct measure *x = &m->items[i];
        x->key = take_words(u, arena);
        x->unit = take_words(u, arena);
        x->size = unpack_double(u);
        x->min = unpack_double(u);
        x->median = unpack_double(u);
        x->max = unpack_double(u);
        x->slowest = unpack_double(u);
        x->repetitions = unpack_int(u);
        x->slowest_rank = unpack_int(u) - 1;
        u->bad |= !x->key || !x->unit;
    }
    u->bad |= m->n && (!m->device || !m->with);
}

static void pack_fact_list(const struct fact *items, size_t n, struct buf *out)
{
    pack_number(out, n);
    for (size_t i = 0; i < n; i++) {
        pack_text(out, items[i].key);
        pack_text(out, items[i].value);
        pack_text(out, items[i].unknown);
    }
}

static struct fact *unpack_fact_list(size_t *n, struct arena *arena, struct unpack *u)
{
    *n = unpack_list(u, 3, FACTS_MAX, sizeof(struct fact));
    struct fact *items = arena_array(arena, *n, sizeof *items);
    for (size_t i = 0; i < *n; i++) {
        struct fact *x = &items[i];
        x->key = take_words(u, arena);
        x->value = take_words(u, arena);
        x->unknown = take_words(u, arena);
        u->bad |= !x->key || !x->value == !x->unknown;
    }
    return items;
}

void pack_facts(const struct facts *f, struct buf *out)
{
    pack_number(out, f != NULL);
    if (!f)
        return;
    pack_fact_list(f->items, f->n, out);
    pack_fact_list(f->unstable, f->n_unstable, out);
    pack_text(out, f->salt);
    pack_text(out, f->sha256);
    pack_measured(&f->measured, out);
}

struct facts *unpack_facts(struct arena *arena, struct unpack *u)
{
    if (!unpack_choice(u, 1))
        return NULL;
    struct facts *f = arena_alloc(arena, sizeof *f);
    f->items = unpack_fact_list(&f->n, arena, u);
    f->unstable = unpack_fact_list(&f->n_unstable, arena, u);
    f->salt = take_words(u, arena);
    f->sha256 = take_words(u, arena);
    unpack_measured(&f->measured, arena, u);
    return f;
}

void pack_diags(const struct diags *d, struct buf *out)
{
    pack_number(out, d->dropped);
    pack_number(out, d->errors);
    pack_number(out, d->machine);
    pack_number(out, d->n);
    for (size_t i = 0; i < d->n; i++) {
        pack_number(out, d->items[i].severity);
        pack_text(out, d->items[i].file);
        pack_number(out, (uint64_t)d->items[i].line);
        pack_number(out, (uint64_t)d->items[i].col);
        pack_text(out, d->items[i].message);
    }
}

void unpack_diags(struct diags *d, struct arena *arena, struct unpack *u)
{
    diags_init(d, arena);
    d->dropped = (size_t)unpack_number(u);
    d->errors = (size_t)unpack_number(u);
    d->machine = (size_t)unpack_number(u);
    size_t n = unpack_list(u, 5, DIAGS_MAX, 2 * sizeof(struct diag));
    for (size_t i = 0; i < n && !u->bad; i++) {
        struct diag *x = ARENA_PUSH(arena, d->items, d->n);
        x->severity = (enum severity)unpack_choice(u, SEVERITY_ERROR);
        x->file = take_words(u, arena);
        x->line = unpack_int(u);
        x->col = unpack_int(u);
        x->message = take_words(u, arena);
        u->bad |= !x->file || !x->message;
    }
}
