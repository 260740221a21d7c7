/*
 * rules: which rows of the list (list.h) run.
 *
 * A rule set is all rows that were in force at one time: those that had come (`since`) and not
 * ended (`until`). Its version is part of every verdict, so that a verdict can be repeated with
 * the rules of its day. A set covers what is judged, not how: what a rule's own code does may
 * change with the version of the tool, which is part of every verdict, too.
 *
 * A choice (`only`) leaves rules of a set out. What was left out was not looked at: a verdict under
 * such a choice says failed or withdrawn where that holds, and otherwise no more than unverified.
 */
#pragma once

#include "base/arena.h"
#include "verifier/claims/audit.h"
#include "verifier/claims/rule.h"

/* The current rule set. It is part of every verdict. */
#define RULES_CURRENT "2026.3"

struct rules {
    const char *version; /* of the set, one of rules_sets(); NULL: the current one */
    /* Ids ("FP1004") or beginnings of ids ("FP2"); n_only 0: all of the set. */
    const char **only;
    size_t n_only;
};

/* Was the row in force in this set? */
bool rules_in_set(const struct rule *r, const char *version);

/* NULL stands for the whole current set, here and in `struct audit`. */
const char *rules_version(const struct rules *r);
bool rules_has(const struct rules *chosen, const struct rule *r);

/* How many rules run, and how many the set has. */
size_t rules_count(const struct rules *r, size_t *all);

/* Does the choice leave a rule of the set out? */
bool rules_partial(const struct rules *r);

/* Does every rule that runs ask no more than the seal of a submission (`sealed` in rule.h)? */
bool rules_sealed(const struct rules *r);

/* Does the word name a rule of this set, or the beginning of one ("FP2")? */
bool rules_name(const char *version, const char *word);

/* The choice as text, "FP2,FP1004"; NULL when nothing is left out. */
const char *rules_only_text(const struct rules *r, struct arena *arena);

/* All rule sets, oldest first; the last one is RULES_CURRENT. */
struct rules_set {
    const char *version, *what; /* one line about it */
};
const struct rules_set *rules_sets(size_t *n);

/* For `verify --rules list`: every set, what came with it and what ended. */
void rules_list_text(struct buf *out);

/* The rules look at an audit. */

/* Run the rules that were chosen (audit->rules) on an opened audit; or only those about its
 * proofs. */
void rules_run(struct audit *a);
void rules_run_proofs(struct audit *a);
