/* run_rounds: the second half of run_tree.c: its files put together to rounds, and judged. */
#ifndef VERIFIER_RUN_ROUNDS_H
#define VERIFIER_RUN_ROUNDS_H

#include "verifier/run_tree.h"

/* Fills the rounds of a tree whose logs and monitors are read. */
void run_rounds_find(struct run_tree *t, struct arena *arena);

/* Findings about them, into each round's faults and all into `diags`. `alone`: of one file, whose
 * neighbours are not looked for. */
void run_rounds_check(struct run_tree *t, bool alone, struct arena *arena, struct diags *diags);

#endif
