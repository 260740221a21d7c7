/* run_rounds: the second half of run_tree.c: its files put together to rounds, and judged. */
#ifndef VERIFIER_RUN_ROUNDS_H
#define VERIFIER_RUN_ROUNDS_H

#include "verifier/run_tree.h"

/* Fills the rounds of a tree whose logs and monitors are read. */
void run_rounds_find(struct run_tree *t, struct arena *arena);

/* Findings about them. */
void run_rounds_check(const struct run_tree *t, struct diags *diags);

#endif
