/*
 * verify_parts: the two halves of a verification, so that what opens files can stand between them.
 *
 * Of the audit the caller sets project, rules, file, records, arena, verdict, and result: NULL for
 * a submission by itself, which is `file`.
 */
#pragma once

#include "verifier/claims/audit.h"

/* The head of the verdict alone: whose it is, by which rules. */
void verify_name(struct audit *a);

/* That, the claims, and which second runs there are: looks into no evidence. */
void verify_begin(struct audit *a);

/* Evidence, second runs, rules. -1 for a submission by itself that cannot be opened. The state is
 * the caller's (verify_state). */
int verify_finish(struct audit *a, struct err *err);

/* Both halves of a result, and its state. */
void verify_whole(struct audit *a);

struct run_round;

/* The case of loose logs of which only the model is known: what it leaves open, as they print it
 * (verify_against.model). */
void verify_fill_case(struct case_record *kase, const struct model *model,
                      const struct run_round *r);
