/*
 * rule_kinds: what the rules are about, as readers look for them: the page of rules is divided so.
 * Ids tell which part of the verifier a rule belongs to; two rules about MFU may be of two parts.
 */
#pragma once

#include "base/json/shape.h"

/* A row of verifier/claims/rule.h names one by its id. */
struct rule_kind {
    const char *id;     /* "curves": for addresses and data */
    struct words title; /* for readers */
};

/* In the order in which readers see them. */
const struct rule_kind *rule_kinds(size_t *n);
