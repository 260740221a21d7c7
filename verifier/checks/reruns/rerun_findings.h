/*
 * rerun_findings: how the rules about reproductions report.
 *
 * Is the second run a run, of this case, another one, and does its record say what it gave? What
 * they find is about the reproduction: the claims of the vendor stand or fall by themselves
 * (check_result.aside). `kind` are the faults that a rule asks for, `otherwise` what holds where
 * there are none.
 */
#ifndef VERIFIER_CHECKS_RERUNS_RERUN_FINDINGS_H
#define VERIFIER_CHECKS_RERUNS_RERUN_FINDINGS_H

#include "verifier/proofs/trial.h"

void rerun_report_faults(struct audit *a, const struct trial *t, enum trial_fault_kind kind,
                         const char *otherwise);

void rerun_report_measured(struct audit *a, const struct trial *t, enum trial_fault_kind kind,
                           const char *otherwise);

/* What only the evidence that was reproduced could tell. */
void rerun_report_compared(struct audit *a, const struct trial *t, enum trial_fault_kind kind,
                           const char *otherwise);

#endif
