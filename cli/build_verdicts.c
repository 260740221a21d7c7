#include "cli/build_verdicts.h"

#include <stddef.h>
#include <string.h>

/* What is a text, and what a number, in these structs; pointers to other structs are not kept. */
static const size_t metric_texts[] = {
    offsetof(struct metric, name),       offsetof(struct metric, unit),
    offsetof(struct metric, stated),     offsetof(struct metric, recomputed),
    offsetof(struct metric, tolerance),  offsetof(struct metric, source),
    offsetof(struct metric, derivation), offsetof(struct metric, input),
    offsetof(struct metric, reason),     offsetof(struct metric, rule),
};
static const size_t check_texts[] = {
    offsetof(struct check_result, rule),     offsetof(struct check_result, file),
    offsetof(struct check_result, message),  offsetof(struct check_result, stated),
    offsetof(struct check_result, expected), offsetof(struct check_result, tolerance),
};
#define N_METRIC_TEXTS (sizeof metric_texts / sizeof *metric_texts)
#define N_CHECK_TEXTS (sizeof check_texts / sizeof *check_texts)

/* A member more has to be kept, too. */
_Static_assert(sizeof(struct metric) == 128 && sizeof(struct check_result) == 88 &&
                   sizeof(struct verdict) == 144 && sizeof(struct verdict_row) == 40,
               "these structs changed: say here what is in them");

static void pack_texts(const void *from, const size_t *texts, size_t n, struct buf *out)
{
    for (size_t i = 0; i < n; i++)
        pack_text(out, *(const char *const *)((const char *)from + texts[i]));
}

static void unpack_texts(void *to, const size_t *texts, size_t n, struct unpack *u)
{
    for (size_t i = 0; i < n; i++)
        *(const char **)((char *)to + texts[i]) = unpack_text(u);
}

static void pack_metric(const struct metric *m, struct buf *out)
{
    pack_texts(m, metric_texts, N_METRIC_TEXTS, out);
    pack_number(out, (uint64_t)m->table);
    pack_number(out, (uint64_t)m->row);
    pack_number(out, (uint64_t)m->input_line);
    pack_number(out, m->claimed);
    pack_number(out, m->outcome);
}

static enum outcome unpack_outcome(struct unpack *u)
{
    uint64_t outcome = unpack_number(u);
    u->bad |= outcome > OUTCOME_CANNOT;
    return u->bad ? OUTCOME_CANNOT : (enum outcome)outcome;
}

static void unpack_metric(struct metric *m, struct unpack *u)
{
    unpack_texts(m, metric_texts, N_METRIC_TEXTS, u);
    m->table = (int)unpack_number(u);
    m->row = (int)unpack_number(u);
    m->input_line = (int)unpack_number(u);
    m->claimed = unpack_number(u) != 0;
    m->outcome = unpack_outcome(u);
    u->bad |= !m->name;
}

static void pack_check(const struct check_result *c, struct buf *out)
{
    pack_texts(c, check_texts, N_CHECK_TEXTS, out);
    pack_number(out, (uint64_t)c->line);
    pack_number(out, (uint64_t)c->column);
    pack_number(out, (uint64_t)c->character);
    pack_number(out, (uint64_t)c->table);
    pack_number(out, (uint64_t)c->row);
    pack_number(out, c->aside);
}

static void unpack_check(struct check_result *c, struct unpack *u)
{
    unpack_texts(c, check_texts, N_CHECK_TEXTS, u);
    c->outcome = OUTCOME_FAIL;
    c->severity = SEVERITY_ERROR;
    c->line = (int)unpack_number(u);
    c->column = (int)unpack_number(u);
    c->character = (int)unpack_number(u);
    c->table = (int)unpack_number(u);
    c->row = (int)unpack_number(u);
    c->aside = unpack_number(u) != 0;
    u->bad |= !c->rule || !c->message;
}

/* NaN, too, is the same again. */
static void pack_double(struct buf *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    pack_number(out, bits);
}

static double unpack_double(struct unpack *u)
{
    uint64_t bits = unpack_number(u);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void pack_row(const struct verdict_row *r, struct buf *out)
{
    pack_number(out, (uint64_t)r->table);
    pack_number(out, (uint64_t)r->row);
    pack_text(out, r->precision);
    pack_text(out, r->stage);
    pack_double(out, r->mfu_factor);
    pack_double(out, r->sequence_length);
}

static void unpack_row(struct verdict_row *r, struct unpack *u)
{
    r->table = (int)unpack_number(u);
    r->row = (int)unpack_number(u);
    r->precision = unpack_text(u);
    r->stage = unpack_text(u);
    r->mfu_factor = unpack_double(u);
    r->sequence_length = unpack_double(u);
}

bool build_verdict_can_pack(const struct verdict *v)
{
    return v->n_evidence == 0 && v->n_reproductions == 0 && !v->found;
}

static bool is_said(const struct check_result *c)
{
    return c->outcome == OUTCOME_FAIL && c->severity == SEVERITY_ERROR;
}

void build_verdict_pack(const struct verdict *v, struct buf *out)
{
    size_t said = 0;
    for (size_t i = 0; i < v->n_checks; i++)
        said += is_said(&v->checks[i]);
    pack_text(out, v->id);
    pack_text(out, v->file);
    pack_text(out, v->rules);
    pack_text(out, v->only);
    pack_number(out, v->state);
    pack_number(out, v->n_metrics);
    for (size_t i = 0; i < v->n_metrics; i++)
        pack_metric(&v->metrics[i], out);
    pack_number(out, v->n_rows);
    for (size_t i = 0; i < v->n_rows; i++)
        pack_row(&v->rows[i], out);
    pack_number(out, said);
    for (size_t i = 0; i < v->n_checks; i++)
        if (is_said(&v->checks[i]))
            pack_check(&v->checks[i], out);
}

void build_verdict_unpack(struct verdict *v, struct arena *arena, struct unpack *u)
{
    *v = (struct verdict){.id = unpack_text(u)};
    v->file = unpack_text(u);
    v->rules = unpack_text(u);
    v->only = unpack_text(u);
    uint64_t state = unpack_number(u);
    u->bad |= !v->id || state > STATE_WITHDRAWN;
    v->state = u->bad ? STATE_FAILED : (enum state)state;
    v->n_metrics = unpack_count(u, N_METRIC_TEXTS);
    v->metrics = arena_array(arena, v->n_metrics, sizeof *v->metrics);
    for (size_t i = 0; i < v->n_metrics; i++)
        unpack_metric(&v->metrics[i], u);
    v->n_rows = unpack_count(u, 6);
    v->rows = arena_array(arena, v->n_rows, sizeof *v->rows);
    for (size_t i = 0; i < v->n_rows; i++)
        unpack_row(&v->rows[i], u);
    v->n_checks = unpack_count(u, N_CHECK_TEXTS);
    v->checks = arena_array(arena, v->n_checks, sizeof *v->checks);
    for (size_t i = 0; i < v->n_checks; i++)
        unpack_check(&v->checks[i], u);
}
