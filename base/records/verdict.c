#include "base/records/verdict.h"

#include "base/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const outcome_names[] = {
    [OUTCOME_PASS] = "PASS", [OUTCOME_FAIL] = "FAIL", [OUTCOME_CANNOT] = "CANNOT", NULL};

const char *outcome_name(enum outcome o)
{
    return outcome_names[o];
}

void metric_read(struct metric *m, struct arena *arena)
{
    if (!m->says)
        m->says = m->stated ? figure_read(m->stated, arena) : &figure_missing;
    if (m->reproduced && !m->again)
        m->again = figure_read(m->reproduced->measured, arena);
}

/* What the row's cell of this text was read as, with its record; NULL: there is none. */
static const struct figure *cell_figure(const struct row *row, const char *text)
{
    for (size_t i = 0; i < row->n_cells; i++)
        if (strcmp(row->cells[i].text, text) == 0)
            return &row->figures[i];
    return NULL;
}

void verdict_read_metrics(struct verdict *v, struct arena *arena)
{
    const struct table **tables;
    size_t n = v->result ? result_figure_tables(v->result, arena, &tables) : 0;
    for (size_t i = 0; i < v->n_metrics; i++) {
        struct metric *m = &v->metrics[i];
        size_t table = (size_t)m->table - 1, row = (size_t)m->row - 1;
        if (!m->says && m->stated && table < n && row < tables[table]->n_rows)
            m->says = cell_figure(&tables[table]->rows[row], m->stated);
        metric_read(m, arena);
    }
}

const char *metric_word(const struct metric *m)
{
    return m->outcome == OUTCOME_PASS && !m->stated ? "recomputed" : outcome_name(m->outcome);
}

const char *const signed_names[] = {
    [SIGNED_NOT] = "unsigned",
    [SIGNED_UNKNOWN] = "unknown",
    [SIGNED_BY] = "signed",
    [SIGNED_BADLY] = "refused",
    NULL,
};

const char *const state_names[] = {
    [STATE_VERIFIED] = "verified",     [STATE_PARTIAL] = "partial",
    [STATE_UNVERIFIED] = "unverified", [STATE_FAILED] = "failed",
    [STATE_WITHDRAWN] = "withdrawn",   NULL,
};

const char *state_name(enum state s)
{
    return state_names[s];
}

static const char redacted[] = "concerns a withheld file: its contents are not published";

void check_result_redact(struct check_result *c)
{
    c->message = redacted;
    c->sentence = NULL;
    c->stated = c->expected = c->tolerance = NULL;
    c->redacted = true;
}

void metric_redact(struct metric *m)
{
    m->derivation = NULL;
    m->derivation_made = NULL;
    m->reason = redacted;
    m->reason_made = NULL;
}

size_t verdict_count(const struct verdict *v, enum outcome outcome, enum severity least)
{
    size_t n = 0;
    for (size_t i = 0; i < v->n_checks; i++)
        n += v->checks[i].outcome == outcome && v->checks[i].severity >= least;
    return n;
}

size_t verdict_count_informational(const struct verdict *v, enum severity least)
{
    size_t n = 0;
    for (size_t i = 0; i < v->n_checks; i++) {
        const struct check_result *c = &v->checks[i];
        n += c->outcome == OUTCOME_FAIL && c->severity >= least && c->informational;
    }
    return n;
}

bool verdict_is_reproduced(const struct verdict *v)
{
    size_t yes = 0, no = 0;
    for (size_t i = 0; i < v->n_reproductions; i++) {
        const struct verdict_reproduction *r = &v->reproductions[i];
        bool reproduced = reproduction_is_reproduced(r->record);
        yes += r->sound && reproduced;
        no += r->sound && !reproduced;
    }
    return yes && !no;
}

const char *const said_by_names[] = {[SAID_LOG] = "log",
                                     [SAID_SYSTEM] = "sys_info.log",
                                     [SAID_MONITOR] = "monitor",
                                     [SAID_FINGERPRINT] = "fingerprint",
                                     [SAID_RUN] = "run",
                                     [SAID_RECORD] = "record",
                                     NULL};

const char *said_by_name(enum said_by by)
{
    return said_by_names[by];
}

bool agreement_excused(const struct agreement *x)
{
    for (size_t i = 0; i < x->n && x->outcome == OUTCOME_CANNOT; i++)
        if (x->said[i].differs)
            return true;
    return false;
}

const char *agreement_said(const struct agreement *x, enum said_by by, struct arena *arena)
{
    const char *first = NULL;
    size_t n = 0;
    struct buf list = BUF_INIT(BUF_DEFAULT_MAX);
    for (size_t i = 0; i < x->n; i++) {
        if (x->said[i].by != by)
            continue;
        first = n++ ? first : x->said[i].value;
        buf_printf(&list, "%s%s", n > 1 ? "; " : "", x->said[i].value);
    }
    if (n > 1)
        first = arena_strndup(arena, list.data, list.len);
    buf_release(&list);
    return first;
}

#define VALUES 6       /* factor, N, rate, peak, MFU, name of the peak */
#define VALUES_EXACT 9 /* parameters, layers, hidden, MPE, rate, peak, MFU, model, name */

static double mfu_number_at(const struct sentence *s, size_t i)
{
    return strtod(s->values[i].text, NULL);
}

bool mfu_numbers_of(const struct metric *m, struct mfu_numbers *out)
{
    const struct sentence *s = m->derivation ? m->derivation_made : NULL;
    bool exact = strcmp(m->name, "mfu_exact") == 0;
    *out = (struct mfu_numbers){.exact = exact, .layers = NAN, .hidden = NAN, .sequence = NAN};
    if (!s || s->n_values != (exact ? VALUES_EXACT : VALUES) ||
        (!exact && strcmp(m->name, "mfu") != 0))
        return false;
    size_t at = 0;
    out->factor = exact ? 6 : mfu_number_at(s, at++);
    out->parameters = mfu_number_at(s, at++);
    if (exact) {
        out->layers = mfu_number_at(s, at++);
        out->hidden = mfu_number_at(s, at++);
        out->sequence = mfu_number_at(s, at++);
    }
    out->rate = mfu_number_at(s, at++);
    out->peak = mfu_number_at(s, at);
    out->peak_name = s->values[s->n_values - 1].text;
    return true;
}
