/* Rules about who stands behind the evidence: what its statement says, and who signed that. */
#include "verifier/checks/checks.h"

#include "base/calendar.h"
#include "base/foreign.h"
#include "base/sealed/statement.h"
#include "base/signing/signers.h"
#include "base/signing/sshsig.h"
#include "base/store/store.h"
#include "verifier/proofs/proof.h"
#include "verifier/proofs/rivals.h"

#include <stdlib.h>
#include <string.h>

void check_said(struct audit *a, struct proof *p)
{
    const struct submission *s = &p->submission;
    if (!p->opened || p->loose)
        return;
    const struct bytes *statement = submission_file(s, SUBMISSION_STATEMENT);
    if (!statement) {
        proof_report(a, p, NULL, OUTCOME_CANNOT,
                     "the submission has no statement about its run: it was sealed before there "
                     "were any");
        return;
    }
    struct diags faults;
    diags_init(&faults, a->arena);
    const char *difference =
        statement_difference(proof_place(a, p, SUBMISSION_STATEMENT), *statement, s->files, s->n,
                             s->id, a->arena, &faults);
    if (difference)
        proof_report(a, p, SUBMISSION_STATEMENT, OUTCOME_FAIL,
                     arena_printf(a->arena, "the statement says something else than the files: %s",
                                  difference));
    else
        proof_report(a, p, SUBMISSION_STATEMENT, OUTCOME_PASS,
                     "the statement says what the files say");
}

/* ---- the signature ----------------------------------------------------------------------- */

static void unsigned_one(struct audit *a, struct proof *p)
{
    const struct signers *signers = a->project->signers;
    struct check_result *r =
        proof_report(a, p, NULL, signers ? OUTCOME_FAIL : OUTCOME_CANNOT,
                     "the submission is not signed: nobody but its archive vouches for it");
    if (signers && !signers->required)
        r->severity = SEVERITY_WARNING;
}

static void refused(struct audit *a, struct proof *p, const char *why)
{
    p->signature.state = SIGNED_BADLY;
    p->signature.why = why;
    proof_report(a, p, SUBMISSION_SIGNATURE, OUTCOME_FAIL, why);
}

/* The file that came to the archive and is this one, or is published in part as this one. Another
 * file of the same run has another signature, and came on another day. */
static const struct store_item *came_as(const struct store *s, const struct proof *p)
{
    const struct store_object *o = store_object_of(&s->index, p->submission.archive_sha256);
    const char *of = o ? o->entry->of : NULL;
    return o ? store_submission_of(&s->index, of ? of : o->sha256) : NULL;
}

/* When the key must have been valid: as asked, else when the archive got the submission, else as
 * base/signing/signers.h says. */
static long long counts_at(const struct audit *a, const struct proof *p, struct bytes statement)
{
    const struct signers *signers = a->project->signers;
    const struct store *s = a->project->store;
    const struct store_item *item = s ? came_as(s, p) : NULL;
    long long entered;
    if (signers->at)
        return signers->at;
    if (item && item->added && calendar_time(store_entry_day(item->added), &entered))
        return entered;
    return signers->otherwise ? signers->otherwise : statement_finished(statement, a->arena);
}

/* A signature that holds: whose is it? */
static void find_signer(struct audit *a, struct proof *p, const struct sshsig *s,
                        struct bytes statement)
{
    const struct signers *signers = a->project->signers;
    struct signature *out = &p->signature;
    const char *why;
    if (!signers) {
        out->state = SIGNED_UNKNOWN;
        proof_report(a, p, SUBMISSION_SIGNATURE, OUTCOME_CANNOT,
                     arena_printf(a->arena,
                                  "signed with the key %s; whose it is is not known: no file of "
                                  "signers is given",
                                  out->key));
        return;
    }
    const struct signers_question q = {.key = &s->key,
                                       .principal =
                                           a->result ? a->result->vendor : signers->principal,
                                       .namespace = SSHSIG_SUBMISSION,
                                       .at = counts_at(a, p, statement)};
    const struct signer *signer = signers_find(signers, &q, a->arena, &why);
    if (!signer) {
        refused(a, p, arena_printf(a->arena, "signed with the key %s, which %s", out->key, why));
        return;
    }
    out->state = SIGNED_BY;
    out->signer = q.principal ? q.principal : signer_name(signer, a->arena);
    proof_report(a, p, SUBMISSION_SIGNATURE, OUTCOME_PASS,
                 arena_printf(a->arena, "signed by %s with the key %s", out->signer, out->key));
}

/* ---- whose run it was before ------------------------------------------------------------- */

/* Does an entry say whose it was, and is it not taken back? */
static bool says_whose(const struct audit *a, const struct store_entry *e)
{
    const struct store_item *file = store_submission_of(&a->project->store->index, e->object);
    return file && !file->withdrawn && e->signer && project_vendor(a->project, e->signer);
}

/* The first that the archive's log has of this run and that says whose it was; NULL. */
static const struct store_entry *first_of_run(const struct audit *a, const struct proof *p)
{
    const struct store *s = a->project->store;
    const struct store_item *run = s ? store_item_of(&s->index, p->submission.id) : NULL;
    if (!run || !run->added)
        return NULL;
    for (const struct store_entry *e = run->added; e < s->log.entries + s->log.n; e++)
        if (strcmp(e->kind, STORE_ADDED) == 0 && strcmp(e->submission, run->submission) == 0 &&
            says_whose(a, e))
            return e;
    return NULL;
}

