/*
 * native_plan: how a case divides its model and its data, as the case says it or as --parallel
 * does.
 */
#pragma once

#include "base/project/project.h"
#include "trainer/ranks/plan.h"

/* Complete. ERR_INPUT with the file and line, when the case's is none. */
int native_plan(const struct case_record *c, struct arena *arena, struct plan *plan,
                struct err *err);

/* Ranks of the case's plan, and those of them that have sequences of their own. */
int native_ranks(const struct case_record *c);
int native_data_ranks(const struct case_record *c);

/*
 * The case under another plan (plan.h's text), with as many sequences a step: micro-batches stay as
 * large as the new ranks allow. Its level of ZeRO stays. ERR_USAGE when the sequences do not divide
 * among the data ranks.
 */
int native_replan(struct case_record *c, const char *text, struct arena *arena, struct err *err);
