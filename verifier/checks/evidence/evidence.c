/* Rules about the evidence itself: is it the file that was named, is it whole, is it of this case
 * and of this machine. */
#include "verifier/checks/checks.h"

#include "base/figures/labels.h"
#include "base/text.h"
#include "verifier/proofs/agreement.h"
#include "verifier/proofs/proof.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *first_fault(const struct diags *d, const char *otherwise)
{
    for (size_t i = 0; i < d->n; i++)
        if (d->items[i].severity == SEVERITY_ERROR)
            return d->items[i].message;
    return otherwise;
}

void check_archive(struct audit *a, struct proof *p)
{
    struct check_result *r;
    if (p->loose) {
        proof_report(a, p, NULL, OUTCOME_CANNOT, "these are loose files, no sealed submission");
        return;
    }
    if (!p->opened) { /* what this machine could not read is nobody's fault */
        proof_report(a, p, NULL, p->faults.machine ? OUTCOME_CANNOT : OUTCOME_FAIL,
                     first_fault(&p->faults, "the archive cannot be read"));
        return;
    }
    const char *stated = p->evidence ? p->evidence->sha256 : NULL;
    if (!stated) {
        proof_report(a, p, NULL, OUTCOME_CANNOT, "no SHA-256 is stated for the archive");
        return;
    }
    bool same = strcmp(stated, p->submission.archive_sha256) == 0;
    r = proof_report(a, p, NULL, same ? OUTCOME_PASS : OUTCOME_FAIL,
                     same ? "the archive's SHA-256 is the stated one"
                          : "the archive's SHA-256 is not the stated one: it is another file");
    r->stated = stated;
    r->expected = p->submission.archive_sha256;
}

void check_manifest(struct audit *a, struct proof *p)
{
    if (!p->opened)
        return;
    if (p->loose) {
        proof_report(a, p, NULL, OUTCOME_CANNOT,
                     "no manifest binds these files: any of them may have been changed");
        return;
    }
    if (p->submission.n_withheld) {
        size_t all = p->submission.n_sums, withheld = p->submission.n_withheld;
        proof_report(a, p, SUBMISSION_WITHHELD, OUTCOME_CANNOT,
                     arena_printf(a->arena,
                                  "%zu files withheld: the file WITHHELD says so, and nobody "
                                  "signed that; the other %zu are what the manifest says",
                                  withheld, all - withheld));
        return;
    }
    if (p->submission.intact) {
        proof_report(a, p, SUBMISSION_MANIFEST, OUTCOME_PASS,
                     arena_printf(a->arena, "all %zu files are what the manifest says",
                                  p->submission.n_sums));
        return;
    }
    size_t before = a->verdict->n_checks;
    for (size_t i = 0; i < p->faults.n; i++)
        if (p->faults.items[i].severity == SEVERITY_ERROR) {
            struct check_result *r =
                proof_report(a, p, NULL, OUTCOME_FAIL, p->faults.items[i].message);
            r->file = p->faults.items[i].file;
            r->line = p->faults.items[i].line;
        }
    if (a->verdict->n_checks == before)
        proof_report(a, p, SUBMISSION_MANIFEST, OUTCOME_FAIL, "the archive is not intact");
}

/* Without a run.json: is this the case that it is held to, and did a log come to its end? */
static void check_loose_state(struct audit *a, const struct proof *p)
{
    const char *folder = p->round && *p->round->key.text ? p->round->key.text : NULL;
    const char *named = p->named_case ? p->named_case : "";
    const char *expected = a->kase ? a->kase->id : "";
    struct check_result *r;
    if (*named && *expected && strcmp(named, expected) != 0) {
        r = proof_report(a, p, NULL, OUTCOME_FAIL,
                         arena_printf(a->arena,
                                      "the files are of case '%s', expected '%s': logs of "
                                      "another case",
                                      folder ? folder : named, expected));
        r->stated = named;
        r->expected = expected;
        return;
    }
    bool ends = p->log.format && strcmp(p->log.format, "perflog") == 0;
    bool finished = false;
    for (size_t i = 0; i < p->n_logs; i++)
        finished = finished || p->logs[i]->log.finished;
    /* Only the main process writes one: a single log of another rank proves nothing. */
    bool expected_here = ends && (p->tree.n_logs > 1 || p->main_log->place.rank == 0);
    r = proof_report(a, p, NULL, expected_here && !finished ? OUTCOME_FAIL : OUTCOME_CANNOT,
                     finished ? "no run.json says how the run ended; the log has a FINISHED event"
                     : expected_here
                         ? "no log has a FINISHED event: the run did not end, or its log is cut"
                         : "no run.json says how the run ended, nor does the log");
    r->severity = SEVERITY_WARNING;
}

