#include "verifier/verdicts/verdict_pack.h"

#include "base/records/pack_values.h"
#include "verifier/checks/list.h"
#include "verifier/claims/audit.h"

#include <stddef.h>
#include <string.h>

/* What is a text, and what a number, in these structs. */
static const size_t metric_texts[] = {
    offsetof(struct metric, name),       offsetof(struct metric, unit),
    offsetof(struct metric, stated),     offsetof(struct metric, recomputed),
    offsetof(struct metric, tolerance),  offsetof(struct metric, source),
    offsetof(struct metric, derivation), offsetof(struct metric, input),
    offsetof(struct metric, reason),     offsetof(struct metric, rule),
    offsetof(struct metric, elsewhere),
};
static const size_t check_texts[] = {
    offsetof(struct check_result, rule),     offsetof(struct check_result, file),
    offsetof(struct check_result, message),  offsetof(struct check_result, stated),
    offsetof(struct check_result, expected), offsetof(struct check_result, tolerance),
};
static const size_t check_places[] = {
    offsetof(struct check_result, line),      offsetof(struct check_result, column),
    offsetof(struct check_result, character), offsetof(struct check_result, table),
    offsetof(struct check_result, row),
};
static const size_t repeated_texts[] = {
    offsetof(struct repeated_figure, name),     offsetof(struct repeated_figure, stated),
    offsetof(struct repeated_figure, measured), offsetof(struct repeated_figure, outcome),
    offsetof(struct repeated_figure, why),
};
#define N_OF(array) (sizeof(array) / sizeof *(array))

/* A member more has to be kept, too. */
_Static_assert(sizeof(struct metric) == 168 && sizeof(struct check_result) == 88 &&
                   sizeof(struct verdict) == 152 && sizeof(struct verdict_row) == 64 &&
                   sizeof(struct repeated_figure) == 64,
               "these structs changed: say here what is in them");

/* ---- figures and findings ---------------------------------------------------------------- */

static void pack_metric(const struct metric *m, struct buf *out)
{
    pack_texts(m, metric_texts, N_OF(metric_texts), out);
    pack_number(out, (uint64_t)m->table);
    pack_number(out, (uint64_t)m->row);
    pack_number(out, (uint64_t)m->input_line);
    pack_number(out, (uint64_t)m->input_from);
    pack_number(out, m->claimed);
    pack_number(out, m->warned);
    pack_number(out, m->outcome);
}

static void unpack_metric(struct metric *m, struct arena *arena, struct unpack *u)
{
    unpack_texts(m, metric_texts, N_OF(metric_texts), arena, u);
    m->table = unpack_int(u);
    m->row = unpack_int(u);
    m->input_line = unpack_int(u);
    m->input_from = unpack_int(u);
    m->claimed = unpack_choice(u, 1) != 0;
    m->warned = unpack_choice(u, 1) != 0;
    m->outcome = (enum outcome)unpack_choice(u, OUTCOME_CANNOT);
    u->bad |= !m->name;
}

static void pack_check(const struct check_result *c, struct buf *out)
{
    pack_texts(c, check_texts, N_OF(check_texts), out);
    for (size_t i = 0; i < N_OF(check_places); i++)
        pack_number(out, (uint64_t) * (const int *)((const char *)c + check_places[i]));
    pack_number(out, c->outcome);
    pack_number(out, c->severity);
    pack_number(out, c->aside);
    pack_number(out, c->of_figure);
}

/* The table's own name of a rule; NULL: there is none of this name. */
static const char *known_rule(const char *id)
{
    const struct rule *r = id ? rule_find(id) : NULL;
    return r ? r->id : NULL;
}

static void unpack_check(struct check_result *c, struct arena *arena, struct unpack *u)
{
    unpack_texts(c, check_texts, N_OF(check_texts), arena, u);
    for (size_t i = 0; i < N_OF(check_places); i++)
        *(int *)((char *)c + check_places[i]) = unpack_int(u);
    c->outcome = (enum outcome)unpack_choice(u, OUTCOME_CANNOT);
    c->severity = (enum severity)unpack_choice(u, SEVERITY_ERROR);
    c->aside = unpack_choice(u, 1) != 0;
    c->of_figure = unpack_choice(u, 1) != 0;
    c->rule = known_rule(c->rule);
    u->bad |= !c->rule || !c->message;
}

static void pack_row(const struct verdict_row *r, struct buf *out)
{
    pack_number(out, (uint64_t)r->table);
    pack_number(out, (uint64_t)r->row);
    pack_text(out, r->key);
    pack_text(out, r->configuration);
    pack_text(out, r->precision);
    pack_text(out, r->stage);
    pack_text(out, r->card);
    pack_double(out, r->mfu_factor);
    pack_double(out, r->sequence_length);
}

static void unpack_row(struct verdict_row *r, struct arena *arena, struct unpack *u)
{
    r->table = unpack_int(u);
    r->row = unpack_int(u);
    r->key = take_words(u, arena);
    r->configuration = take_words(u, arena);
    r->precision = take_words(u, arena);
    r->stage = take_words(u, arena);
    r->card = take_words(u, arena);
    r->mfu_factor = unpack_double(u);
    r->sequence_length = unpack_double(u);
}

static bool is_error(const struct check_result *c)
{
    return c->outcome == OUTCOME_FAIL && c->severity == SEVERITY_ERROR;
}

