/* run_rounds: the second half of run_tree.c: its files put together to rounds, and judged. */
#pragma once

#include "verifier/runs/run_tree.h"

/* Fills the rounds of a tree whose logs and monitors are read. */
void run_rounds_find(struct run_tree *t, struct arena *arena);

/* How much of a run was looked at; what lies outside is not missing. */
enum run_scope {
    RUN_SCOPE_RUN,   /* of each case all rounds */
    RUN_SCOPE_ROUND, /* one round of one case, or a node in it */
    RUN_SCOPE_FILE,  /* one log */
};

/* Findings about them, into each round's faults and all into `diags`. */
void run_rounds_check(struct run_tree *t, enum run_scope scope, struct arena *arena,
                      struct diags *diags);