void check_run_state(struct audit *a, struct proof *p)
{
    if (!p->opened)
        return;
    const char *state = json_get_text(p->run, "state", NULL);
    const char *kase = json_get_text(p->run, "case", NULL);
    if (!state && p->loose) {
        check_loose_state(a, p);
        return;
    }
    if (!state) {
        proof_report(a, p, "run.json", OUTCOME_FAIL, "no run.json says how the run ended");
        return;
    }
    const char *expected = a->result ? a->result->case_id : kase;
    bool complete = strcmp(state, "complete") == 0;
    bool same = kase && expected && strcmp(kase, expected) == 0;
    struct check_result *r =
        proof_report(a, p, "run.json", complete && same ? OUTCOME_PASS : OUTCOME_FAIL,
                     !complete ? arena_printf(a->arena, "the run is '%s', not complete", state)
                     : same    ? "the run is complete"
                            : arena_printf(a->arena, "the run is of case '%s', the result of '%s'",
                                           kase ? kase : "", expected));
    r->stated = complete ? kase : state;
    r->expected = complete ? expected : "complete";
}

/* What the training depends on; titles and the alignment rule may be edited later. */
static struct case_record trained_part(const struct case_record *kase)
{
    struct case_record part = *kase;
    part.title = part.task = (struct words){NULL, NULL};
    part.alignment = NULL;
    part.report = NULL;
    part.mfu_factor = NAN;
    return part;
}

static void compare_digest(struct audit *a, const struct proof *p, enum fact_id fact,
                           const char *digest, const char *what)
{
    const char *stated = facts_value(&p->facts, fact);
    if (!stated || !digest)
        return;
    bool same = strcmp(stated, digest) == 0;
    struct check_result *r =
        proof_report(a, p, "fingerprint.json", same ? OUTCOME_PASS : OUTCOME_FAIL,
                     arena_printf(a->arena,
                                  same ? "the fingerprint names the SHA-256 of %s"
                                       : "the fingerprint names another SHA-256 than that of %s",
                                  what));
    r->stated = stated;
    r->expected = digest;
}

/* Where either side names weights that the run began with: NULL when they agree. */
static const char *weights_fault(const struct proof *p, const char *stated)
{
    const char *logged = p->log.initial_weights;
    if (!p->kase->initial_weights)
        return "the run began with given weights, its case says that they are drawn from its seed";
    if (!logged)
        return "the case begins with given weights, the log names none";
    return stated && strcmp(stated, logged) != 0
               ? "the run began with other weights than its case says"
               : NULL;
}

static void compare_weights(struct audit *a, const struct proof *p)
{
    const struct case_weights *w = p->kase->initial_weights;
    const char *stated = w ? w->sha256 : NULL, *logged = p->log.initial_weights;
    if (!proof_is_native(p) || !p->log_name || (!w && !logged))
        return;
    const char *fault = weights_fault(p, stated);
    struct check_result *r =
        proof_report(a, p, p->log_name,
                     fault    ? OUTCOME_FAIL
                     : stated ? OUTCOME_PASS
                              : OUTCOME_CANNOT,
                     fault    ? fault
                     : stated ? "the run began with the weights that its case says"
                              : "the case states no SHA-256 of the weights that it begins with");
    r->stated = logged;
    r->expected = stated;
}

