/*
 * build_reuse: after a change of some records, only what depends on them is verified and made.
 *
 * A result's key (renderer/output/reuse.h) stands for what its verdict is made from: its own
 * record, those of the same case, those that state the same figures (verifier/claims/duplicates.h).
 * Which bytes a record has is told by what base/files/seen.h saw. All other inputs have to be as
 * they were (build_cache.partial); else nothing is reused. From the last build come, by key:
 *
 *  - of a result without evidence: its state, its figures, and the findings that are said at the
 *    end. Pages that show all of its findings are kept with it, so that nobody looks at those;
 *  - of each file: the key of what it was made from.
 *
 *     build_reuse_open(&r, &last, cache, od, project);    // others may still look at the site
 *     …                                                   // outdir_begin
 *     build_reuse_verify(&r, &last, cache, arena, verdicts);       // instead of verify_many
 *     …                                                   // r.reuse goes to the renderer
 *     build_reuse_pack_verdicts(&r, verdicts, &parts);
 *     build_reuse_pack_files(&r, &parts);                  // after outdir_finish
 */
#ifndef CLI_BUILD_REUSE_H
#define CLI_BUILD_REUSE_H

#include "base/project/project.h"
#include "base/records/verdict.h"
#include "cli/build/cache.h"
#include "renderer/output/outdir.h"
#include "renderer/output/reuse.h"

struct build_known;

/* What the last build came to, until it is clear that it may be used. */
struct build_reuse_last {
    struct build_known *items; /* the path is that of the verdict's bytes */
    struct verdict *verdicts;
    size_t n;
};

struct build_reuse {
    struct arena *arena; /* the cache's */
    struct outdir *od;   /* whose files may be kept; begun */
    const struct project *project;
    struct reuse reuse;
    struct reuse_key *results;
    size_t verified;          /* results that had to be */
    struct reuse_key *before; /* of the files of the last build, in the order of outdir's list */
    size_t n_before;
    size_t near;              /* the place behind the one that was asked for last */
    struct build_known *made; /* files of this build that were not kept */
    size_t n_made;
};

/* Keys of all results, and what is known of the files in `od`. */
void build_reuse_open(struct build_reuse *r, struct build_reuse_last *last,
                      struct build_cache *cache, struct outdir *od, struct project *project);

/* A verdict on each: the last one where it is known that nothing of it changed. */
void build_reuse_verify(struct build_reuse *r, const struct build_reuse_last *last,
                        const struct build_cache *cache, struct arena *arena,
                        struct verdict *verdicts);

/* For the next build, in this order: the files when they are written. */
void build_reuse_pack_verdicts(const struct build_reuse *r, const struct verdict *verdicts,
                               struct buf *out);
void build_reuse_pack_files(const struct build_reuse *r, struct buf *out);

#endif
