/*
 * list: all rules, in the order of their ids, and what one of them says of itself.
 *
 * Each rule is a file of a room below, by what it looks at:
 *
 *     page      the page as a text: its parts, headings, names, paths
 *     cells     single cells and rows of figures, by themselves
 *     plan      parallel plan, batch sizes, and the configuration files that set them
 *     speed     throughput and MFU
 *     time      durations and dates
 *     loss      losses, scores and targets
 *     copies    figures, headings and runs of somebody else
 *     machine   cards, memory, drivers, the environment
 *     evidence  sealed submissions: whole, of this case, signed
 *     reproductions  reproductions and answers to challenges
 *
 * What several rules of a room share lies there in a file of its own. What a row holds is
 * verifier/claims/rule.h.
 */
#pragma once

#include "base/json/shape.h"
#include "verifier/claims/rule.h"

const struct rule *const *rules_all(size_t *n);

/* The first row with this id; NULL: there is none. */
const struct rule *rule_find(const char *id);

/* "error", "error or warning", "error, warning or notice": what a finding of the rule may be. */
const char *rule_severities(const struct rule *r, struct arena *arena);

/* The next step for a finding of the rule, in English. */
const char *rule_fix(const struct rule *r, const struct check_result *c);

/* What verdicts say in both languages (base/sentence.h): the rows of all rules and of what they
 * ask, without ends; some stand there twice. */
const struct words *rules_messages(struct arena *arena, size_t *n);

/* What the rules are about, as readers look for them: the page of rules is divided so.
 * Ids tell which part of the verifier a rule belongs to; two rules about MFU may be of two parts.
 */

/* A row of verifier/claims/rule.h names one by its id. */
struct rule_kind {
    const char *id;     /* "curves": for addresses and data */
    struct words title; /* for readers */
};

/* In the order in which readers see them. */
const struct rule_kind *rule_kinds(size_t *n);
