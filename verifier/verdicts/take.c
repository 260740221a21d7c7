/* What is believed of a verdict that may be forged (shape.h). */
#include "verifier/verdicts/shape.h"

#include "base/foreign.h"
#include "base/signing/hash.h"
#include "verifier/checks/list.h"
#include "verifier/proofs/agreement.h"

#include <string.h>

/* The rule's own name of itself; NULL: there is none of this name. */
static const char *known_rule(const char *id)
{
    const struct rule *r = rule_find(id);
    return r ? r->id : NULL;
}

/* A record of a second run of this result; NULL. */
static const struct reproduction *known_record(const struct project *p, const struct result *r,
                                               const char *id)
{
    for (size_t i = 0; r && i < p->n_reproductions; i++) {
        const struct reproduction *x = &p->reproductions[i];
        if (strcmp(x->id, id) == 0 && strcmp(x->vendor, r->vendor) == 0 &&
            strcmp(x->case_id, r->case_id) == 0)
            return x;
    }
    return NULL;
}

static const char *reference_of_case(const struct case_record *c, const char *name)
{
    const char *own = c && c->alignment ? c->alignment->reference : NULL;
    return own && strcmp(own, name) == 0 ? own : NULL;
}

/* The name of the reference is that of the records: it becomes a file of the site. */
static bool take_alignment(struct alignment *a, const struct project *p,
                           const struct verdict_evidence *known)
{
    const char *own = reference_of_case(known->kase, a->reference);
    for (size_t i = 0; i < p->n_cases && !own && !known->kase; i++)
        own = reference_of_case(&p->cases[i], a->reference);
    a->reference = own;
    return own != NULL;
}

static bool is_signature(const struct signature *s)
{
    return (s->state == SIGNED_BY) == (s->signer != NULL) &&
           (s->state == SIGNED_BADLY) == (s->why != NULL) &&
           (s->key || (s->state != SIGNED_BY && s->state != SIGNED_UNKNOWN));
}

/* Words for people are those of our own table. */
static bool take_agreements(const struct row_evidence *e)
{
    for (size_t i = 0; i < e->n_agreements; i++) {
        struct agreement *x = (struct agreement *)&e->agreements[i];
        x->label = agreement_label(x->key);
        if (!x->label || x->n == 0)
            return false;
    }
    return true;
}

static bool are_files(const struct row_evidence *e)
{
    for (size_t i = 0; i < e->n_files; i++)
        if (foreign_name_problem(e->files[i].name))
            return false;
    return true;
}

/* What was opened has the bytes that were read before, and a manifest, or none that is whole. */
static bool is_evidence_known(const struct row_evidence *e, const struct verdict_evidence *known)
{
    return e->sealed == (e->sha256 != NULL) && (!e->sealed || e->id) &&
           (!e->sha256 || (known->sha256 && strcmp(e->sha256, known->sha256) == 0)) &&
           (!e->id || !*e->id || hash_is_hex(e->id)) && (!e->intact || e->sealed);
}

static bool take_evidence(struct row_evidence *e, const struct project *p,
                          const struct verdict_evidence *known)
{
    const struct answered *a = &e->answered;
    e->table = known->table;
    e->row = known->row;
    e->archive = known->archive;
    return is_evidence_known(e, known) && is_signature(&e->signature) && are_files(e) &&
           take_agreements(e) && (!a->nonce || (a->round && a->vendor && a->key)) &&
           (!e->alignment || take_alignment(e->alignment, p, known));
}

static bool take_metric(struct metric *m, const struct project *p, const struct result *r)
{
    m->reproduction = m->reproduction_id ? known_record(p, r, m->reproduction_id) : NULL;
    return !m->reproduction == !m->reproduction_id && !m->reproduction == !m->reproduced;
}

bool verdict_take(struct verdict *v, const struct project *project,
                  const struct verdict_evidence *known, size_t n)
{
    bool good = v->n_evidence == n && v->n_reproductions <= project->n_reproductions;
    for (size_t i = 0; i < v->n_checks && good; i++)
        good = (v->checks[i].rule = known_rule(v->checks[i].rule)) != NULL;
    for (size_t i = 0; i < v->n_metrics && good; i++)
        good = take_metric(&v->metrics[i], project, v->result);
    for (size_t i = 0; i < n && good; i++)
        good = take_evidence(&v->evidence[i], project, &known[i]);
    for (size_t i = 0; i < v->n_reproductions && good; i++) {
        struct verdict_reproduction *r = &v->reproductions[i];
        r->record = known_record(project, v->result, r->id);
        good = r->record != NULL;
    }
    return good;
}
