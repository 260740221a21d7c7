/*
 * Rules about reproductions: is the second run a run, of this case, another one, and does its
 * record say what it gave. What they find is about the reproduction: the claims of the vendor
 * stand or fall by themselves (check_result.aside).
 */
#include "verifier/checks/checks.h"

#include "verifier/proofs/trial.h"

static void report_faults(struct audit *a, const struct trial *t, enum trial_fault_kind kind,
                          const char *otherwise)
{
    size_t i = 0, before = a->verdict->n_checks;
    for (const struct trial_fault *f; (f = trial_next_fault(t, kind, &i)) != NULL;) {
        struct check_result *r = audit_report(a, OUTCOME_FAIL, NULL, f->line, "reproduction %s: %s",
                                              t->stated->id, f->message);
        r->file = f->file;
        r->stated = f->stated;
        r->expected = f->expected;
        r->aside = true;
    }
    if (a->verdict->n_checks == before)
        audit_pass(a, NULL, "reproduction %s: %s", t->stated->id, otherwise)->file =
            t->stated->file;
    for (size_t k = before; k < a->verdict->n_checks; k++) {
        a->verdict->checks[k].table = (int)t->stated->table;
        a->verdict->checks[k].row = (int)t->stated->row;
    }
}

static bool has_fault(const struct trial *t, enum trial_fault_kind kind)
{
    size_t i = 0;
    return trial_next_fault(t, kind, &i);
}

static void report_measured(struct audit *a, const struct trial *t, enum trial_fault_kind kind,
                            const char *otherwise)
{
    if (t->measured.outcome || has_fault(t, kind))
        report_faults(a, t, kind, otherwise);
    else
        audit_cannot(a, NULL, "reproduction %s: its run cannot be used", t->stated->id)->file =
            t->stated->file;
}

/* What only the evidence that was reproduced could tell. */
static void report_compared(struct audit *a, const struct trial *t, enum trial_fault_kind kind,
                            const char *otherwise)
{
    if (!has_fault(t, TRIAL_REPLACED) || has_fault(t, kind))
        report_measured(a, t, kind, otherwise);
    else
        audit_cannot(a, NULL, "reproduction %s: the evidence that it repeats is not here",
                     t->stated->id)
            ->file = t->stated->file;
}

void check_trial_archive(struct audit *a, const struct trial *t)
{
    report_faults(a, t, TRIAL_ARCHIVE, "its archive is the one that it names, and whole");
}

void check_trial_case(struct audit *a, const struct trial *t)
{
    report_faults(a, t, TRIAL_CASE, "it ran the case of the result to its end");
}

void check_trial_copy(struct audit *a, const struct trial *t)
{
    report_measured(a, t, TRIAL_COPY, "it is another run than the evidence");
}

void check_trial_record(struct audit *a, const struct trial *t)
{
    report_compared(a, t, TRIAL_RECORD, "its record says what the archives give");
}

void check_trial_outcome(struct audit *a, const struct trial *t)
{
    report_compared(a, t, TRIAL_OUTCOME, "it agrees with the result");
}

void check_trial_replaced(struct audit *a, const struct trial *t)
{
    report_measured(a, t, TRIAL_REPLACED, "the evidence is the one that it repeats");
}
