#include "verifier/checks/run.h"

#include "base/text.h"
#include "verifier/checks/list.h"
#include "verifier/checks/rules.h"
#include "verifier/proofs/proof.h"
#include "verifier/proofs/reproduction.h"

/* What a file says that is not there can be held against nobody: rules about more than the archive
 * itself are not applied to a redacted submission. */
static void run_proof(struct audit *a, const struct rule *r, struct proof *p)
{
    if (!p->submission.n_withheld || r->sealed)
        r->proof(a, p);
    else if (a->project->retraining || !text_starts(r->id, "FP6")) /* which nobody asked for */
        proof_report(a, p, NULL, OUTCOME_CANNOT, "files are withheld: this check needs all files");
}

static void run_on_proofs(struct audit *a, const struct rule *r)
{
    for (size_t i = 0; r->proof && i < a->n_proofs; i++)
        run_proof(a, r, &a->proofs[i]);
}

static void run_on_all(struct audit *a, const struct rule *r)
{
    if (r->page && a->result)
        r->page(a);
    for (size_t i = 0; r->claim && i < a->n_claims; i++)
        r->claim(a, &a->claims[i]);
    for (size_t i = 0; r->older && i < a->n_older; i++)
        for (size_t k = 0; k < a->older[i].n_rows; k++)
            r->older(a, &a->older[i], &a->older[i].rows[k]);
    run_on_proofs(a, r);
    for (size_t i = 0; r->reproduction && i < a->n_reproductions; i++)
        r->reproduction(a, &a->reproductions[i]);
}

static void run_each(struct audit *a, void (*run)(struct audit *a, const struct rule *r))
{
    size_t n;
    const struct rule *const *all = rules_all(&n);
    for (size_t i = 0; i < n; i++) {
        a->rule = all[i];
        if (rules_has(a->rules, a->rule))
            run(a, a->rule);
    }
}

void rules_run(struct audit *a)
{
    run_each(a, run_on_all);
}

void rules_run_proofs(struct audit *a)
{
    run_each(a, run_on_proofs);
}
