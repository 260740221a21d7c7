/*
 * verify_many: many results, on all cores.
 *
 * Each is verified as verify_result does it. The verdicts are in the order of the results and do
 * not depend on the number of cores.
 */
#pragma once

#include "verifier/verify.h"

/* out[i] is the verdict on results[i]. */
void verify_many(const struct project *project, const struct rules *rules,
                 const struct result *results, size_t n, struct arena *arena, struct verdict *out);

/* Only those at these places, of which there are n: out[which[k]] is the verdict on
 * results[which[k]]. */
void verify_some(const struct project *project, const struct rules *rules,
                 const struct result *results, const size_t *which, size_t n, struct arena *arena,
                 struct verdict *out);
