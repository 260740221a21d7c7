/*
 * listed: what lists show of a result, as a key (renderer/output/reuse.h).
 *
 * Lists, of whatever kind, show who a result is of, its state and its figures: the tables that they
 * stand in and what became of each, and the errors that made it fail. The rest (most of the
 * environment, batch sizes, notes, other findings) is on pages of the result alone. Who lists more
 * than that adds it to the key. Of runs lists draw curves and tell days: what has evidence or was
 * reproduced is listed as a whole.
 */
#pragma once

#include "base/records/verdict.h"
#include "renderer/output/reuse.h"

/* A key for each of `n` results, `keys` being those of all that their verdicts are made from. */
void listed_keys(const struct result *results, const struct verdict *verdicts,
                 const struct reuse_key *keys, size_t n, struct reuse_key *out,
                 struct arena *arena);
