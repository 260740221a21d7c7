/*
 * duplicate_finding: what FP1016 says of a row that has a duplicate (verifier/claims/duplicates.h),
 * for whoever finds it when all results are known (verifier/across.h).
 *
 * A vendor that has one run for two models contradicts itself. Which of two vendors is the copy
 * nobody can tell, and two cases of one model may have been one: a warning.
 */
#pragma once

#include "base/records/verdict.h"

#define DUPLICATE_RULE "FP1016"

/* Its message and what it expects; `of` is "<vendor>/<case>#<table>.<row>". */
void duplicate_say(struct check_result *r, struct arena *arena, const char *of,
                   const char *figures);

enum severity duplicate_severity(bool same_vendor, bool same_model);