/* Is it this file, or another one of the same run? */
static bool is_of_run(const struct proof *p, const struct evidence *e)
{
    return (e->run && strcmp(e->run, p->submission.id) == 0) ||
           strcmp(e->sha256, p->submission.archive_sha256) == 0;
}

/* Another vendor's result of the case that names the run; NULL. Where this one is signed by its
 * vendor, one that is not says nothing against it: anybody can name another's file. */
static const struct result *other_of_run(const struct audit *a, const struct proof *p)
{
    size_t n;
    const struct result **all = project_case_results(a->project, a->result->case_id, &n);
    bool own = p->evidence && p->evidence->own;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < all[i]->n_evidence; k++)
            if (strcmp(all[i]->vendor, a->result->vendor) != 0 && !all[i]->withdrawn &&
                (all[i]->evidence[k].own || !own) && is_of_run(p, &all[i]->evidence[k]))
                return all[i];
    return NULL;
}

/* Did this one come to the archive as its vendor's before that one came, if it did? */
static bool came_first(const struct audit *a, const struct proof *p, const struct evidence *e)
{
    const struct store *s = a->project->store;
    const struct store_item *mine = s ? came_as(s, p) : NULL;
    const struct store_item *theirs = s ? store_submission_of(&s->index, e->sha256) : NULL;
    return mine && says_whose(a, mine->added) &&
           strcmp(mine->added->signer, a->result->vendor) == 0 &&
           (!theirs || mine->added->line < theirs->added->line);
}

/* Another vendor's result of the case that has this file in another run; NULL. */
static const struct result *other_of_file(const struct audit *a, const struct proof *p,
                                          const char *sha256)
{
    size_t n;
    const struct rival *all = rivals_with(&a->project->rivals, a->result->case_id, sha256, &n);
    bool own = p->evidence && p->evidence->own;
    for (size_t i = 0; i < n; i++) {
        const struct result *other = all[i].result;
        const struct evidence *e = all[i].evidence;
        if (strcmp(other->vendor, a->result->vendor) != 0 && !other->withdrawn &&
            !is_of_run(p, e) && (e->own || !own) && !came_first(a, p, e))
            return other;
    }
    return NULL;
}

/* The same of a log of losses, with a file beside it altered, so that it is no longer the same run.
 */
static const struct result *other_of_log(const struct audit *a, const struct proof *p,
                                         const char **log)
{
    for (size_t i = 0; i < p->n_logs; i++) {
        const struct submission_sum *sum =
            p->logs[i]->log.n_points ? submission_sum(&p->submission, p->logs[i]->name) : NULL;
        const struct result *other = sum ? other_of_file(a, p, sum->sha256) : NULL;
        *log = p->logs[i]->name;
        if (other)
            return other;
    }
    return NULL;
}

/* A run has one vendor: the one whose it was when the archive got it first, else the one who signed
 * it, else nobody can tell, and all who name it are told. NULL: nothing is against this one. */
static const char *belongs_to_another(const struct audit *a, const struct proof *p)
{
    const struct store_entry *first = a->result ? first_of_run(a, p) : NULL;
    const char *log;
    if (first && strcmp(first->signer, a->result->vendor) != 0)
        return arena_printf(a->arena,
                            "this run came to the archive as that of %s (line %d of its log)",
                            first->signer, first->line);
    const struct result *other = a->result && !first ? other_of_run(a, p) : NULL;
    if (other)
        return arena_printf(a->arena, "%s/%s has the same run as its evidence", other->vendor,
                            other->case_id);
    other = a->result ? other_of_log(a, p, &log) : NULL;
    return other ? arena_printf(a->arena, "%s/%s has the same log of losses in its evidence: %s",
                                other->vendor, other->case_id, log)
                 : NULL;
}

void check_signature(struct audit *a, struct proof *p)
{
    struct sshsig s;
    struct err err = ERR_INIT;
    if (!p->opened || p->loose)
        return;
    const char *against = belongs_to_another(a, p);
    if (against) {
        refused(a, p, against);
        return;
    }
    const struct bytes *statement = submission_file(&p->submission, SUBMISSION_STATEMENT);
    const struct bytes *armour = submission_file(&p->submission, SUBMISSION_SIGNATURE);
    if (!statement || !armour) {
        unsigned_one(a, p);
        return;
    }
    if (sshsig_parse(*armour, a->arena, &s, &err) < 0) {
        refused(a, p, arena_printf(a->arena, "the signature %s", err.text));
        return;
    }
    p->signature.key = s.key.fingerprint;
    if (strcmp(s.namespace, SSHSIG_SUBMISSION) != 0)
        refused(a, p,
                arena_printf(a->arena, "the signature is one for '%s', expected '%s'",
                             foreign_name_shown(s.namespace, a->arena), SSHSIG_SUBMISSION));
    else if (!sshsig_holds(&s, SSHSIG_SUBMISSION, *statement))
        refused(a, p, "the signature is not one of this statement: either was changed");
    else
        find_signer(a, p, &s, *statement);
}
