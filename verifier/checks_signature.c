/* Rules about who stands behind the evidence: what its statement says, and who signed that. */
#include "verifier/checks.h"

#include "base/calendar.h"
#include "base/signers.h"
#include "base/sshsig.h"
#include "base/statement.h"
#include "base/store.h"
#include "verifier/proof.h"

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
 * signers.h says. */
static long long counts_at(const struct audit *a, const struct proof *p, struct bytes statement)
{
    const struct signers *signers = a->project->signers;
    const struct store *s = a->project->store;
    const struct store_item *item = s ? came_as(s, p) : NULL;
    long long entered;
    if (signers->at)
        return signers->at;
    if (item && item->added && calendar_time(item->added->time, &entered))
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

void check_signature(struct audit *a, struct proof *p)
{
    struct sshsig s;
    struct err err = ERR_INIT;
    if (!p->opened || p->loose)
        return;
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
                             tar_name_shown(s.namespace, a->arena), SSHSIG_SUBMISSION));
    else if (!sshsig_holds(&s, SSHSIG_SUBMISSION, *statement))
        refused(a, p, "the signature is not one of this statement: either was changed");
    else
        find_signer(a, p, &s, *statement);
}
