/* explain_rules: the tables behind explain_find(), one a group of ids, each ends with id NULL. */
#ifndef VERIFIER_EXPLAIN_EXPLAIN_RULES_H
#define VERIFIER_EXPLAIN_EXPLAIN_RULES_H

#include "verifier/explain/explain.h"

extern const struct explanation explain_page[], explain_figures[], explain_recompute[],
    explain_identity[], explain_evidence[], explain_reproduction[], explain_challenge[];

#endif
