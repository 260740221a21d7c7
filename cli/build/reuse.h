/*
 * build_reuse: the key of each result, and the verdicts and files that the cache has by such keys.
 *
 * A result's key stands for what its verdict is made from beside the base (cli/build/cache.h): its
 * own record, those of the same case, those that state the same figures
 * (verifier/claims/duplicates.h). By key the cache has
 *
 *  - of a result without evidence: its state, its figures, and the findings that are said at the
 *    end. Pages that show all of its findings have the same key, so that nobody looks at those;
 *  - each file of the site, by the key of what it was made from.
 *
 *     build_reuse_verify(&r, cache, od, project, arena, verdicts);  // instead of verify_many
 *     …                                                    // r.reuse goes to the renderer
 *     build_reuse_store(&r, verdicts);                     // for the next build
 */
#pragma once

#include "base/project/project.h"
#include "base/records/verdict.h"
#include "cli/build/cache.h"
#include "renderer/output/outdir.h"
#include "renderer/output/reuse.h"

struct build_reuse {
    struct build_cache *cache;
    struct outdir *od; /* whose files may be kept; begun */
    const struct project *project;
    struct reuse reuse;
    struct reuse_key *results;
    size_t verified; /* results that had to be */
};

/* Keys of all results, and a verdict on each: the cached one where nothing of it changed. */
void build_reuse_verify(struct build_reuse *r, struct build_cache *cache, struct outdir *od,
                        struct project *project, struct arena *arena, struct verdict *verdicts);

/* Verdicts for the next build; files were stored when they were asked for. */
void build_reuse_store(const struct build_reuse *r, const struct verdict *verdicts);