void verdict_pack_figures(const struct verdict *v, bool only_errors, struct buf *out)
{
    size_t n = 0;
    for (size_t i = 0; i < v->n_checks; i++)
        n += !only_errors || is_error(&v->checks[i]);
    pack_number(out, v->n_metrics);
    for (size_t i = 0; i < v->n_metrics; i++)
        pack_metric(&v->metrics[i], out);
    pack_number(out, v->n_rows);
    for (size_t i = 0; i < v->n_rows; i++)
        pack_row(&v->rows[i], out);
    pack_number(out, n);
    for (size_t i = 0; i < v->n_checks; i++)
        if (!only_errors || is_error(&v->checks[i]))
            pack_check(&v->checks[i], out);
}

void verdict_unpack_figures(struct verdict *v, struct arena *arena, struct unpack *u)
{
    v->n_metrics = unpack_list(u, N_OF(metric_texts) + 5, VERDICT_METRICS_MAX, sizeof *v->metrics);
    v->metrics = arena_array(arena, v->n_metrics, sizeof *v->metrics);
    for (size_t i = 0; i < v->n_metrics; i++)
        unpack_metric(&v->metrics[i], arena, u);
    v->n_rows = unpack_list(u, 7 + 2 * sizeof(double), AUDIT_CLAIMS_MAX, sizeof *v->rows);
    v->rows = arena_array(arena, v->n_rows, sizeof *v->rows);
    for (size_t i = 0; i < v->n_rows; i++)
        unpack_row(&v->rows[i], arena, u);
    v->n_checks = unpack_list(u, N_OF(check_texts) + N_OF(check_places) + 3, VERDICT_CHECKS_MAX,
                              sizeof *v->checks);
    v->checks = arena_array(arena, v->n_checks, sizeof *v->checks);
    for (size_t i = 0; i < v->n_checks; i++)
        unpack_check(&v->checks[i], arena, u);
}

/* ---- second runs -------------------------------------------------------------------------- */

static void pack_repeated(const struct metric *m, const struct project *p, struct buf *out)
{
    pack_number(out, m->reproduction ? (uint64_t)(m->reproduction - p->reproductions) + 1 : 0);
    if (!m->reproduction)
        return;
    pack_texts(m->reproduced, repeated_texts, N_OF(repeated_texts), out);
    pack_double(out, m->reproduced->ratio);
    pack_double(out, m->reproduced->limit);
}

/* A record of a second run, by its place + 1 among all; NULL for 0. */
static const struct reproduction *unpack_record(const struct project *p, const struct result *r,
                                                struct unpack *u)
{
    size_t place = unpack_choice(u, r ? p->n_reproductions : 0);
    const struct reproduction *x = place ? &p->reproductions[place - 1] : NULL;
    if (x)
        u->bad |= strcmp(x->vendor, r->vendor) != 0 || strcmp(x->case_id, r->case_id) != 0;
    return u->bad ? NULL : x;
}

static void unpack_repeated(struct metric *m, const struct project *p, const struct result *r,
                            struct arena *arena, struct unpack *u)
{
    m->reproduction = unpack_record(p, r, u);
    if (!m->reproduction)
        return;
    struct repeated_figure *f = arena_alloc(arena, sizeof *f);
    unpack_texts(f, repeated_texts, N_OF(repeated_texts), arena, u);
    f->ratio = unpack_double(u);
    f->limit = unpack_double(u);
    u->bad |= !f->name || !f->measured || !f->outcome;
    m->reproduced = f;
}

void verdict_pack_evidence(const struct verdict *v, const struct project *project, struct buf *out)
{
    pack_text(out, v->machine);
    pack_number(out, v->n_evidence);
    for (size_t i = 0; i < v->n_evidence; i++)
        evidence_pack(&v->evidence[i], out);
    for (size_t i = 0; i < v->n_metrics; i++)
        pack_repeated(&v->metrics[i], project, out);
    pack_number(out, v->n_reproductions);
    for (size_t i = 0; i < v->n_reproductions; i++) {
        const struct verdict_reproduction *r = &v->reproductions[i];
        pack_number(out, (uint64_t)(r->record - project->reproductions) + 1);
        pack_number(out, r->sound);
    }
}

void verdict_unpack_evidence(struct verdict *v, const struct project *project,
                             const struct verdict_evidence *known, size_t n, struct arena *arena,
                             struct unpack *u)
{
    v->machine = take_words(u, arena);
    v->n_evidence = unpack_count(u, 1);
    u->bad |= v->n_evidence != n;
    v->n_evidence = u->bad ? 0 : n;
    v->evidence = arena_array(arena, v->n_evidence, sizeof *v->evidence);
    for (size_t i = 0; i < v->n_evidence; i++)
        evidence_unpack(&v->evidence[i], project, &known[i], arena, u);
    for (size_t i = 0; i < v->n_metrics; i++)
        unpack_repeated(&v->metrics[i], project, v->result, arena, u);
    v->n_reproductions = unpack_list(u, 2, project->n_reproductions, sizeof *v->reproductions);
    v->reproductions = arena_array(arena, v->n_reproductions, sizeof *v->reproductions);
    for (size_t i = 0; i < v->n_reproductions; i++) {
        v->reproductions[i].record = unpack_record(project, v->result, u);
        v->reproductions[i].sound = unpack_choice(u, 1) != 0;
        u->bad |= !v->reproductions[i].record;
    }
}
