#include "verifier/checks/reruns/rerun_findings.h"

#include <stddef.h>

void rerun_report_faults(struct audit *a, const struct trial *t, enum trial_fault_kind kind,
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

void rerun_report_measured(struct audit *a, const struct trial *t, enum trial_fault_kind kind,
                           const char *otherwise)
{
    if (t->measured.outcome || has_fault(t, kind))
        rerun_report_faults(a, t, kind, otherwise);
    else
        audit_cannot(a, NULL, "reproduction %s: its run cannot be used", t->stated->id)->file =
            t->stated->file;
}

void rerun_report_compared(struct audit *a, const struct trial *t, enum trial_fault_kind kind,
                           const char *otherwise)
{
    if (!has_fault(t, TRIAL_REPLACED) || has_fault(t, kind))
        rerun_report_measured(a, t, kind, otherwise);
    else
        audit_cannot(a, NULL, "reproduction %s: the evidence that it repeats is not here",
                     t->stated->id)
            ->file = t->stated->file;
}