void check_case(struct audit *a, struct proof *p)
{
    if (!p->opened)
        return;
    if (p->loose && (!p->kase || p->kase_assumed)) {
        proof_report(a, p, NULL, OUTCOME_CANNOT,
                     p->kase
                         ? arena_printf(a->arena, "no case.json says what was run; '%s' is assumed",
                                        p->kase->id)
                         : "no case.json says what was run, and no published case is called so");
        return;
    }
    if (!p->kase) {
        proof_report(a, p, "case.json", OUTCOME_FAIL, "the case that was run cannot be read");
        return;
    }
    const struct bytes *bytes =
        p->loose ? &p->case_bytes : submission_file(&p->submission, "case.json");
    char *hex = arena_alloc(a->arena, HASH_HEX_SIZE);
    hash_sha256(bytes->data, bytes->len, hex);
    compare_digest(a, p, FACT_CASE_SHA256, hex, "case.json");
    if (p->kase->data)
        compare_digest(a, p, FACT_DATA_SHA256, p->kase->data->sha256, "the case's data");
    compare_weights(a, p);
    if (!a->kase) {
        proof_report(a, p, "case.json", OUTCOME_CANNOT, "the project has no record of this case");
        return;
    }
    struct case_record ran = trained_part(p->kase), published = trained_part(a->kase);
    const char *difference = shape_diff(&case_shape, &ran, &published, a->arena);
    proof_report(a, p, "case.json", difference ? OUTCOME_FAIL : OUTCOME_PASS,
                 difference
                     ? arena_printf(a->arena, "the case that was run is not the published one: %s",
                                    difference)
                     : "the case that was run is the published one");
}

/* One finding for each field that two sources say (verifier/proofs/agreement.h). */
static size_t compare_fields(struct audit *a, struct proof *p)
{
    size_t compared = 0;
    for (size_t i = 0; i < p->n_agreements; i++) {
        const struct agreement *x = &p->agreements[i];
        bool excused = agreement_excused(x);
        if ((x->outcome == OUTCOME_CANNOT && !excused) || agreement_is_settings(x, p))
            continue;
        struct check_result *r = proof_report(a, p, NULL, excused ? OUTCOME_FAIL : x->outcome,
                                              agreement_text(x, a->arena));
        r->severity = excused ? SEVERITY_NOTICE : r->severity;
        for (size_t k = 0; k < x->n; k++) {
            const struct said *s = &x->said[k];
            if (s->by == SAID_RECORD && (s->differs || x->outcome == OUTCOME_PASS)) {
                r->file = a->file;
                r->line = s->line;
                r->stated = s->value;
            } else if (s->by == SAID_FINGERPRINT) {
                r->expected = s->value;
            }
        }
        compared += agreement_has_record(x);
    }
    return compared;
}

/* A page that names a card, of a run on a machine that has none. What its own bullets say of the
 * card is compared above; this is for pages that say it has none, too. */
static void compare_device(struct audit *a, const struct proof *p)
{
    const char *device = audit_general(a, "device");
    const struct fact *card = facts_get(&p->facts, fact_kinds[FACT_ACCELERATOR_MODEL].key);
    const struct accelerator *named = device ? audit_card(a, device) : NULL;
    if (!card || card->value || !named || strcmp(named->id, "cpu") == 0)
        return;
    struct check_result *r = audit_report(
        a, OUTCOME_FAIL, NULL, 0,
        "the general table says '%s', the run was made on a machine without a card: %s", device,
        card->unknown);
    r->stated = device;
    r->expected = "no accelerator";
}

void check_environment(struct audit *a, struct proof *p)
{
    if (!p->opened)
        return;
    size_t compared = compare_fields(a, p);
    /* Without it the run is bound to no machine, and a vendor could simply leave it out. */
    if (!p->facts.n && p->loose) {
        proof_report(a, p, NULL, OUTCOME_CANNOT,
                     "no fingerprint.json or sys_info.log tells the machine");
        return;
    }
    if (!p->facts.n) {
        proof_report(a, p, NULL, OUTCOME_FAIL, "the submission holds no readable fingerprint.json");
        return;
    }
    if (!a->result)
        return;
    compare_device(a, p);
    if (!compared)
        proof_report(a, p, NULL, OUTCOME_CANNOT,
                     "the environment states nothing that the fingerprint has");
}
