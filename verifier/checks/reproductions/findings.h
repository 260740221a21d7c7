/*
 * findings: how the rules about reproductions report.
 *
 * Is the second run a run, of this case, another one, and does its record say what it gave? What
 * they find is about the reproduction: the claims of the vendor stand or fall by themselves
 * (check_result.informational). `kind` are the faults that a rule asks for, `otherwise` what holds
 * where there are none.
 */
#pragma once

#include "verifier/proofs/reproduction.h"

void reproduction_report_faults(struct audit *a, const struct reproduction_proof *t,
                                enum reproduction_fault_kind kind, const char *otherwise);

void reproduction_report_measured(struct audit *a, const struct reproduction_proof *t,
                                  enum reproduction_fault_kind kind, const char *otherwise);

/* What only the evidence that was reproduced could tell. */
void reproduction_report_compared(struct audit *a, const struct reproduction_proof *t,
                                  enum reproduction_fault_kind kind, const char *otherwise);

/* What it says, for the rules that quote it (verifier/claims/rule.h). */
extern const struct words reproduction_messages[];
