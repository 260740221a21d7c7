/*
 * build_verdicts: what a build keeps of a verdict, as bytes.
 *
 * State, figures, and failures that are errors: what lists and tables show and what is said at the
 * end. Verdicts with evidence or a second run are not kept: their curves would have to be.
 */
#pragma once

#include "base/pack.h"
#include "base/records/verdict.h"

bool build_verdict_is_kept(const struct verdict *v);
void build_verdict_keep(const struct verdict *v, struct buf *out);

/* v->result is the caller's. */
void build_verdict_take(struct verdict *v, struct arena *arena, struct unpack *u);
