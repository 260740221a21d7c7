/*
 * run: the rules look at an audit.
 */
#ifndef VERIFIER_CHECKS_RUN_H
#define VERIFIER_CHECKS_RUN_H

#include "verifier/claims/audit.h"

/* Run the rules that were chosen (audit->rules) on an opened audit; or only those about its
 * proofs. */
void rules_run(struct audit *a);
void rules_run_proofs(struct audit *a);

#endif
