/*
 * run: the rules look at an audit.
 */
#pragma once

#include "verifier/claims/audit.h"

/* Run the rules that were chosen (audit->rules) on an opened audit; or only those about its
 * proofs. */
void rules_run(struct audit *a);
void rules_run_proofs(struct audit *a);
