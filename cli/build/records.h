/*
 * build_records: records of results and cases that the last build read, so that those of files
 * that are as they were need not be read and parsed again.
 *
 *     build_records_unpack(&records, &cache, &u);         // from the last build
 *     project_load_known(root, &project, &records.memory, …);
 *     build_records_pack(&records, &project, &out);       // for the next build
 *
 * A record counts when its file has the identity (base/files/seen.h) that it had when it was read,
 * and nothing was said about it: what would be said again is read again.
 */
#ifndef CLI_BUILD_RECORDS_H
#define CLI_BUILD_RECORDS_H

#include "base/lookup.h"
#include "base/project/project.h"
#include "cli/build/cache.h"

struct build_record;

struct build_records {
    struct project_memory memory;
    const struct build_cache *cache;
    struct build_record *items; /* of the last build */
    size_t n;
    struct lookup by_path;
};

/* What follows in `u` is used only when `known`; it is skipped in any case. */
void build_records_unpack(struct build_records *r, const struct build_cache *cache, bool known,
                          struct unpack *u, struct arena *arena);
void build_records_pack(const struct build_records *r, const struct project *project,
                        struct buf *out);

#endif
