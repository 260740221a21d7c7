#include "base/records/verdict.h"

#include "base/buf.h"

const char *outcome_name(enum outcome o)
{
    static const char *const names[] = {
        [OUTCOME_PASS] = "PASS", [OUTCOME_FAIL] = "FAIL", [OUTCOME_CANNOT] = "CANNOT"};
    return names[o];
}

const char *metric_word(const struct metric *m)
{
    return m->outcome == OUTCOME_PASS && !m->stated ? "recomputed" : outcome_name(m->outcome);
}

const char *signed_name(enum signed_state s)
{
    static const char *const names[] = {
        [SIGNED_NOT] = "unsigned",
        [SIGNED_UNKNOWN] = "unknown",
        [SIGNED_BY] = "signed",
        [SIGNED_BADLY] = "refused",
    };
    return names[s];
}

const char *state_name(enum state s)
{
    static const char *const names[] = {
        [STATE_VERIFIED] = "verified",     [STATE_PARTIAL] = "partial",
        [STATE_UNVERIFIED] = "unverified", [STATE_FAILED] = "failed",
        [STATE_WITHDRAWN] = "withdrawn",
    };
    return names[s];
}

static const char hushed[] = "it is about a file that is withheld: what it says is not published";

void check_result_hush(struct check_result *c)
{
    c->message = hushed;
    c->sentence = NULL;
    c->stated = c->expected = c->tolerance = NULL;
    c->hushed = true;
}

void metric_hush(struct metric *m)
{
    m->derivation = NULL;
    m->reason = hushed;
}

size_t verdict_count(const struct verdict *v, enum outcome outcome, enum severity least)
{
    size_t n = 0;
    for (size_t i = 0; i < v->n_checks; i++)
        n += v->checks[i].outcome == outcome && v->checks[i].severity >= least;
    return n;
}

size_t verdict_count_aside(const struct verdict *v, enum severity least)
{
    size_t n = 0;
    for (size_t i = 0; i < v->n_checks; i++) {
        const struct check_result *c = &v->checks[i];
        n += c->outcome == OUTCOME_FAIL && c->severity >= least && c->aside;
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

const char *said_by_name(enum said_by by)
{
    static const char *const names[SAID_BY] = {
        [SAID_LOG] = "log",         [SAID_SYSTEM] = "sys_info.log",
        [SAID_MONITOR] = "monitor", [SAID_FINGERPRINT] = "fingerprint",
        [SAID_RUN] = "run",         [SAID_RECORD] = "record",
    };
    return names[by];
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
    struct buf list;
    buf_init(&list, BUF_DEFAULT_MAX);
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
